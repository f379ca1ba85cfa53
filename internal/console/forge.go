package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"scrub/internal/action"
	"scrub/internal/bug"
	"scrub/internal/forge"
	"scrub/internal/forge/dirforge"
	"scrub/internal/forge/github"
	"scrub/internal/profile"
	"scrub/internal/store"
)

// A Place is where issues live.
type Place struct {
	Where   string // a folder, or the URL of a server; empty for GitHub at the issue's host
	Suggest bool   // labels are left as GitHub's own suggestions
}

// ForgeFor is the forge of an issue, as whoever is logged in there.
func (a *Console) ForgeFor(ctx context.Context, s *store.Store, v *View, at Place, ref bug.Ref) (forge.Forge, error) {
	if at.Where != "" && !strings.Contains(at.Where, "://") {
		return dirforge.Dir(at.Where), nil
	}
	if at.Where == "" && ref.Host == "" {
		at.Where = a.Getenv("GITHUB_API_URL") // as GitHub's own runners say it
	}
	o := github.Options{Host: ref.Host, URL: at.Where, Suggest: at.Suggest, Token: a.Token(ctx, ref.Host), Cache: store.Answers{Store: s}}
	if u, err := url.Parse(at.Where); o.Token != "" && at.Where != "" && (err != nil || u.Scheme != "https" && !local(u.Hostname())) {
		return nil, Usage("%s: a token goes over https only", at.Where)
	}
	o.Wait = func(ctx context.Context, d time.Duration, why string) error {
		if v != nil {
			v.Say("wait", fmt.Sprintf("%s: %v", why, d))
		} else {
			fmt.Fprintf(a.Err, "scrub: waiting %v: %s\n", d, why)
		}
		return a.Wait(ctx, d)
	}
	return github.New(o)
}

// local reports whether a host is this machine.
func local(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }

// Wait waits, unless it is told to stop.
func (a *Console) Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Token is who we are on a host: as the environment says, or as gh knows.
func (a *Console) Token(ctx context.Context, host string) string {
	names := []string{"GH_TOKEN", "GITHUB_TOKEN"}
	if host != "" && host != bug.PublicHost {
		names = nil // anybody can make up a host; the token is for the one that was named
		if host == a.Getenv("GH_HOST") {
			names = []string{"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"}
		}
	}
	for _, n := range names {
		if t := a.Getenv(n); t != "" {
			return t
		}
	}
	if host == "" {
		host = bug.PublicHost
	}
	out, err := exec.CommandContext(ctx, "gh", "auth", "token", "--hostname", host).Output()
	if err != nil {
		return "" // anybody may read what is public
	}
	return strings.TrimSpace(string(out))
}

// Issue reads an issue from its forge and keeps what it was, or, offline,
// gives what was last seen.
func (a *Console) Issue(ctx context.Context, s *store.Store, how Reading, ref bug.Ref) (bug.Report, error) {
	answers, key := store.Answers{Store: s}, "report/"+ref.String()
	if how.Offline {
		data, ok, err := answers.Get(ctx, key)
		var r bug.Report
		switch {
		case err != nil:
			return r, err
		case !ok:
			return r, fmt.Errorf("%v was never seen here: look at it once without --offline", ref)
		}
		return r, json.Unmarshal(data, &r)
	}
	f, err := a.ForgeFor(ctx, s, nil, Place{Where: how.Forge}, ref)
	if err != nil {
		return bug.Report{}, err
	}
	r, err := f.Report(ctx, ref)
	var moved forge.Moved
	switch {
	case errors.As(err, &moved):
		return r, fmt.Errorf("%v: %w; ask for that one", ref, err)
	case errors.Is(err, forge.ErrNotFound) && how.Forge == "" && a.Token(ctx, ref.Host) == "":
		return r, fmt.Errorf("%v: %w; set GH_TOKEN, or log in with gh auth login", ref, err)
	case err != nil:
		return r, fmt.Errorf("%v: %w", ref, err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		return r, err
	}
	return r, answers.Put(ctx, key, data)
}

// Policy is a profile's, made as strict as a repository's own
// .scrub/consent.toml, if there is a checkout of it.
func Policy(p profile.Profile, checkout string) (action.Policy, error) {
	policy, err := action.PolicyOf(p.Consent)
	if err != nil {
		return nil, fmt.Errorf("profile %s: %w", p.Name, err)
	}
	if checkout == "" {
		return policy, nil
	}
	file := filepath.Join(checkout, ".scrub", "consent.toml")
	own, err := profile.ReadConsent(file)
	if err == nil {
		err = policy.Tighten(own)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return policy, nil
}

// PolicyOf is how to ask for the rules of a repository as they are now.
func PolicyOf(profile, repo, checkout string) func() (action.Policy, error) {
	return func() (action.Policy, error) {
		p, err := ProfileFor(profile, repo)
		if err != nil {
			return nil, err
		}
		return Policy(p, checkout)
	}
}

// Ledger is the one that holds the pen; policy is asked before each write.
func (a *Console) Ledger(s *store.Store, w forge.Writer, policy func() (action.Policy, error)) *action.Ledger {
	return &action.Ledger{Store: s, Writer: w, Policy: policy, Now: a.Now, Wait: a.Wait, Warn: func(text string) { fmt.Fprintf(a.Err, "scrub: %s\n", text) }}
}
