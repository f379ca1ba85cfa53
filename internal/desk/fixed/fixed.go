// Package fixed is the part of the desk that tries whether a change fixes a report.
package fixed

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/tested"
	"github.com/scrub-dev/scrub/internal/nearby"
	"github.com/scrub-dev/scrub/internal/overlay"
	"github.com/scrub-dev/scrub/internal/pipeline"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// A Desk is the application, asked about changes.
type Desk struct{ *desk.Desk }

// A Request is a report and a change that is said to fix it.
type Request struct {
	desk.IssueRequest
	Pull   int    `json:"pull_request,omitempty"` // in the clone that Git names
	Branch string `json:"branch,omitempty"`       // or any commit of it; likewise
	Work   string `json:"work_tree,omitempty"`    // a folder with the change in it, committed or not
	Base   string `json:"base,omitempty"`         // the commit that it is a change of; where it left the main line
	Built  string `json:"built,omitempty"`        // an interpreter that has the change, for what must be compiled
}

// A Checked is what became of a report with a change.
type Checked struct {
	Schema     string               `json:"schema"`
	Fixed      bug.Answer           `json:"fixed"`
	Words      string               `json:"summary"`
	Change     string               `json:"change"`
	Files      []string             `json:"files,omitempty"` // that were put over the installed ones
	Verdict    casefile.Verdict     `json:"verdict"`
	Regression *casefile.Regression `json:"regression,omitempty"`
	Case       string               `json:"case"`
	Nearby     []Nearby             `json:"nearby,omitempty"` // tests of the work tree that are about the same things
}

// A Nearby is a test of the project without a change and with it.
type Nearby struct {
	nearby.Test
	Before string `json:"before"`
	After  string `json:"after"`
	Why    string `json:"why,omitempty"` // what is wrong after it
}

// Broken reports whether the change breaks it.
func (n Nearby) Broken() bool { return n.Before == "passed" && n.After == "failed" }

func (r Request) check() error {
	named := 0
	for _, is := range []bool{r.Pull > 0, r.Branch != "", r.Work != "", r.Built != ""} {
		if is {
			named++
		}
	}
	switch {
	case named != 1:
		return refusal.Bad("say which change: one of --pr N, --branch NAME, --checkout DIR or --built PYTHON")
	case (r.Pull > 0 || r.Branch != "") && r.Git == "":
		return refusal.Bad("--pr and --branch need --git DIR, a clone that has them")
	case len(r.Pythons) > 1:
		return refusal.Bad("name one interpreter with --python: the change is put over it")
	}
	return nil
}

// Check runs the program of a report as it is and with a change, and says whether
// that fixes it. With Test it also proves a regression test on the two.
func (d Desk) Check(ctx context.Context, r Request) (Checked, error) {
	if err := r.check(); err != nil {
		return Checked{}, err
	}
	answer := Checked{Schema: "check-fix/1", Change: r.name(), Fixed: bug.Unknown}
	var change overlay.Change
	if r.Built == "" {
		var err error
		if change, err = d.change(ctx, r); err != nil {
			return answer, err
		}
		answer.Files = slices.Sorted(maps.Keys(change.Modules))
		r.Adjust = over(change)
	} else {
		r.Pythons = append(r.Pythons, r.Built)
	}
	r.NoBisect, r.Test, r.Git = true, true, ""
	c, err := d.Issue(ctx, r.IssueRequest)
	if err != nil {
		return answer, err
	}
	if c.Waits() {
		return answer, refusal.Wait("a person must decide: %s", d.HowToDecide(c, r.Source))
	}
	answer.Verdict, answer.Case, answer.Regression = c.Verdict, c.ID, c.Regression
	switch c.Verdict {
	case casefile.Fixed:
		answer.Fixed = bug.Yes
	case casefile.Reproduces, casefile.Flaky:
		answer.Fixed = bug.No
	}
	if answer.Nearby, err = d.nearby(ctx, r, c, change); err != nil {
		return answer, err
	}
	answer.Words = words(answer, c)
	return answer, nil
}

// nearby runs the tests of a work tree that are about the same things as the report's program, without
// the change and with it.
func (d Desk) nearby(ctx context.Context, r Request, c desk.Case, change overlay.Change) ([]Nearby, error) {
	if r.Work == "" || len(c.Asked) < 2 {
		return nil, nil
	}
	tree := os.DirFS(r.Work)
	tests, err := nearby.Find(tree, c.Repro.Files[bug.Script])
	if err != nil || len(tests) == 0 {
		return nil, err
	}
	box, err := d.Machine.Box(r.Box)
	if err != nil {
		return nil, err
	}
	d.Going("nearby", "%s of the work tree, without the change and with it", bug.Count(len(tests), "test"))
	limits, over := tested.Limits(r.IssueRequest), overlay.Box{Box: box, Change: change}
	before, err := nearby.Run(ctx, tree, tests, sandbox.Within(limits, over, c.Asked[0].Runtime))
	if err != nil {
		return nil, err
	}
	after, err := nearby.Run(ctx, tree, tests, sandbox.Within(limits, over, c.Asked[len(c.Asked)-1].Runtime))
	if err != nil {
		return nil, err
	}
	all := make([]Nearby, len(tests))
	for i, t := range tests {
		all[i] = Nearby{t, before[i].Result, after[i].Result, after[i].Why}
	}
	return all, nil
}

// over has the steps run a program as it is and then with a change.
func over(change overlay.Change) func(*pipeline.Pipeline) {
	return func(p *pipeline.Pipeline) {
		p.Box = overlay.Box{Box: p.Box, Change: change}
		asItIs := p.Runtimes
		p.Runtimes = func(ctx context.Context, packages []string) ([]bug.Runtime, error) {
			found, err := asItIs(ctx, packages)
			if err != nil {
				return nil, err
			}
			newest := found[len(found)-1]
			return []bug.Runtime{newest, change.On(newest)}, nil
		}
	}
}

func (r Request) name() string {
	if r.Pull > 0 {
		return fmt.Sprintf("#%d", r.Pull)
	}
	return cmp.Or(r.Branch, r.Work, r.Built)
}

func words(a Checked, c desk.Case) string {
	said := map[bug.Answer]string{bug.Yes: "%s fixes it", bug.No: "%s does not fix it", bug.Unknown: "%s: cannot tell"}
	text := fmt.Sprintf(said[a.Fixed], a.Change) + ": " + c.Reason
	if a.Regression != nil && a.Regression.Proven {
		text += fmt.Sprintf(" A regression test fails on %s and passes on %s.", a.Regression.Bad, a.Regression.Good)
	} else if a.Regression != nil && a.Fixed == bug.Yes {
		text += " No regression test: " + a.Regression.Why
	}
	return strings.TrimSpace(text + near(a.Nearby))
}

// near says what became of the tests nearby.
func near(all []Nearby) string {
	passed, text := 0, ""
	for _, n := range all {
		switch {
		case n.Broken():
			text += fmt.Sprintf(" It breaks %s in %s: %s.", n.Name, n.File, strings.TrimSuffix(n.Why, "."))
		case n.After == "passed":
			passed++
		}
	}
	if len(all) > 0 {
		text += fmt.Sprintf(" Of %s nearby, %d pass with it.", bug.Count(len(all), "test"), passed)
	}
	return text
}
