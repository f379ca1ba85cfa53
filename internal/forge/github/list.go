package github

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/go-github/v92/github"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

// most is how many results GitHub shows of one search.
const most = 1000

// Search implements forge.Lister. GitHub shows the first thousand results only,
// so the search goes on from when the last of these was written.
func (c *Client) Search(ctx context.Context, repo bug.Ref, words string, told func(forge.Listed) error) error {
	query := fmt.Sprintf("repo:%s is:issue %s", repo.Repo, words)
	seen := map[int]bool{}
	for from := ""; ; {
		last, n, err := c.window(ctx, repo, strings.TrimSpace(query+from), seen, told)
		if err != nil {
			return err
		}
		next := " created:>=" + last.UTC().Format(time.RFC3339)
		if n < most || next == from {
			return nil
		}
		if strings.Contains(words, "created:") {
			return fmt.Errorf("GitHub returns only the first %d results of a search with its own created: filter; "+
				"split it into several searches", most)
		}
		from = next
	}
}

// window tells of what one search shows, and when the last of it was written.
func (c *Client) window(ctx context.Context, repo bug.Ref, query string, seen map[int]bool,
	told func(forge.Listed) error) (last time.Time, n int, err error) {
	opts := &github.SearchOptions{Sort: "created", Order: "asc", ListOptions: github.ListOptions{PerPage: 100}}
	for {
		page, response, err := c.api.Search.Issues(ctx, query, opts)
		if err != nil {
			return last, n, failed("search "+repo.Repo, err)
		}
		for _, i := range page.Issues {
			n++
			last = i.GetCreatedAt().Time
			if seen[i.GetNumber()] {
				continue
			}
			seen[i.GetNumber()] = true
			if err := told(listed(repo, i)); err != nil {
				return last, n, err
			}
		}
		if response.NextPage == 0 || n >= most {
			return last, n, nil
		}
		opts.Page = response.NextPage
	}
}

func listed(repo bug.Ref, i *github.Issue) forge.Listed {
	repo.Number = i.GetNumber()
	return forge.Listed{Ref: repo, Updated: i.GetUpdatedAt().Time}
}

// Changed implements forge.Lister.
func (c *Client) Changed(ctx context.Context, repo bug.Ref, since time.Time, told func(forge.Listed) error) error {
	owner, name := split(repo.Repo)
	opts := &github.IssueListByRepoOptions{State: "all", Sort: "updated", Direction: "asc", Since: since,
		ListOptions: github.ListOptions{PerPage: 100}}
	for {
		page, response, err := c.api.Issues.ListByRepo(ctx, owner, name, opts)
		if err != nil {
			return failed("list the issues of "+repo.Repo, err)
		}
		for _, i := range page {
			if i.IsPullRequest() {
				continue
			}
			if err := told(listed(repo, i)); err != nil {
				return err
			}
		}
		if response.NextPage == 0 {
			return nil
		}
		opts.ListOptions.Page = response.NextPage
	}
}
