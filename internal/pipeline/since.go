package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/culprit"
	"github.com/scrub-dev/scrub/internal/runtimes"
)

// Known tells which ends of a line somebody has named.
type Known struct{ Bad, Good bool }

// Since finds out where a program began or ceased to show its symptom, given
// only a line of versions. Ends that nobody has named are looked for from the
// newest version backwards, in ever longer steps. If it is not said what the
// symptom is, it is how the program fails where it does.
func (p *Pipeline) Since(ctx context.Context, s casefile.Subject, about culprit.Clue, line runtimes.Line,
	known Known) (*casefile.When, error) {
	when := &casefile.When{Search: casefile.Search{Of: line.Of, Versions: line.Names, Note: line.Note}}
	e := &ending{p: p, s: &s, line: line}
	if err := p.compareWith(ctx, s, line, known); err != nil {
		return when, err
	}
	bad, good := -1, -1
	for _, i := range toTry(line, known) {
		if bad >= 0 && good >= 0 {
			break
		}
		shows, err := e.shows(ctx, i)
		if err != nil {
			return when, err
		}
		if shows == bug.Yes && bad < 0 {
			bad = i
		} else if shows == bug.No && good < 0 {
			good = i
		}
	}
	switch {
	case bad < 0:
		when.Why = "Not verified: none of the tested versions is affected."
		return when, nil
	case good < 0 && len(e.other) > 0:
		when.Why = fmt.Sprintf("No tested version is unaffected, but not all show it: %s.", strings.Join(e.other, "; "))
		return when, nil
	case good < 0:
		when.Why = "Every tested version is affected, including the oldest."
		return when, nil
	}
	line.Bad, line.Good = bad, good
	for _, i := range []int{bad, good} { // as it is now known what to look for
		a, err := e.ask(ctx, i)
		if err != nil || a == nil {
			return when, err
		}
		s.Asked = append(s.Asked, *a)
	}
	return p.Bisect(ctx, s, about, line)
}

// compareWith is the version that others are compared with where it is asked what they cost:
// the one that is known to be good, or else the oldest that there is.
func (p *Pipeline) compareWith(ctx context.Context, s casefile.Subject, line runtimes.Line, known Known) error {
	if !s.Symptom.Costs() || p.Than != nil {
		return nil
	}
	at := 0
	if known.Good {
		at = line.Good
	}
	for ; at < len(line.Names); at++ {
		r, setting, why, err := line.Get(ctx, at)
		if err != nil {
			return err
		}
		if why == "" {
			p.Than = &casefile.Asked{Runtime: r, Setting: setting}
			return nil
		}
	}
	return nil
}

// toTry are versions in which to look for ends that nobody has named.
func toTry(line runtimes.Line, known Known) []int {
	last := len(line.Names) - 1
	var all []int
	if known.Bad {
		all = append(all, line.Bad)
	}
	if known.Good {
		all = append(all, line.Good)
	}
	if known.Bad && known.Good {
		return all
	}
	all = append(all, last)
	for step := 1; step < last; step *= 2 {
		all = append(all, last-step)
	}
	all = append(all, 0)
	// A bug that came and went lies between: look ever closer.
	for gap := len(line.Names); gap >= 1; gap /= 2 {
		for i := last - gap; i > 0; i -= gap {
			if !slices.Contains(all, i) {
				all = append(all, i)
			}
		}
	}
	return all
}

// An ending asks single versions of a line.
type ending struct {
	p    *Pipeline
	s    *casefile.Subject
	line runtimes.Line

	other []string // versions that did something else, which says nothing of the bug
}

func (e *ending) ask(ctx context.Context, i int) (*casefile.Asked, error) {
	r, setting, why, err := e.line.Get(ctx, i)
	if err != nil || why != "" {
		e.p.skipped("when", "%s: %s", e.line.Names[i], why)
		return nil, err
	}
	a, err := e.p.askOn(ctx, *e.s, r, setting)
	return &a, err
}

// shows reports whether a version shows the symptom. The first that fails
// says what it is, if nobody has.
func (e *ending) shows(ctx context.Context, i int) (bug.Answer, error) {
	a, err := e.ask(ctx, i)
	if err != nil || a == nil {
		return bug.Unknown, err
	}
	last := a.Tally.Outcomes[len(a.Tally.Outcomes)-1]
	if e.s.Symptom.Kind != bug.Unsaid {
		switch {
		case a.Shows():
			return bug.Yes, nil
		case a.Stopped(e.s.Symptom):
			return bug.No, nil
		case last.Failed(): // another error may hide it
			e.other = append(e.other, fmt.Sprintf("%s %s", e.line.Names[i], last.Words()))
			return bug.Unknown, nil
		}
		return a.Tally.Answer(), nil
	}
	if !last.Failed() {
		return bug.No, nil
	}
	e.s.Symptom = last.Symptom()
	return bug.Yes, nil
}
