// Package github is the forge of that name, and Enterprise servers of its kind.
package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/go-github/v92/github"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

// A Client reads and writes issues with one account.
type Client struct {
	api   *github.Client
	graph string // the address of the other API
	known bool   // it has an account, which the other API wants

	suggests bool
	mu       sync.Mutex
	name     string // of the account, once it was asked for
}

// Options say where and as whom.
type Options struct {
	Host string // empty for github.com
	// of the API, in place of what follows from Host
	URL   string
	Token string                                                       // empty for what anybody may read
	Wait  func(ctx context.Context, d time.Duration, why string) error // until a limit is over; it should be seen
	// answers that need not be sent again; may be nil
	Cache Cache
	// asked before each request, which is not sent if it says no; may be nil
	Spend func(ctx context.Context) error
	Base  http.RoundTripper // nil for the default
	// told what GitHub says of its limits with each answer; may be nil
	Told func(forge.Limit)
	// labels are left as suggestions for a maintainer, where the repository takes them
	Suggest bool
}

// New makes a client.
func New(o Options) (*Client, error) {
	base := o.URL
	switch {
	case base != "":
	case o.Host == "" || o.Host == bug.PublicHost:
		base = "https://api.github.com/"
	default:
		base = "https://" + o.Host + "/api/v3/"
	}
	base = strings.TrimRight(base, "/") + "/"
	graph := strings.TrimSuffix(base, "v3/") + "graphql"
	inner := o.Base
	if inner == nil {
		silent := http.DefaultTransport.(*http.Transport).Clone()
		silent.ResponseHeaderTimeout = time.Minute
		inner = silent
	}
	t := &transport{base: inner, wait: o.Wait, cache: o.Cache, spend: o.Spend, told: o.Told,
		account: bug.Digest(o.Token)[:8]}
	options := []github.ClientOptionsFunc{
		github.WithHTTPClient(&http.Client{Transport: t, CheckRedirect: sameHost}), github.WithURLs(&base,
			&base), github.WithUserAgent("scrub"), github.WithDisableRateLimitCheck(),
	}
	if o.Token != "" {
		options = append(options, github.WithAuthToken(o.Token))
	}
	api, err := github.NewClient(options...)
	if err != nil {
		return nil, fmt.Errorf("GitHub at %s: %w", base, err)
	}
	return &Client{api: api, graph: graph, known: o.Token != "", suggests: o.Suggest}, nil
}

// sameHost lets no redirect take the token to another host.
func sameHost(req *http.Request, via []*http.Request) error {
	if first := via[0].URL; req.URL.Host != first.Host || req.URL.Scheme != first.Scheme {
		return fmt.Errorf("it redirects to %s, where the token must not go", req.URL.Host)
	}
	if len(via) >= 5 {
		return errors.New("it redirects in circles")
	}
	return nil
}

func split(repo string) (owner, name string) {
	owner, name, _ = strings.Cut(repo, "/")
	return owner, name
}

// failed is err as the forge's vocabulary has it.
func failed(doing string, err error) error {
	if err == nil {
		return nil
	}
	var response *github.ErrorResponse
	kind := err
	if errors.As(err, &response) {
		said := response.Message
		switch response.Response.StatusCode {
		case http.StatusUnauthorized:
			kind = fmt.Errorf("%w: %s", forge.ErrToken, said)
		case http.StatusNotFound:
			kind = forge.ErrNotFound
		case http.StatusGone:
			kind = forge.ErrGone
		case http.StatusForbidden:
			kind = fmt.Errorf("%w: %s", forge.ErrForbidden, said)
		default:
			kind = fmt.Errorf("%d %s", response.Response.StatusCode, said)
		}
	}
	var address *url.Error
	if errors.Is(err, forge.ErrLimited) {
		kind = forge.ErrLimited
	} else if errors.As(err, &address) {
		kind = fmt.Errorf("it cannot be reached: %w", address.Err)
	}
	return fmt.Errorf("GitHub, %s: %w", doing, kind)
}

// Report implements forge.Reader: the issue with all its comments and what is
// tied to it.
func (c *Client) Report(ctx context.Context, ref bug.Ref) (bug.Report, error) {
	live, err := c.Live(ctx, ref)
	if err != nil || !c.known {
		return live.Report, err
	}
	// What is linked is evidence, and no reason to know nothing.
	if live.Links, err = c.links(ctx, ref); ctx.Err() == nil {
		err = nil
	}
	return live.Report, err
}

// lines is a text as other systems end their lines.
func lines(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

func labels(all []*github.Label) []string {
	var names []string
	for _, l := range all {
		names = append(names, l.GetName())
	}
	return names
}

func (c *Client) issue(ctx context.Context, ref bug.Ref) (*github.Issue, error) {
	owner, name := split(ref.Repo)
	issue, _, err := c.api.Issues.Get(ctx, owner, name, ref.Number)
	if err != nil {
		return nil, failed("read "+ref.String(), err)
	}
	// A moved issue is answered from where it is now.
	if to, err := bug.ParseRef(issue.GetHTMLURL()); err == nil &&
		(!strings.EqualFold(to.Repo, ref.Repo) || to.Number != ref.Number) {
		to.Host = ref.Host
		return nil, forge.Moved{To: to}
	}
	if issue.IsPullRequest() {
		return nil, fmt.Errorf("%v is a pull request, not an issue", ref)
	}
	return issue, nil
}

func (c *Client) comments(ctx context.Context, ref bug.Ref) ([]*github.IssueComment, error) {
	owner, name := split(ref.Repo)
	var all []*github.IssueComment
	opts := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	for {
		page, response, err := c.api.Issues.ListComments(ctx, owner, name, ref.Number, opts)
		if err != nil {
			return nil, failed("read the comments of "+ref.String(), err)
		}
		all = append(all, page...)
		if response.NextPage == 0 {
			return all, nil
		}
		opts.Page = response.NextPage
	}
}

// Collaborator implements forge.Reader. Anybody may read a public
// repository; who may write is trusted.
func (c *Client) Collaborator(ctx context.Context, repo, user string) (bool, error) {
	if user == "" {
		return false, nil
	}
	owner, name := split(repo)
	level, _, err := c.api.Repositories.GetPermissionLevel(ctx, owner, name, user)
	if err != nil {
		return false, failed("ask who "+user+" is", err)
	}
	return slices.Contains([]string{"admin", "write"}, level.GetPermission()), nil
}

// Live implements forge.Writer.
func (c *Client) Live(ctx context.Context, ref bug.Ref) (forge.Live, error) {
	issue, err := c.issue(ctx, ref)
	if err != nil {
		return forge.Live{}, err
	}
	live := forge.Live{Reason: issue.GetStateReason(), Locked: issue.GetLocked(), Report: bug.Report{
		Ref: ref, Title: issue.GetTitle(), Body: lines(issue.GetBody()), Author: issue.GetUser().GetLogin(),
		Created: issue.GetCreatedAt().UTC(), State: bug.State(issue.GetState()), Labels: labels(issue.Labels),
	}}
	for _, a := range issue.Assignees {
		live.Assignees = append(live.Assignees, a.GetLogin())
	}
	comments, err := c.comments(ctx, ref)
	if err != nil {
		return live, err
	}
	me, err := c.me(ctx)
	if err != nil {
		return live, err
	}
	for _, k := range comments {
		said := bug.Comment{ID: strconv.FormatInt(k.GetID(), 10), Author: k.GetUser().GetLogin(),
			Created: k.GetCreatedAt().UTC(), Body: lines(k.GetBody())}
		said.Own = forge.Own(said.Body, said.Author, me)
		live.Comments = append(live.Comments, said)
	}
	if !c.suggests {
		return live, nil
	}
	if live.Proposed, err = c.suggested(ctx, ref); errors.Is(err, forge.ErrNoSuggestions) {
		err = nil // it matters only to who adds a label
	}
	return live, err
}

// Comment implements forge.Writer.
func (c *Client) Comment(ctx context.Context, ref bug.Ref, body string) error {
	owner, name := split(ref.Repo)
	_, _, err := c.api.Issues.CreateComment(ctx, owner, name, ref.Number, github.IssueCommentRequest{Body: body})
	return failed("comment", err)
}

// EditComment implements forge.Writer.
func (c *Client) EditComment(ctx context.Context, ref bug.Ref, id, body string) error {
	owner, name := split(ref.Repo)
	n, err := number(id)
	if err != nil {
		return err
	}
	_, _, err = c.api.Issues.UpdateComment(ctx, owner, name, n, github.IssueCommentRequest{Body: body})
	return failed("edit the comment", err)
}

// DeleteComment implements forge.Writer.
func (c *Client) DeleteComment(ctx context.Context, ref bug.Ref, id string) error {
	owner, name := split(ref.Repo)
	n, err := number(id)
	if err != nil {
		return err
	}
	_, err = c.api.Issues.DeleteComment(ctx, owner, name, n)
	return failed("delete the comment", err)
}

// number is what GitHub calls a comment by.
func number(id string) (int64, error) {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no comment of GitHub's", id)
	}
	return n, nil
}

// RemoveLabel implements forge.Writer. The label may be gone already.
func (c *Client) RemoveLabel(ctx context.Context, ref bug.Ref, label string) error {
	owner, name := split(ref.Repo)
	_, err := c.api.Issues.RemoveLabelForIssue(ctx, owner, name, ref.Number, url.PathEscape(label))
	return failed("remove a label", err)
}

// SetState implements forge.Writer.
func (c *Client) SetState(ctx context.Context, ref bug.Ref, to bug.State, reason string) error {
	owner, name := split(ref.Repo)
	state := string(to)
	body := github.UpdateIssueRequest{State: &state}
	if reason = strings.ReplaceAll(reason, " ", "_"); reason != "" {
		body.StateReason = &reason
	}
	_, _, err := c.api.Issues.Update(ctx, owner, name, ref.Number, body)
	return failed("close or reopen", err)
}
