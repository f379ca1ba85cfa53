package desk

import (
	"context"
	"errors"
	"strings"

	"github.com/scrub-dev/scrub/internal/ablate"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/classify"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/project"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// An AblateRequest is a program whose knobs are to be turned.
type AblateRequest struct {
	Program
	Jobs    int      `json:"jobs,omitempty"`
	Shallow bool     `json:"shallow,omitempty"` // do not look into the component with its own bisector
	Knobs   []string `json:"knobs,omitempty"`   // only these
}

// An Ablated is what a bug depends on.
type Ablated struct {
	Schema  string      `json:"schema"`
	Symptom bug.Symptom `json:"symptom"`
	Runtime bug.Runtime `json:"runtime"`
	ablate.Why
}

// Ablate turns one knob at a time and says what a bug depends on.
func (d *Desk) Ablate(ctx context.Context, r AblateRequest) (Ablated, error) {
	ready, err := d.Ready(ctx, r.Program)
	if err != nil {
		return Ablated{}, err
	}
	ab := d.ablation(ready.Box, new(journal.Mem), ready.Subject, ready.On, ready.Profile, ready.Limits)
	ab.Times, ab.Workers, ab.Deeper, ab.Only, ab.Tell = ready.Times, machine.Jobs(r.Jobs), !r.Shallow, r.Knobs, d.listener("")
	why, err := d.ablated(ctx, &ab, r.Box, *ready.Subject.Reading)
	if errors.Is(err, ablate.ErrNothingWrong) {
		return Ablated{}, refusal.None("%w", err)
	}
	return Ablated{"ablate/1", ab.Symptom, ready.On, why}, err
}

// ablation is what turns the knobs of a program.
func (d *Desk) ablation(box sandbox.Box, log journal.Log, s casefile.Subject, on bug.Runtime, prof profile.Profile,
	limits sandbox.Limits) ablate.Ablation {
	return ablate.Ablation{Box: box, Log: log, Profile: prof, Repro: s.Repro, Runtime: on, Symptom: s.Symptom,
		Limits: limits, Workers: machine.Jobs(0), Deeper: true}
}

// ablated runs ab, warm where the box can be.
func (d *Desk) ablated(ctx context.Context, ab *ablate.Ablation, b Box, r syntax.Reading) (ablate.Why, error) {
	if b.Warms() {
		warm, err := d.Machine.Warm(ab.Profile, ab.Repro)
		if err != nil {
			return ablate.Why{}, err
		}
		defer warm.Close()
		if warm.Ready != "" {
			ab.Workers = 1 // a second interpreter takes longer to get ready than the first one to do it all
		}
		ab.Warm, ab.Preload = warm, append(r.Modules(), ab.Profile.Knobs.Preload...)
	}
	return ab.Run(ctx)
}

// A ClassifyRequest is what a program printed.
type ClassifyRequest struct {
	Log     string `json:"log"`
	Profile string `json:"profile,omitempty"`
}

// A Classified is what kind of failure a log shows.
type Classified struct {
	Schema string `json:"schema"`
	classify.Class
}

// Classify says what kind of failure a log shows, by the profile alone.
func (d *Desk) Classify(_ context.Context, r ClassifyRequest) (Classified, error) {
	p, err := project.In(r.Profile, r.Log)
	if err != nil {
		return Classified{}, err
	}
	c, err := classify.Log(p, strings.ToValidUTF8(r.Log, "\uFFFD"))
	return Classified{"classify/1", c}, err
}
