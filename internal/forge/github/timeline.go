package github

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

const readTimeline = `query Timeline($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    issue(number: $number) {
      closedByPullRequestsReferences(first: 20, includeClosedPrs: true) { nodes { number repository { nameWithOwner } } }
      timelineItems(first: 100, after: $after, itemTypes: [CLOSED_EVENT, CROSS_REFERENCED_EVENT, REFERENCED_EVENT]) {
        pageInfo { hasNextPage endCursor }
        nodes {
          ... on ClosedEvent { closer { ... on Commit { oid } ... on PullRequest { number repository { nameWithOwner } } } }
          ... on CrossReferencedEvent { willCloseTarget source { ... on PullRequest { number repository { nameWithOwner } } } }
          ... on ReferencedEvent { isCrossRepository commit { oid } }
        }
      }
    }
  }
}`

// A thing is a commit or a pull request, as they come in a timeline.
type thing struct {
	OID        string `json:"oid"`
	Number     int    `json:"number"`
	Repository *struct {
		Name string `json:"nameWithOwner"`
	} `json:"repository"`
}

// link is t as a link, if it is of the issue's own repository.
func (t *thing) link(ref bug.Ref, closes bool) (bug.Link, bool) {
	switch {
	case t == nil:
		return bug.Link{}, false
	case t.OID != "":
		return bug.Link{Commit: t.OID, Closes: closes}, true
	case t.Number > 0 && t.Repository != nil && strings.EqualFold(t.Repository.Name, ref.Repo):
		return bug.Link{Pull: t.Number, Closes: closes}, true
	}
	return bug.Link{}, false
}

type timeline struct {
	Data struct {
		Repository *struct {
			Issue *struct {
				Closers struct {
					Nodes []*thing `json:"nodes"`
				} `json:"closedByPullRequestsReferences"`
				Items struct {
					Page struct {
						More bool   `json:"hasNextPage"`
						End  string `json:"endCursor"`
					} `json:"pageInfo"`
					Nodes []struct {
						Closer *thing `json:"closer"`
						Will   bool   `json:"willCloseTarget"`
						Source *thing `json:"source"`
						Commit *thing `json:"commit"`
						Away   bool   `json:"isCrossRepository"`
					} `json:"nodes"`
				} `json:"timelineItems"`
			} `json:"issue"`
		} `json:"repository"`
	} `json:"data"`
	Errors graphErrors `json:"errors"`
}

// links are the pull requests and commits that GitHub ties to an issue.
func (c *Client) links(ctx context.Context, ref bug.Ref) ([]bug.Link, error) {
	owner, name := split(ref.Repo)
	var all []bug.Link
	add := func(t *thing, closes bool) {
		if l, ok := t.link(ref, closes); ok && !slices.Contains(all, l) {
			all = append(all, l)
		}
	}
	const doing = "read the timeline"
	for after := ""; ; {
		var got timeline
		if err := c.ask(ctx, doing, query{readTimeline,
			variables{Owner: owner, Name: name, Number: ref.Number, After: after}}, &got); err != nil {
			return nil, err
		}
		if got.Data.Repository == nil || got.Data.Repository.Issue == nil {
			return nil, failed(doing, errors.Join(got.Errors.err(), forge.ErrNotFound))
		}
		issue := got.Data.Repository.Issue
		for _, t := range issue.Closers.Nodes {
			add(t, true)
		}
		for _, n := range issue.Items.Nodes {
			add(n.Closer, true)
			add(n.Source, n.Will)
			if !n.Away {
				add(n.Commit, false)
			}
		}
		if !issue.Items.Page.More {
			return all, nil
		}
		after = issue.Items.Page.End
	}
}
