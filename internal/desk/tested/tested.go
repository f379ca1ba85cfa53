// Package tested is the part of the desk that writes regression tests and runs the
// tests of a project that are near a bug.
package tested

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/nearby"
	"github.com/scrub-dev/scrub/internal/project"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/regress"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// A Desk is the application, asked for tests.
type Desk struct{ *desk.Desk }

// A Mark expects a bug that is gone.
type Mark = regress.Mark

// A Request is a report to write a regression test for.
type Request struct {
	desk.IssueRequest
	Into string `json:"into,omitempty"` // a work tree of the project to put the test into
}

// A Regression is a test for a bug and what was measured of it.
type Regression struct {
	Schema string `json:"schema"`
	casefile.Regression
	Marks  []regress.Mark  `json:"stale_marks,omitempty"` // of the project that can go
	Files  []string        `json:"files,omitempty"`       // where it was put, and the tests of other failures
	Put    []nearby.Result `json:"put,omitempty"`         // how they end where they were put
	Nearby []nearby.Result `json:"nearby,omitempty"`      // tests of the work tree that are about the same things
}

// Regress writes a regression test that was seen to fail with the bug and to
// pass without it.
func (d Desk) Regress(ctx context.Context, r Request) (Regression, error) {
	r.Test = true
	if r.Into != "" {
		if st, err := os.Stat(r.Into); err != nil || !st.IsDir() {
			return Regression{}, refusal.Bad("--into %s: want the folder of a work tree", r.Into)
		}
		r.Checkout = r.Into
	}
	c, err := d.Issue(ctx, r.IssueRequest)
	if err != nil {
		return Regression{}, err
	}
	answer := Regression{Schema: "regress/1", Marks: c.Marks}
	switch {
	case c.Waits():
		return answer, refusal.Wait("a person must decide: %s", d.HowToDecide(c, r.Source))
	case c.Regression == nil:
		return answer, refusal.None("no test: %s", c.Reason)
	}
	answer.Regression = *c.Regression
	if !c.Regression.Proven {
		return answer, refusal.None("no test: %s", c.Regression.Why)
	}
	if r.Into == "" {
		return answer, nil
	}
	tree := os.DirFS(r.Into)
	near, err := nearby.Find(tree, c.Repro.Files[bug.Script]) // before there are more
	if err != nil {
		return answer, err
	}
	if answer.Files, err = d.putInto(ctx, r, c); err != nil {
		return answer, err
	}
	box, err := d.Machine.Box(r.Box)
	if err != nil {
		return answer, err
	}
	run := sandbox.Within(Limits(r.IssueRequest), box, newest(c))
	d.Going("nearby", "what was put into the work tree, and %s there", bug.Count(len(near), "test"))
	if answer.Put, err = nearby.Run(ctx, tree, standing(r.Into, answer.Files, c), run); err != nil {
		return answer, err
	}
	answer.Nearby, err = nearby.Run(ctx, tree, near, run)
	return answer, err
}

// standing are the tests of c in the files that they were put into.
func standing(dir string, files []string, c desk.Case) []nearby.Test {
	all := make([]nearby.Test, len(files))
	for i, one := range append([]casefile.Proof{c.Regression.Proof}, c.Regression.Others...) {
		all[i] = nearby.Test{File: strings.TrimPrefix(strings.TrimPrefix(files[i], dir), "/"), Name: "test_" + one.Test.Name}
	}
	return all
}

// putInto puts the tests of c where they belong in a work tree. What is there
// already stays.
func (d Desk) putInto(ctx context.Context, r Request, c desk.Case) ([]string, error) {
	prof, err := project.For(r.Profile, c.Report.Ref.Repo)
	if err != nil {
		return nil, err
	}
	component := ""
	if c.Why != nil {
		component = c.Why.Component
	}
	place := prof.Test.PlaceFor(component)
	box, err := d.Machine.Box(r.Box)
	if err != nil {
		return nil, err
	}
	parser, err := d.Machine.Parser(ctx, r.Box, newest(c))
	if err != nil {
		return nil, err
	}
	var files []string
	for _, one := range append([]casefile.Proof{c.Regression.Proof}, c.Regression.Others...) {
		file, err := one.Test.Put(ctx, r.Into, place, sandbox.Tool(box, parser))
		if err != nil {
			return files, err
		}
		files = append(files, file)
	}
	return files, nil
}

func newest(c desk.Case) bug.Runtime { return c.Asked[len(c.Asked)-1].Runtime }

// Limits are those of running tests of a project.
func Limits(r desk.IssueRequest) sandbox.Limits {
	return sandbox.Limits{Time: max(5*time.Minute, time.Duration(r.Timeout)), Memory: 8 << 30, Output: 8 << 20}
}
