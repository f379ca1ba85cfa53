package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

// A suggestion is a label that waits for a maintainer's word.
type suggestion struct {
	Name    string `json:"name"`
	Why     string `json:"rationale,omitempty"`
	Suggest bool   `json:"suggest"`
}

// longest is how long a rationale may be.
const longest = 280

// AddLabels implements forge.Writer. The library sends a bare list, which
// GitHub's own description does not know any more.
func (c *Client) AddLabels(ctx context.Context, ref bug.Ref, labels ...forge.Label) error {
	var names []string
	var suggested []suggestion
	for _, l := range labels {
		names = append(names, l.Name)
		if l.Why != "" {
			suggested = append(suggested, suggestion{l.Name, bug.Short(l.Why, longest), true})
		}
	}
	var body any = struct {
		Labels []string `json:"labels"`
	}{names}
	if c.suggests && len(suggested) == len(labels) {
		if _, err := c.suggested(ctx, ref); err != nil {
			return err
		}
		body = struct {
			Labels []suggestion `json:"labels"`
		}{suggested}
	}
	req, err := c.api.NewRequest(ctx, http.MethodPost, fmt.Sprintf("repos/%s/issues/%d/labels", ref.Repo, ref.Number),
		body)
	if err == nil {
		_, err = c.api.Do(req, nil)
	}
	return failed("add labels", err)
}

// suggested are the labels that wait.
func (c *Client) suggested(ctx context.Context, ref bug.Ref) ([]string, error) {
	var names []string
	for page := 1; page > 0; {
		req, err := c.api.NewRequest(ctx, http.MethodGet,
			fmt.Sprintf("repos/%s/issues/%d/suggestions?state=pending&action=add_label&per_page=100&page=%d", ref.Repo,
				ref.Number, page), nil)
		if err != nil {
			return nil, err
		}
		var all []struct {
			Value string `json:"target_value"`
		}
		response, err := c.api.Do(req, &all)
		if err := failed("read suggestions", err); errors.Is(err, forge.ErrNotFound) {
			return nil, forge.ErrNoSuggestions
		} else if err != nil {
			return nil, err
		}
		for _, s := range all {
			names = append(names, s.Value)
		}
		page = response.NextPage
	}
	return names, nil
}
