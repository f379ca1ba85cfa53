package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

// What only the other API knows, or tells every kind of account.
const (
	readViewer       = `query Viewer { viewer { login } }`
	readSubscription = `query Subscription($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { issue(number: $number) { id viewerSubscription } }
}`
	writeSubscription = `mutation SetSubscription($id: ID!, $state: SubscriptionState!) {
  updateSubscription(input: {subscribableId: $id, state: $state}) { subscribable { viewerSubscription } }
}`
)

// A Query is what is sent, with its variables.
type query struct {
	Query     string    `json:"query"`
	Variables variables `json:"variables"`
}

type variables struct {
	Owner  string             `json:"owner,omitempty"`
	Name   string             `json:"name,omitempty"`
	Number int                `json:"number,omitempty"`
	After  string             `json:"after,omitempty"`
	ID     string             `json:"id,omitempty"`
	State  forge.Subscription `json:"state,omitempty"`
}

type graphErrors []struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

func (g graphErrors) err() error {
	if len(g) == 0 {
		return nil
	}
	if g[0].Type == "NOT_FOUND" {
		return forge.ErrNotFound
	}
	if g[0].Type == "FORBIDDEN" {
		return fmt.Errorf("%w: %s", forge.ErrForbidden, g[0].Message)
	}
	return errors.New(g[0].Message)
}

// ask sends q and reads the answer into v.
func (c *Client) ask(ctx context.Context, doing string, q query, v any) error {
	req, err := c.api.NewRequest(ctx, http.MethodPost, c.graph, q)
	if err != nil {
		return err
	}
	_, err = c.api.Do(req, v)
	return failed(doing, err)
}

// me is whose account this is; empty without one.
func (c *Client) me(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.name != "" || !c.known {
		return c.name, nil
	}
	var got struct {
		Data struct {
			Viewer struct {
				Login string `json:"login"`
			} `json:"viewer"`
		} `json:"data"`
		Errors graphErrors `json:"errors"`
	}
	const doing = "ask who we are"
	if err := c.ask(ctx, doing, query{Query: readViewer}, &got); err != nil {
		return "", err
	}
	if err := got.Errors.err(); err != nil {
		return "", failed(doing, err)
	}
	c.name = got.Data.Viewer.Login
	return c.name, nil
}

// subscription is the state and the name that it is set by.
func (c *Client) subscription(ctx context.Context, ref bug.Ref) (id string, s forge.Subscription, err error) {
	owner, name := split(ref.Repo)
	var got struct {
		Data struct {
			Repository *struct {
				Issue *struct {
					ID    string              `json:"id"`
					State *forge.Subscription `json:"viewerSubscription"`
				} `json:"issue"`
			} `json:"repository"`
		} `json:"data"`
		Errors graphErrors `json:"errors"`
	}
	const doing = "read the subscription"
	if err := c.ask(ctx, doing, query{readSubscription, variables{Owner: owner, Name: name, Number: ref.Number}},
		&got); err != nil {
		return "", forge.Unknown, err
	}
	if err := got.Errors.err(); err != nil {
		return "", forge.Unknown, failed(doing, err)
	}
	if got.Data.Repository == nil || got.Data.Repository.Issue == nil {
		return "", forge.Unknown, failed(doing, forge.ErrNotFound)
	}
	issue := got.Data.Repository.Issue
	if issue.State == nil {
		return issue.ID, forge.Unknown, nil
	}
	return issue.ID, *issue.State, nil
}

// Subscription implements forge.Writer.
func (c *Client) Subscription(ctx context.Context, ref bug.Ref) (forge.Subscription, error) {
	_, s, err := c.subscription(ctx, ref)
	return s, err
}

// SetSubscription implements forge.Writer.
func (c *Client) SetSubscription(ctx context.Context, ref bug.Ref, to forge.Subscription) error {
	id, _, err := c.subscription(ctx, ref)
	if err != nil {
		return err
	}
	var got struct {
		Errors graphErrors `json:"errors"`
	}
	const doing = "set the subscription"
	if err := c.ask(ctx, doing, query{writeSubscription, variables{ID: id, State: to}}, &got); err != nil {
		return err
	}
	if err := got.Errors.err(); err != nil {
		return failed(doing, err)
	}
	return nil
}
