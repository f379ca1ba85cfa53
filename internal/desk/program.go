package desk

import (
	"context"
	"fmt"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/report"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/probe"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/project"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
	"github.com/scrub-dev/scrub/internal/vet"
)

// A Program is a file that somebody names, and how to run it.
type Program struct {
	Text    string           `json:"text"`
	Expect  string           `json:"expect,omitempty"` // the symptom to look for
	Python  string           `json:"python,omitempty"`
	Profile string           `json:"profile,omitempty"` // a name or a folder; empty for the project it names
	Runs    int              `json:"runs,omitempty"`    // 1
	Timeout profile.Duration `json:"timeout,omitempty"` // for one run; the profile's
	Box     Box              `json:"box,omitzero"`
}

// Ready is a program that may run: where, and what is known of it.
type Ready struct {
	Subject casefile.Subject
	On      bug.Runtime
	Box     sandbox.Box
	Profile profile.Profile
	Limits  sandbox.Limits
	Times   int
}

// tellable is why a project cannot be asked what a run cost.
func tellable(s bug.Symptom, p profile.Profile) error {
	if s.Kind == bug.Compiles && p.TellsOf(s) == "" {
		return refusal.Bad("--expect %q: the profile %s does not say how compile time is told; try 'slower: %gx'", s.Expect(),
			p.Name, s.Factor)
	}
	return nil
}

// Ready finds the interpreter, reads the program and makes sure that it may run.
func (d *Desk) Ready(ctx context.Context, p Program) (r Ready, err error) {
	if p.Runs < 0 || p.Timeout < 0 {
		return r, refusal.Bad("--runs and --timeout must not be negative")
	}
	if p.Expect != "" {
		if r.Subject.Symptom, err = bug.ParseSymptom(p.Expect); err != nil {
			return r, refusal.Bad("--expect: %w", err)
		}
	}
	if r.Profile, err = project.In(p.Profile, p.Text); err != nil {
		return r, err
	}
	if err := tellable(r.Subject.Symptom, r.Profile); err != nil {
		return r, err
	}
	if r.Box, err = d.Machine.BoxFor(p.Box, r.Profile); err != nil {
		return r, err
	}
	r.Times = max(1, p.Runs)
	r.Limits = sandbox.Limits{Time: time.Duration(r.Profile.Run.Timeout), Memory: int64(r.Profile.Run.Memory),
		Interfaces: r.Profile.Talks(p.Text)}
	if p.Timeout > 0 {
		r.Limits.Time = time.Duration(p.Timeout)
	}
	found, err := d.Machine.Pythons(ctx, p.Box, nil, p.Python)
	if err != nil {
		return r, err
	}
	r.On = found[0]
	reading, err := syntax.Read(ctx, p.Text, sandbox.Tool(r.Box, r.On, syntax.Preload...))
	if err != nil {
		return r, err
	}
	s := &r.Subject
	s.Repro, s.Reading = bug.Program(p.Text), &reading
	s.Findings = vet.Review(p.Text, reading, r.Profile)
	return r, d.mayRun(ctx, s)
}

// than is the interpreter that a symptom of cost names, if it names one.
func (d *Desk) than(ctx context.Context, s bug.Symptom, b Box) (*casefile.Asked, error) {
	if s.Than == "" {
		return nil, nil
	}
	found, err := d.Machine.Pythons(ctx, b, nil, s.Than)
	if err != nil {
		return nil, fmt.Errorf("than %s: %w", s.Than, err)
	}
	return &casefile.Asked{Runtime: found[0]}, nil
}

// mayRun makes sure that a program which somebody has named may run: it may,
// unless something dangerous is in it that nobody has agreed to.
func (d *Desk) mayRun(ctx context.Context, s *casefile.Subject) (err error) {
	s.Consent = casefile.Consent{Decision: casefile.Proceed, By: "the user"}
	if !vet.Asks(s.Findings) {
		return nil
	}
	if s.Consent, err = d.consent(ctx, *s, false); err != nil {
		return err
	}
	switch s.Consent.Decision {
	case casefile.Proceed:
		return nil
	case casefile.Skip, casefile.Change:
		return refusal.Wait("%s decided that this program must not run", s.Consent.By)
	}
	return refusal.Wait("%s To allow it, run: %s", s.Waits(), report.HowToAllow(s.Repro, d.Flags...))
}

// A RunRequest is a program to run.
type RunRequest struct {
	Program
	Warm bool `json:"warm,omitempty"` // fork an interpreter that has imported what it imports, and confirm cold
}

// A Run is what a program did.
type Run struct {
	Schema  string       `json:"schema"`
	Answer  *bug.Answer  `json:"answer,omitempty"` // if something was expected
	Symptom *bug.Symptom `json:"symptom,omitempty"`
	Program string       `json:"program"`
	Runtime bug.Runtime  `json:"runtime"`
	Tally   probe.Tally  `json:"tally"`
	Cold    *bug.Outcome `json:"confirmed_cold,omitempty"`
}

// Run runs a program and says what it did. Nothing is remembered.
func (d *Desk) Run(ctx context.Context, r RunRequest) (Run, error) {
	if r.Warm && !r.Box.Warms() {
		return Run{}, refusal.Bad("--warm works only with --box native")
	}
	ready, err := d.Ready(ctx, r.Program)
	if err != nil {
		return Run{}, err
	}
	s := ready.Subject
	than, err := d.than(ctx, s.Symptom, r.Box)
	if err != nil {
		return Run{}, err
	}
	if s.Symptom.Costs() && (than == nil || r.Warm) {
		return Run{}, refusal.Bad("--expect %q: say what to compare with (than PYTHON), without --warm", r.Expect)
	}
	q := probe.Question{Repro: s.Repro, Runtime: ready.On, Symptom: s.Symptom, Limits: ready.Limits, Times: ready.Times}
	box := ready.Box
	if than != nil {
		q.Beside = &probe.Beside{Runtime: than.Runtime, Name: "Python " + than.Runtime.Version + " at " + s.Symptom.Than,
			Imports: s.Reading.OnlyImports(r.Text), Tells: ready.Profile.TellsOf(s.Symptom)}
	}
	if r.Warm {
		warm, err := d.Machine.Warm(ready.Profile, s.Repro)
		if err != nil {
			return Run{}, err
		}
		defer warm.Close()
		q.Preload, box = s.Reading.Modules(), warm
	}
	t, err := d.ask(ctx, box, q)
	if err != nil {
		return Run{}, err
	}
	answer := Run{Schema: "run/1", Program: s.Repro.Digest(), Runtime: ready.On, Tally: t}
	if q.Symptom.Kind != bug.Unsaid {
		shows := t.Answer()
		answer.Answer, answer.Symptom = &shows, &q.Symptom
	}
	if r.Warm {
		q.Times, q.Preload = 1, nil
		again, err := d.ask(ctx, ready.Box, q)
		if err != nil {
			return Run{}, err
		}
		answer.Cold = &again.Outcomes[0]
	}
	return answer, nil
}

// ask asks and tells how it goes.
func (d *Desk) ask(ctx context.Context, box sandbox.Box, q probe.Question) (probe.Tally, error) {
	tell := d.listener("")
	tell(event.Event{Step: "run", State: event.Going, N: 1, Of: q.Times})
	yes := 0
	prober := probe.Prober{Box: box, Log: new(journal.Mem), Saw: func(q probe.Question, n int, o bug.Outcome) {
		if q.Symptom.In(o) == bug.Yes {
			yes++
		}
		if n < q.Times {
			text := fmt.Sprintf("%d yes; the last one %s", yes, o.Words())
			tell(event.Event{Step: "run", State: event.Going, N: n + 1, Of: q.Times, Text: text})
		}
	}}
	return prober.Ask(ctx, q)
}
