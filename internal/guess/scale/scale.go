// Package scale measures what somebody made up for a report, on the versions that were asked: from outside and from
// inside.
package scale

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/guess"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/mention"
	"github.com/scrub-dev/scrub/internal/observe"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// A Scale is wired by its fields.
type Scale struct {
	Guess  guess.Guess
	Box    sandbox.Box
	Log    journal.Log
	Limits sandbox.Limits
	Round  string
	Has    []string // packages that a project's users have
	Read   func(ctx context.Context, text string, on bug.Runtime) (syntax.Reading, error)
}

// Weigh finds out whether what was measured bears out what somebody made up.
func (s Scale) Weigh(ctx context.Context, c casefile.Case) (guess.Weighed, error) {
	text := c.Repro.Files[bug.Script]
	f := guess.Facts{Report: strings.Join(append([]string{c.Report.Title}, c.Report.Posts()...), "\n"), Package: c.Package,
		Symptom: c.Symptom, Program: text, Words: mention.Of(c.Thread.Pieces, programsOf(c.Thread))}
	if s.Guess.Program != "" {
		if err := s.read(ctx, c, &f); err != nil {
			return guess.Weighed{}, err
		}
	}
	shown, passed := sides(c)
	var err error
	if f.Shown, err = s.side(ctx, c, shown); err != nil {
		return guess.Weighed{}, err
	}
	if f.Passed, err = s.side(ctx, c, passed); err != nil {
		return guess.Weighed{}, err
	}
	if s.Guess.Program != "" && f.Shown != nil {
		if f.Straights, err = s.straights(ctx, c, f, shown, passed); err != nil {
			return guess.Weighed{}, err
		}
	}
	if o := c.Observed; s.Guess.Statement != "" && o != nil && o.Judged != nil {
		f.Clue = &o.Judged.Clue
	}
	return s.Guess.Weigh(f), nil
}

// read notes what stands in a program that somebody made up, and what is more in it than there should be.
func (s Scale) read(ctx context.Context, c casefile.Case, f *guess.Facts) (err error) {
	on := c.Asked[len(c.Asked)-1].Runtime
	reading, err := s.Read(ctx, f.Program, on)
	if err != nil {
		return err
	}
	for _, one := range reading.Strings {
		f.Strings = append(f.Strings, one.Text)
	}
	for _, text := range s.Guess.Files {
		f.Strings = append(f.Strings, text)
	}
	f.Remarks, err = guess.Plain(ctx, f.Program, s.packages(c), sandbox.Tool(s.Box, on))
	return err
}

// packages are those that a program about c may be expected to import.
func (s Scale) packages(c casefile.Case) []string {
	all := append([]string{c.Package}, s.Has...)
	for _, one := range c.Thread.Programs {
		all = append(all, one.Imports()...)
	}
	return all
}

// sides are the version that shows it in every run and one that does in none, the newest of each; -1 for none. It must
// show on the version that the report is about, or else on an older one than the one that does not.
func sides(c casefile.Case) (shown, passed int) {
	shown, passed = -1, -1
	for i, a := range c.Asked {
		switch a.Tally.Runs() {
		case a.Tally.Yes:
			shown = i
		case a.Tally.No:
			passed = i
		}
		if is := a.Runtime.Packages[c.Package]; is != "" && is == c.Reported && a.Tally.Yes < a.Tally.Runs() {
			return -1, passed
		}
	}
	if shown > passed && passed >= 0 && c.Reported == "" {
		return -1, passed // it came: perhaps that was the fix
	}
	return shown, passed
}

// programsOf tells of the pieces of a report which are programs, so that they count for no words.
func programsOf(t intake.Thread) observe.Session {
	s := observe.Session{Programs: map[int]bool{}}
	for i, piece := range t.Pieces {
		s.Programs[i] = slices.ContainsFunc(t.Programs, func(p intake.Program) bool {
			return strings.TrimSpace(p.Text) == strings.TrimSpace(piece.Text)
		})
	}
	return s
}

// side is one of the versions that were asked; nil if there is none. What somebody made up is looked at from inside,
// too.
func (s Scale) side(ctx context.Context, c casefile.Case, i int) (*guess.Side, error) {
	if i < 0 {
		return nil, nil
	}
	a := c.Asked[i]
	one := &guess.Side{Where: c.Where(a), Outcome: a.Tally.Outcomes[len(a.Tally.Outcomes)-1]}
	if s.Guess.Program == "" {
		return one, nil
	}
	look, err := s.look(ctx, c, a)
	if err != nil {
		return nil, err
	}
	one.Kin = look.Kin
	one.Frames = syntax.Crashed(one.Outcome.Stderr, "/box/"+bug.Script)
	return one, nil
}

// look looks at the program of c from inside, on a version.
func (s Scale) look(ctx context.Context, c casefile.Case, a casefile.Asked) (syntax.Look, error) {
	limits := s.Limits
	limits.Time, limits.Output = 4*limits.Time, 8<<20
	patience := time.Duration(0)
	if c.Symptom.Kind == bug.Hangs {
		patience = s.Limits.Time / 4
	}
	type question struct {
		Look    syntax.LookFor
		Files   bug.Files
		Runtime bug.Runtime
		Setting bug.Setting
		Limits  sandbox.Limits
		Round   string
	}
	q := question{syntax.LookFor{Text: c.Repro.Files[bug.Script], What: "again", Patience: patience}, s.Guess.Files,
		a.Runtime, a.Setting, limits, s.Round}
	return journal.Do(ctx, s.Log, "guess/1", q, func(ctx context.Context, q question) (syntax.Look, error) {
		return syntax.LookAt(ctx, q.Look, func(ctx context.Context, r bug.Repro) (bug.Outcome, error) {
			maps.Copy(r.Files, q.Files)
			return s.Box.Run(ctx, sandbox.Job{Repro: r, Runtime: q.Runtime, Setting: q.Setting, Limits: q.Limits})
		})
	})
}
