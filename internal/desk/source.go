package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/scrub-dev/scrub/internal/refusal"
	"io"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/forge/github"
	"github.com/scrub-dev/scrub/internal/forge/issuefile"
	"github.com/scrub-dev/scrub/internal/report"
	"github.com/scrub-dev/scrub/internal/store"
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

// hints are the flags that a command needs which is told to a person about a source.
func (d *Desk) hints(s Source) []string {
	if s.Forge == "" {
		return d.Flags
	}
	return append([]string{"--forge", s.Forge}, d.Flags...)
}

// HowToDecide is the command that answers what a case waits for.
func (d *Desk) HowToDecide(c Case, s Source) string {
	return report.HowToDecide(c.Case, s.String(), d.hints(s)...)
}

// HowToRun is the command that runs a report which triage would not.
func (d *Desk) HowToRun(c Case, s Source) string {
	words := append([]string{"scrub", "issue", s.String(), "--ignore-rule", c.Triage.Rule}, d.hints(s)...)
	return report.Shell(words...)
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
func Text(name string, from io.Reader) (string, error) { return issuefile.Program(name, from) }

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
	kept, err := d.Kept(ctx)
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
			return r, fmt.Errorf("%v is not cached here: run it once without --offline", ref)
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
	f, err := d.ForgeOf(ctx, s.Forge, false, ref)
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

// ForgeOf is the forge of an issue.
func (d *Desk) ForgeOf(ctx context.Context, where string, suggest bool, ref bug.Ref) (forge.Forge, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return nil, err
	}
	return d.Machine.Forge(ctx, where, ref, github.Options{Suggest: suggest, Cache: store.Answers{Store: kept}})
}
