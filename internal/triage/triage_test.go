package triage

import (
	"strings"
	"testing"
	"time"

	"scrub/internal/bug"
	"scrub/internal/intake"
	"scrub/internal/profile"
)

func TestEmbeddedRules(t *testing.T) {
	program := "```python\nimport os\nprint(os)\n```\n"
	for _, tt := range []struct {
		name, repo string
		r          bug.Report
		want       string // rule; empty if it can be acted on
	}{
		{"bug", "", bug.Report{Title: "It fails", Body: program}, ""},
		{"closed", "", bug.Report{Title: "It fails", Body: program, State: bug.Closed}, "closed"},
		{"feature by title", "", bug.Report{Title: "[Feature Request] colours", Body: program}, "feature"},
		{"feature by form", "pytorch/pytorch", bug.Report{Title: "colours", Body: "### 🚀 The feature, motivation and pitch\n\nx\n"}, "feature"},
		{"a feature that is broken", "", bug.Report{Title: "Export feature fails", Body: program}, ""},
		{"tracker", "", bug.Report{Title: "[Tracking] slow things", Body: program}, "tracker"},
		{"tracking of a variable", "", bug.Report{Title: "tracking of variables fails", Body: program}, ""},
		{"question", "", bug.Report{Title: "How to use it?", Body: program}, "question"},
		{"duplicate", "", bug.Report{Title: "It fails", Body: program, Comments: []bug.Comment{{Body: "Duplicate of #12"}}}, "duplicate"},
		{"picture", "", bug.Report{Title: "It fails", Body: "![x](y.png)"}, "screenshot"},
		{"words", "", bug.Report{Title: "It fails", Body: "Really."}, "no-repro"},
		{"switch", "pytorch/pytorch", bug.Report{Title: "DISABLED test_x (__main__.TestY)", Body: program}, "operational"},
		{"closed switch", "pytorch/pytorch", bug.Report{Title: "DISABLED test_x (__main__.TestY)", State: bug.Closed}, "operational"},
	} {
		p, err := profile.ForRepo(tt.repo)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Stop(p.Triage, tt.r, intake.Read(tt.r), time.Now())
		got := ""
		if f != nil {
			got = f.Rule
		}
		if err != nil || got != tt.want {
			t.Errorf("%s: stopped by %q, want %q (%v)", tt.name, got, tt.want, err)
		}
	}
}

func TestLabelsThatAreThereAreNotProposed(t *testing.T) {
	p, err := profile.ForRepo("pytorch/pytorch")
	if err != nil {
		t.Fatal(err)
	}
	r := bug.Report{Title: "It fails", Labels: []string{"needs reproduction"}}
	if f, err := Stop(p.Triage, r, intake.Read(r), time.Now()); err != nil || f.Rule != "no-repro" || len(f.Add) != 0 {
		t.Errorf("%+v, %v", f, err)
	}
	r.Labels = nil
	if f, err := Stop(p.Triage, r, intake.Read(r), time.Now()); err != nil || len(f.Add) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestRank(t *testing.T) {
	program := func(post int, author, text string) intake.Program {
		return intake.Program{Post: post, Author: author, Text: text}
	}
	long := "import os\n" + strings.Repeat("print(os)\n", 9)
	for _, tt := range []struct {
		name  string
		in    []intake.Program
		first int // post
	}{
		{"only one", []intake.Program{program(0, "ann", long)}, 0},
		{"author's newest", []intake.Program{program(0, "ann", long), program(2, "ann", long+"#")}, 2},
		{"commenter's shorter", []intake.Program{program(0, "ann", long), program(1, "bob", "import os\nos.x\n")}, 1},
		{"commenter's needs context", []intake.Program{program(0, "ann", long), program(1, "bob", "f(x)\n")}, 0},
		{"commenter's longer", []intake.Program{program(0, "ann", long), program(1, "bob", long+"print(1)\n")}, 0},
		{"author's fragment", []intake.Program{program(0, "ann", long), program(2, "ann", "f(x)\n")}, 0},
		{"nobody knows the author", []intake.Program{program(0, "", long), program(1, "", long)}, 0},
	} {
		if got := Rank(tt.in, "ann"); got[0].Post != tt.first || len(got) != len(tt.in) {
			t.Errorf("%s: first is of post %d (%s), want %d", tt.name, got[0].Post, got[0].Why, tt.first)
		}
	}
}
