package triage

import (
	"strings"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/profile"
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
		{"feature by form", "pytorch/pytorch", bug.Report{Title: "colours",
			Body: "### 🚀 The feature, motivation and pitch\n\nx\n"}, "feature"},
		{"a feature that is broken", "", bug.Report{Title: "Export feature fails", Body: program}, ""},
		{"tracker", "", bug.Report{Title: "[Tracking] slow things", Body: program}, "tracker"},
		{"tracking of a variable", "", bug.Report{Title: "tracking of variables fails", Body: program}, ""},
		{"question", "", bug.Report{Title: "How to use it?", Body: program}, "question"},
		{"duplicate", "", bug.Report{Title: "It fails", Body: program,
			Comments: []bug.Comment{{Body: "Duplicate of #12"}}}, "duplicate"},
		{"picture", "", bug.Report{Title: "It fails", Body: "![x](y.png)"}, "screenshot"},
		{"words", "", bug.Report{Title: "It fails", Body: "Really."}, "no-repro"},
		{"switch", "pytorch/pytorch", bug.Report{Title: "DISABLED test_x (__main__.TestY)", Body: program},
			"operational"},
		{"settled", "", bug.Report{Title: "It fails", Body: program,
			Comments: say("Thanks for the report.", "Fixed by #12.")}, "resolved"},
		{"settled, and not", "", bug.Report{Title: "It fails", Body: program,
			Comments: say("Fixed by #12.", "I still see this on 2.0.")}, ""},
		{"settled with a way back", "", bug.Report{Title: "It fails", Body: program,
			Comments: say("Closing this; please reopen if you still see it.")}, "resolved"},
		{"will be settled", "", bug.Report{Title: "It fails", Body: program,
			Comments: say("Thanks for reporting, I'll send a fix.")}, ""},
		{"answered", "", bug.Report{Title: "Odd result", Body: program,
			Comments: say("Floats are like that.", "I see, thanks!")}, "answered"},
		{"same as another", "", bug.Report{Title: "It fails", Body: program, Comments: say("Same as #12.")},
			"duplicate"},
		{"sent to the forum", "", bug.Report{Title: "Strange loss", Body: program,
			Comments: say("Please use the forum for questions.")}, "question"},
		{"a bot speaks of questions", "", bug.Report{Title: "It fails", Body: program,
			Comments: say("If you have a question about how to use it, please use the forum.")}, ""},
		{"clean-up", "", bug.Report{Title: "Refactor the parser", Body: "It is long."}, "refactor"},
		{"documentation", "", bug.Report{Title: "Typo in the docs of f", Body: "See above."}, "docs"},
		{"build", "", bug.Report{Title: "Build fails", Body: "```\nCMake Error at CMakeLists.txt:3\n```\n"}, "build"},
		{"several GPUs in a title", "", bug.Report{Title: "Multi-GPU training hangs", Body: program}, ""},
		{"several GPUs in a program", "", bug.Report{Title: "Training hangs",
			Body: "```python\nimport torch\ntorch.nn.DataParallel(m, device_ids=[0, 1])\n```\n"}, "hardware"},
		{"several GPUs and no program", "", bug.Report{Title: "Multi-GPU training hangs",
			Body: "```\nCUDA 0 1\n```\n"}, "hardware"},
		{"one GPU", "pytorch/pytorch", bug.Report{Title: "Wrong sum on CUDA",
			Body: "```python\nimport torch\nprint(torch.ones(3).cuda().sum())\n```\n"}, ""},
		{"files of their own", "", bug.Report{Title: "It fails",
			Body: "```python\nfrom models import Net\nNet()\n```\n"}, "setup"},
		{"a notebook elsewhere", "", bug.Report{Title: "It fails",
			Body: "See https://colab.research.google.com/drive/x"}, "setup"},
		{"reads its own file", "", bug.Report{Title: "It fails",
			Body: "```python\nimport json\njson.dump([], open('a.json', 'w'))\njson.load(open('a.json'))\n```\n"}, ""},
		{"confirmed lately", "", bug.Report{Title: "It fails", Body: program,
			Comments: []bug.Comment{{Body: "Still reproduces on 2.0.",
				Created: time.Now().AddDate(0, -1, 0)}}}, "confirmed"},
		{"confirmed long ago", "", bug.Report{Title: "It fails", Body: program,
			Comments: []bug.Comment{{Body: "Still reproduces on 1.0.", Created: time.Now().AddDate(-1, 0, 0)}}}, ""},
		{"compiler, not build", "pytorch/pytorch", bug.Report{Title: "torch.compile fails with dynamic shapes",
			Body: "```python\nimport torch\ntorch.compile(f)(x)\n```\n"}, ""},
		{"closed switch", "pytorch/pytorch", bug.Report{Title: "DISABLED test_x (__main__.TestY)", State: bug.Closed},
			"operational"},
	} {
		p, err := profile.ForRepo(tt.repo)
		if err != nil {
			t.Fatal(err)
		}
		f, err := stop(p, tt.r)
		got := ""
		if f != nil {
			got = f.Rule
		}
		if err != nil || got != tt.want {
			t.Errorf("%s: stopped by %q, want %q (%v)", tt.name, got, tt.want, err)
		}
	}
}

func say(comments ...string) []bug.Comment {
	var all []bug.Comment
	for _, c := range comments {
		all = append(all, bug.Comment{Body: c})
	}
	return all
}

func TestOldOnesMayBeClosed(t *testing.T) {
	p, err := profile.ForRepo("pytorch/pytorch")
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().AddDate(-2, 0, 0)
	for _, tt := range []struct {
		name string
		r    bug.Report
		want bool
	}{
		{"old", bug.Report{Title: "It fails", Created: old}, true},
		{"young", bug.Report{Title: "It fails", Created: time.Now().AddDate(0, -2, 0)}, false},
		{"somebody is at it", bug.Report{Title: "It fails", Created: old, Assignees: []string{"ann"}}, false},
		{"somebody spoke", bug.Report{Title: "It fails", Created: old,
			Comments: []bug.Comment{{Body: "Hm.", Created: time.Now().AddDate(0, -1, 0)}}}, false},
		{"a feature is a decision", bug.Report{Title: "Add colours", Created: old}, false},
	} {
		if f, err := stop(p, tt.r); err != nil || f == nil || f.Close != tt.want {
			t.Errorf("%s: %+v, %v", tt.name, f, err)
		}
	}
}

func TestWhatAProgramNeeds(t *testing.T) {
	p, err := profile.Load("python")
	if err != nil {
		t.Fatal(err)
	}
	p.Package, p.Has = "snail", []string{"shell"}
	for _, tt := range []struct {
		name, text string
		size       Effort
		needs      string
	}{
		{"nothing", "import os, sys\nimport snail.eyes as e\nfrom shell import x\n", Small, ""},
		{"much of nothing", "import os\n" + strings.Repeat("os.sep\n", 100), Large, ""},
		{"packages", "import requests\nfrom yaml.x import load\n", Dependencies, "requests yaml"},
		{"own files", "from .net import N\nimport utils\n", Setup, ".net .utils"},
		{"a data file", "import csv\nopen('data/in.csv')\n", Setup, ""},
		{"arguments", "import argparse\np.add_argument('x', required=True)\n", Setup, ""},
	} {
		got := Rank(p, []intake.Program{{Text: tt.text}}, "")[0]
		if got.Size != tt.size || strings.Join(got.Needs, " ") != tt.needs {
			t.Errorf("%s: %s, needs %q", tt.name, got.Size, got.Needs)
		}
	}
}

func stop(p profile.Profile, r bug.Report) (*Finding, error) {
	t := intake.Read(r)
	return Stop(p, r, t, Rank(p, t.Programs, r.Author), time.Now())
}

func TestLabelsThatAreThereAreNotProposed(t *testing.T) {
	p, err := profile.ForRepo("pytorch/pytorch")
	if err != nil {
		t.Fatal(err)
	}
	r := bug.Report{Title: "It fails", Labels: []string{"needs reproduction"}}
	if f, err := stop(p, r); err != nil || f.Rule != "no-repro" || len(f.Add) != 0 {
		t.Errorf("%+v, %v", f, err)
	}
	r.Labels = nil
	if f, err := stop(p, r); err != nil || len(f.Add) != 1 {
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
		if got := Rank(profile.Profile{}, tt.in, "ann"); got[0].Post != tt.first || len(got) != len(tt.in) {
			t.Errorf("%s: first is of post %d (%s), want %d", tt.name, got[0].Post, got[0].Why, tt.first)
		}
	}
}
