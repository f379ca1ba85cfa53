package desk

import (
	"context"
	"fmt"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/classify"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/pipeline"
	"github.com/scrub-dev/scrub/internal/project"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
	"github.com/scrub-dev/scrub/internal/vet"
)

// A TriageRequest is a report to take apart.
type TriageRequest struct {
	Source  Source `json:"source"`
	Profile string `json:"profile,omitempty"`
}

// A Triaged is what is in a report and whether it can be acted on.
type Triaged struct {
	Schema  string           `json:"schema"`
	Source  string           `json:"source"`
	Verdict casefile.Verdict `json:"verdict,omitempty"` // empty if it can be acted on
	Reason  string           `json:"reason"`
	// Routes are labels that the report's own programs and output speak for.
	Routes []classify.Routed `json:"routes,omitempty"`
	casefile.Case
}

// Triage says whether a report can be acted on. Nothing is run and nothing is kept.
func (d *Desk) Triage(ctx context.Context, r TriageRequest) (Triaged, error) {
	c, err := d.triage(ctx, IssueRequest{Source: r.Source, Profile: r.Profile})
	if err != nil {
		return Triaged{}, fmt.Errorf("%v: %w", r.Source, err)
	}
	t := Triaged{Schema: "triage/1", Source: r.Source.String(), Case: c, Reason: "No triage rule stops it."}
	if c.Triage != nil {
		t.Verdict, t.Reason = c.Verdict()
	}
	prof, err := project.For(r.Profile, c.Report.Ref.Repo)
	if err != nil {
		return t, err
	}
	t.Routes, err = pipeline.Routes(c, prof)
	return t, err
}

// triage takes the steps that only read.
func (d *Desk) triage(ctx context.Context, r IssueRequest) (casefile.Case, error) {
	about, err := d.Read(ctx, r.Source)
	if err != nil {
		return casefile.Case{}, err
	}
	r.Source.Offline = true // nobody need be asked who may do what
	p, err := d.pipeline(ctx, about, r)
	if err != nil {
		return casefile.Case{}, err
	}
	p.Tell = func(event.Event) {}
	return p.Triage(about)
}

// A VetRequest is a program to read, or a report whose best program is read.
type VetRequest struct {
	Program *File  `json:"program,omitempty"`
	Source  Source `json:"source,omitzero"`
	Profile string `json:"profile,omitempty"`
	Python  string `json:"python,omitempty"`
	Box     Box    `json:"box,omitzero"`
}

// A Vetted is what a person must know of a program before it runs.
type Vetted struct {
	Schema   string        `json:"schema"`
	Source   string        `json:"source"`
	Program  string        `json:"program,omitempty"` // its digest; empty if there is none
	Asks     bool          `json:"needs_approval"`    // a person must agree before it runs
	Findings []vet.Finding `json:"findings"`
	Text     string        `json:"-"`
}

// Vet reads a program, in a box and without running it.
func (d *Desk) Vet(ctx context.Context, r VetRequest) (Vetted, error) {
	v := Vetted{Schema: "vet/1", Source: r.Source.String(), Findings: []vet.Finding{}}
	var c casefile.Case
	if r.Program != nil {
		v.Source, v.Text = r.Program.Name, r.Program.Text
	} else {
		var err error
		if c, err = d.triage(ctx, IssueRequest{Source: r.Source, Profile: r.Profile,
			Ignore: []string{"all"}}); err != nil {
			return v, fmt.Errorf("%s: %w", v.Source, err)
		}
		v.Text = c.Repro.Files[bug.Script]
	}
	if v.Text == "" {
		return v, nil
	}
	prof, err := project.For(r.Profile, c.Report.Ref.Repo)
	if err != nil {
		return v, err
	}
	box, err := d.Machine.Box(r.Box)
	if err != nil {
		return v, err
	}
	found, err := d.Machine.Pythons(ctx, r.Box, nil, r.Python)
	if err != nil {
		return v, err
	}
	reading, err := syntax.Read(ctx, v.Text, sandbox.Tool(box, found[0], syntax.Preload...))
	if err != nil {
		return v, fmt.Errorf("%s: %w", v.Source, err)
	}
	v.Program = bug.Program(v.Text).Digest()
	v.Findings = append(append(v.Findings, c.OfText...), vet.Review(v.Text, reading, prof)...)
	v.Asks = vet.Asks(v.Findings)
	return v, nil
}
