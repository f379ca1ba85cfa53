package github

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/google/go-github/v92/github"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

// Pulled implements forge.Writer. Whatever became of a pull request, it was opened.
func (c *Client) Pulled(ctx context.Context, ref bug.Ref, branch string) (string, error) {
	owner, name := split(ref.Repo)
	all, _, err := c.api.PullRequests.List(ctx, owner, name, &github.PullRequestListOptions{State: "all", Head: owner + ":" + branch})
	if err != nil {
		return "", failed("look for the pull request", err)
	}
	for _, p := range all {
		if p.GetHead().GetRef() == branch {
			return p.GetHTMLURL(), nil
		}
	}
	return "", nil
}

// OpenPull implements forge.Writer: a commit with the files on top of the base, a branch for it, and the pull
// request. A branch that is there is ours from a time that did not go well, or is refused.
func (c *Client) OpenPull(ctx context.Context, ref bug.Ref, p forge.Pull) error {
	owner, name := split(ref.Repo)
	repo, _, err := c.api.Repositories.Get(ctx, owner, name)
	if err != nil {
		return failed("read the repository", err)
	}
	if err := c.branch(ctx, owner, name, p); err != nil {
		return err
	}
	_, _, err = c.api.PullRequests.Create(ctx, owner, name, github.CreatePullRequest{Title: &p.Title, Head: p.Branch,
		Base: repo.GetDefaultBranch(), Body: &p.Body})
	return failed("open the pull request", err)
}

// branch makes the branch of p.
func (c *Client) branch(ctx context.Context, owner, name string, p forge.Pull) error {
	base, _, err := c.api.Git.GetCommit(ctx, owner, name, p.Base)
	if err != nil {
		return failed("read the commit "+p.Base, err)
	}
	var entries []*github.TreeEntry
	for _, path := range slices.Sorted(maps.Keys(p.Files)) {
		mode, kind, text := "100644", "blob", p.Files[path]
		entries = append(entries, &github.TreeEntry{Path: &path, Mode: &mode, Type: &kind, Content: &text})
	}
	tree, _, err := c.api.Git.CreateTree(ctx, owner, name, base.GetTree().GetSHA(), entries)
	if err != nil {
		return failed("write the files", err)
	}
	at, response, err := c.api.Git.GetRef(ctx, owner, name, "heads/"+p.Branch)
	switch {
	case err == nil:
		return c.same(ctx, owner, name, at.GetObject().GetSHA(), tree.GetSHA(), p)
	case response == nil || response.StatusCode != http.StatusNotFound:
		return failed("look for the branch", err)
	}
	commit, _, err := c.api.Git.CreateCommit(ctx, owner, name, github.Commit{Message: &p.Title, Tree: tree,
		Parents: []*github.Commit{{SHA: &p.Base}}}, nil)
	if err != nil {
		return failed("make the commit", err)
	}
	_, _, err = c.api.Git.CreateRef(ctx, owner, name, github.CreateRef{Ref: "refs/heads/" + p.Branch, SHA: commit.GetSHA()})
	return failed("make the branch", err)
}

// same makes sure that a branch which is there has exactly what was agreed to.
func (c *Client) same(ctx context.Context, owner, name, id, tree string, p forge.Pull) error {
	commit, _, err := c.api.Git.GetCommit(ctx, owner, name, id)
	if err != nil {
		return failed("read the branch", err)
	}
	if commit.GetTree().GetSHA() != tree || len(commit.Parents) != 1 || commit.Parents[0].GetSHA() != p.Base {
		return fmt.Errorf("the branch %s is there and has something else: delete it, or deny this proposal", p.Branch)
	}
	return nil
}
