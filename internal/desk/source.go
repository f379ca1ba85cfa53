package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"scrub/internal/refusal"
	"strings"
	"time"

	"scrub/internal/bug"
	"scrub/internal/event"
	"scrub/internal/forge"
	"scrub/internal/forge/dirforge"
	"scrub/internal/forge/github"
	"scrub/internal/forge/issuefile"
	"scrub/internal/store"
)

// A Source is where a report comes from: an issue, or the report itself.
type Source struct {
	Issue   string      `json:"issue,omitempty"`  // OWNER/REPO#N or its URL
	Report  *bug.Report `json:"report,omitempty"` // what Parse made of a file
	Name    string      `json:"name,omitempty"`   // what to call it, if it is a report
	Forge   string      `json:"forge,omitempty"`  // a folder or the address of a server; empty for GitHub
	Offline bool        `json:"offline,omitempty"`
}

func (s Source) String() string {
	if s.Report != nil {
		return s.Name
	}
	return s.Issue
}

// Parse reads a report from a file: Markdown, or what gh prints of an issue.
func Parse(name string, from io.Reader) (bug.Report, error) {
	r, err := issuefile.Read(name, from)
	for i, c := range r.Comments {
		r.Comments[i].Own = forge.Own(c.Body, c.Author, "")
	}
	return r, err
}

// Text reads a file that is a program.
func Text(name string, from io.Reader) (string, error) { return issuefile.Text(name, from) }

// Read reads a report.
func (d *Desk) Read(ctx context.Context, s Source) (bug.Report, error) {
	if s.Report != nil {
		return *s.Report, nil
	}
	ref, err := bug.ParseRef(s.Issue)
	if err != nil {
		return bug.Report{}, refusal.Bad("%s: neither a file nor an issue; want a file, -, OWNER/REPO#N or the "+
			"issue's URL", s.Issue)
	}
	kept, err := d.open(ctx)
	if err != nil {
		return bug.Report{}, err
	}
	answers, key := store.Answers{Store: kept}, "report/"+ref.String()
	if s.Offline {
		var r bug.Report
		data, ok, err := answers.Get(ctx, key)
		switch {
		case err != nil:
			return r, err
		case !ok:
			return r, fmt.Errorf("%v was never seen here: look at it once without --offline", ref)
		}
		return r, json.Unmarshal(data, &r)
	}
	r, err := d.live(ctx, s, ref)
	if err != nil {
		return r, err
	}
	data, err := json.Marshal(r)
	if err != nil {
		return r, err
	}
	return r, answers.Put(ctx, key, data)
}

// live reads an issue as it is now.
func (d *Desk) live(ctx context.Context, s Source, ref bug.Ref) (bug.Report, error) {
	f, err := d.forge(ctx, s.Forge, false, ref)
	if err != nil {
		return bug.Report{}, err
	}
	r, err := f.Report(ctx, ref)
	var moved forge.Moved
	switch {
	case errors.As(err, &moved):
		return r, fmt.Errorf("%v: %w; ask for that one", ref, err)
	case errors.Is(err, forge.ErrNotFound) && s.Forge == "" && d.Machine.Token(ctx, ref.Host) == "":
		return r, fmt.Errorf("%v: %w; set GH_TOKEN, or log in with gh auth login", ref, err)
	case err != nil:
		return r, fmt.Errorf("%v: %w", ref, err)
	}
	return r, nil
}

// forge is the forge of an issue, as whoever is logged in there.
func (d *Desk) forge(ctx context.Context, where string, suggest bool, ref bug.Ref) (forge.Forge, error) {
	if where != "" && !strings.Contains(where, "://") {
		return dirforge.Dir(where), nil
	}
	if where == "" && ref.Host == "" {
		where = d.Machine.GitHub
	}
	kept, err := d.open(ctx)
	if err != nil {
		return nil, err
	}
	o := github.Options{Host: ref.Host, URL: where, Suggest: suggest, Token: d.Machine.Token(ctx, ref.Host),
		Cache: store.Answers{Store: kept}}
	if u, err := url.Parse(where); o.Token != "" && where != "" &&
		(err != nil || u.Scheme != "https" && !local(u.Hostname())) {
		return nil, refusal.Bad("%s: a token goes over https only", where)
	}
	o.Wait = func(ctx context.Context, how time.Duration, why string) error {
		d.tells("")(event.Event{Step: "wait", State: event.Found, Text: fmt.Sprintf("%s: %v", why, how)})
		return wait(ctx, how)
	}
	return github.New(o)
}

// local reports whether a host is this machine.
func local(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }
