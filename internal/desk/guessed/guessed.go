// Package guessed is the part of the desk that measures what somebody made up for a report which does not say enough.
package guessed

import (
	"context"
	"regexp"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/guess"
	"github.com/scrub-dev/scrub/internal/refusal"
)

// A Desk is the application, asked whether a guess is borne out.
type Desk struct{ *desk.Desk }

// A Request is a report and what was made up for it.
type Request struct {
	desk.IssueRequest
	Guess guess.Guess `json:"guess"`
}

// A Guessed is what came of a guess. The case is on record only if it was accepted.
type Guessed struct {
	Schema   string            `json:"schema"`
	Accepted bool              `json:"accepted"`
	For      []string          `json:"for,omitempty"`
	Against  []guess.Objection `json:"against,omitempty"`
	Seen     []Difference      `json:"differences,omitempty"` // that were observed between two versions
	Case     desk.Case         `json:"case"`
}

// A Difference is a statement that two versions do differently.
type Difference struct {
	Statement string `json:"statement"`
	How       string `json:"how"`
	Older     string `json:"older"`
	Newer     string `json:"newer"`
}

var (
	// data are names of files that a program can read and Python does not run.
	data    = regexp.MustCompile(`^[\w-][\w.-]{0,60}\.(?:txt|csv|tsv|json|jsonl|toml|ya?ml|ini|cfg|md|html?|xml|log|dat)$`)
	version = regexp.MustCompile(`^\d[\w.+!-]{0,40}$`)
)

// Guess measures a guess, and puts the case on record if it is borne out.
func (d Desk) Guess(ctx context.Context, r Request) (Guessed, error) {
	if err := sensible(r.Guess); err != nil {
		return Guessed{}, err
	}
	g := r.Guess
	r.IssueRequest.Guess = &g
	if g.Expect != "" {
		r.Expect = g.Expect
	}
	if on := &r.Versions.On; g.Version != "" && len(*on) == 0 && len(r.Pythons) == 0 {
		*on = []string{g.Version, "newest"}
	}
	c, err := d.Issue(ctx, r.IssueRequest)
	if err != nil {
		return Guessed{}, err
	}
	got := Guessed{Schema: "guess/1", Case: c}
	if o := c.Observed; o != nil {
		for _, one := range o.Clues[:min(12, len(o.Clues))] {
			got.Seen = append(got.Seen, Difference{strings.TrimSpace(one.Text), one.How, bug.Short(one.Older.Text(), 200),
				bug.Short(one.Newer.Text(), 200)})
		}
	}
	switch w := c.Guess; {
	case w != nil:
		got.Accepted, got.For, got.Against = w.Accepted(), w.For, w.Against
	case c.Waits():
	default:
		got.Against = []guess.Objection{{Kind: guess.NotShown, Why: c.Reason}}
	}
	return got, nil
}

// Waits reports whether a person must decide before it can be measured.
func (g Guessed) Waits() bool { return g.Case.Waits() && g.Case.Brief().Waits == casefile.MayRun }

// sensible says what a guess lacks, or has too much of.
func sensible(g guess.Guess) error {
	switch {
	case g.Program == "" && g.Expect == "" && g.Statement == "" && g.Version == "" && len(g.Files) == 0:
		return refusal.Bad("propose something: a program, what goes wrong, files, a version or a statement")
	case strings.TrimSpace(g.By) == "":
		return refusal.Bad("say who made it up")
	case strings.TrimSpace(g.Quote) == "":
		return refusal.Bad("quote the words of the report that it rests on")
	case g.Program != "" && g.Expect == "":
		return refusal.Bad("say what goes wrong when the program runs")
	case g.Statement != "" && (g.Program != "" || g.Expect != ""):
		return refusal.Bad(
			"a statement is one of the report's programs, and what it shows is what goes wrong: propose it alone",
		)
	case g.Version != "" && !version.MatchString(g.Version):
		return refusal.Bad("%q is no version", bug.Short(g.Version, 40))
	}
	if s, err := bug.ParseSymptom(g.Expect); g.Expect != "" && err != nil {
		return refusal.Bad("%w", err)
	} else if s.Costs() {
		return refusal.Bad("what takes too long or too much cannot be made up yet: a person can run scrub issue --expect")
	}
	for name := range g.Files {
		if !data.MatchString(name) {
			return refusal.Bad("%q: files are named like data, as in input.csv, without folders", bug.Short(name, 80))
		}
	}
	return nil
}
