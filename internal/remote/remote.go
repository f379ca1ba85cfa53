// Package remote asks a page that is served elsewhere what a desk would be asked here.
package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/refusal"
)

// A Client asks a page by its address, with a token.
type Client struct {
	URL   string
	Token string
}

// most is how large an answer may be.
const most = 256 << 20

// ask sends a request and reads the answer.
func (c Client) ask(ctx context.Context, method, path string, body, into any) error {
	at, err := url.Parse(c.URL)
	if err != nil || at.Scheme != "https" && at.Scheme != "http" || at.Host == "" {
		return refusal.Bad("--server %s: want an address as in https://scrub.example.org", c.URL)
	}
	if c.Token == "" {
		return refusal.Bad("--server needs a token in SCRUB_TOKEN")
	}
	var send io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		send = bytes.NewReader(data)
	}
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(c.URL, "/")+"/api/v1/"+path, send)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+c.Token)
	// A token goes nowhere but to where it was sent.
	client := http.Client{Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("ask %s: %w", at.Host, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, most))
	if err != nil {
		return fmt.Errorf("ask %s: %w", at.Host, err)
	}
	if answer.StatusCode != http.StatusOK {
		var no struct{ Error string }
		if json.Unmarshal(text, &no) != nil || no.Error == "" {
			no.Error = answer.Status
		}
		return refusal.Bad("%s says: %w", at.Host, errors.New(no.Error))
	}
	return json.Unmarshal(text, into)
}

// Cases are all there are that the token may see, the last one first.
func (c Client) Cases(ctx context.Context) (all []desk.Row, err error) {
	err = c.ask(ctx, http.MethodGet, "rows", nil, &all)
	return all, err
}

// Case is one of them, by its id or the beginning of it, or by its issue.
func (c Client) Case(ctx context.Context, name string) (one desk.Case, err error) {
	err = c.ask(ctx, http.MethodGet, "case?name="+url.QueryEscape(name), nil, &one)
	return one, err
}

// Actions lists what is proposed, and what became of it.
func (c Client) Actions(ctx context.Context, r desk.ActionsRequest) (all []desk.Action, err error) {
	q := url.Values{"on": {r.On}}
	if r.All {
		q.Set("all", "yes")
	}
	err = c.ask(ctx, http.MethodGet, "actions?"+q.Encode(), nil, &all)
	return all, err
}

// Consent puts on record a yes or no, in the name of the token.
func (c Client) Consent(ctx context.Context, r desk.ConsentRequest) (all []desk.Action, err error) {
	known, err := c.Actions(ctx, desk.ActionsRequest{})
	if err != nil {
		return nil, err
	}
	for i, id := range r.IDs {
		var found []string
		for _, a := range known {
			if len(id) >= 8 && strings.HasPrefix(a.ID, id) {
				found = append(found, a.ID)
			}
		}
		if len(found) != 1 {
			return nil, refusal.Bad("%s names %d actions: scrub actions --json has whole ids", id, len(found))
		}
		r.IDs[i] = found[0]
	}
	err = c.ask(ctx, http.MethodPost, "consent", r, &all)
	return all, err
}
