package casefile

import (
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/probe"
	"github.com/scrub-dev/scrub/internal/syntax"
	"github.com/scrub-dev/scrub/internal/triage"
	"github.com/scrub-dev/scrub/internal/vet"
)

var (
	raised = bug.Outcome{End: bug.Exited, Code: 1,
		Stderr: "Traceback (most recent call last):\n  File \"r\", line 1, in <module>\nValueError: no\n"}
	other = bug.Outcome{End: bug.Exited, Code: 1,
		Stderr: "Traceback (most recent call last):\n  File \"r\", line 1, in <module>\nKeyError: 'k'\n"}
	passed = bug.Outcome{End: bug.Exited}
	hung   = bug.Outcome{End: bug.TimedOut, Limit: "time"}
	oom    = bug.Outcome{End: bug.Killed, Signal: "SIGKILL", Limit: "memory"}
)

func asked(version string, s bug.Symptom, all ...bug.Outcome) Asked {
	a := Asked{Runtime: bug.Runtime{Version: version}}
	for _, o := range all {
		a.Tally.Outcomes = append(a.Tally.Outcomes, o)
		switch s.In(o) {
		case bug.Yes:
			a.Tally.Yes++
		case bug.No:
			a.Tally.No++
		default:
			a.Tally.Unknown++
		}
		if s.Like(o) {
			a.Tally.Similar++
		}
		a.Drift = strings.Contains(o.Stderr, "ModuleNotFoundError")
	}
	return a
}

// trace is a run that its package ended with an error of its own.
func trace(last string) bug.Outcome {
	return bug.Outcome{End: bug.Exited, Code: 1,
		Stderr: "Traceback (most recent call last):\n  File \"r\", line 1, in <module>\n    f()\n  File \"p.py\", " +
			"line 2, in f\n    raise E(x)\n" + last + "\n"}
}

func printed(text string) bug.Outcome { return bug.Outcome{End: bug.Exited, Stdout: text} }

func TestVerdicts(t *testing.T) {
	no, err := bug.ParseSymptom("ValueError: no")
	if err != nil {
		t.Fatal(err)
	}
	prints := bug.Symptom{Kind: bug.Prints, Output: "4"}
	yes := Consent{Decision: Proceed, By: "ann"}
	some := []triage.Candidate{{}}
	runs := func(s bug.Symptom, all ...bug.Outcome) Case {
		return Case{Candidates: some, Subject: Subject{Symptom: s, Consent: yes,
			Asked: []Asked{asked("3.12", s, all...)}}}
	}
	pair := func(s bug.Symptom, older, newer bug.Outcome) Case {
		return Case{Candidates: some, Subject: Subject{Symptom: s, Consent: yes,
			Asked: []Asked{asked("3.8", s, older), asked("3.12", s, newer)}}}
	}
	versioned := func(c Case) Case {
		c.Package = "p"
		c.Asked[0].Runtime.Packages, c.Asked[1].Runtime.Packages = map[string]string{"p": "1.7"}, map[string]string{"p": "1.7.1"}
		return c
	}
	about := func(prose string, c Case) Case {
		c.Thread.Prose = prose
		return c
	}
	drifting := func(c Case) Case {
		c.Asked[1].Drift = true
		return c
	}
	inert := func(c Case) Case {
		c.Reading = &syntax.Reading{Inert: true}
		return c
	}
	for _, tt := range []struct {
		name string
		c    Case
		want Verdict
		says string
	}{
		{"the report shows what only the older prints",
			about("It gives `Sum(x, 1)`.", pair(bug.Symptom{}, printed("ok\nSum(x,1)\n"),
				printed("ok\nx\n"))), Fixed, `shows "Sum(x,1)"`},
		{"the report asks for what only the newer prints",
			about("It should be UniversalSet.", pair(prints, printed("EmptySet()\n"),
				printed("UniversalSet()\n"))), Fixed, "asks for"},
		{"the report names what the older raises", about("I see a KeyError.", pair(prints, other, printed("5\n"))),
			Fixed, "KeyError is what"},
		{"the report says nothing of it", about("Odd.", pair(prints, other, printed("5\n"))), Changed, "does not say"},
		{"short, but said to be the result", about("It results in `False`, always.",
			pair(bug.Symptom{}, printed("False\n"), printed("True\n"))), Fixed, `shows "False"`},
		{"short, but said to be wanted", about("It should have been True.",
			pair(bug.Symptom{}, printed("None\n"), printed("True\n"))), Fixed, `asks for "True"`},
		{"too short to tell", about("It is 5.", pair(bug.Symptom{}, printed("5\n"), printed("7\n"))), Changed,
			"does not say"},
		{"a crash became an error", pair(bug.Symptom{Kind: bug.Crashes, Signal: "SIGSEGV"},
			bug.Outcome{End: bug.Killed, Signal: "SIGSEGV"}, other), Fixed, "instead of crashing"},
		{"a crash became an error of the environment", drifting(pair(bug.Symptom{Kind: bug.Crashes, Signal: "SIGSEGV"},
			bug.Outcome{End: bug.Killed, Signal: "SIGSEGV"}, other)), DifferentError, "incompatible"},
		{"it only defines things", inert(runs(no, passed)), NeedsInfo, "only defines"},
		{"only the newest shows it", pair(no, printed("5\n"), raised), Reproduces, ""},
		{"only the newest shows it, and the report is about the older",
			about("Since 1.7 it fails.", versioned(pair(no, passed,
				raised))), Changed, "though the report is about the latter"},
		{"only the newest shows it, and the report names both",
			about("1.7 did not, 1.7.1 does.", versioned(pair(no, printed("5\n"), raised))), Reproduces, ""},
		{"shown by both, but not all the same", pair(prints, printed("a\n4\n"), printed("b\n4\n")), Changed,
			"the rest of the output differs"},
		{"triaged", Case{Triage: &triage.Finding{Verdict: "needs-info", Reason: "Why."}}, NeedsInfo, "Why."},
		{"no program", Case{}, NeedsInfo, "no program"},
		{"broken", Case{Candidates: some, Subject: Subject{Reading: &syntax.Reading{Broken: &syntax.Broken{Line: 3,
			Message: "bad"}}}}, CannotRun, "bad at line 3"},
		{"broken, as reported", Case{Candidates: some,
			Subject: Subject{Symptom: bug.Symptom{Kind: bug.Raises, Class: "SyntaxError"},
				Reading: &syntax.Reading{Broken: &syntax.Broken{}}}}, NeedsDecision, "not been approved"},
		{"missing", Case{Candidates: some, Subject: Subject{Reading: &syntax.Reading{Missing: []string{"a", "b"}}}},
			CannotRun, "a, b"},
		{"undecided", Case{Candidates: some,
			Subject: Subject{Findings: []vet.Finding{{Line: 2, Why: "it is bad", Name: "x.y"},
				{}}}}, NeedsDecision, "it is bad (x.y, line 2), and 1 more"},
		{"refused", Case{Candidates: some, Subject: Subject{Consent: Consent{Decision: Skip, By: "ann"}}}, Refused,
			"ann decided"},
		{"same", runs(no, raised, raised), Reproduces, "in 2 of 2 runs"},
		{"mixed", runs(no, raised, passed), Flaky, "in 1 of 2 runs"},
		{"passes", runs(no, passed, passed), DoesNotReproduce, "it ends normally"},
		{"other", runs(no, other), DifferentError, "raised KeyError: 'k'; reported: ValueError: no"},
		{"hangs", runs(no, hung), Hangs, "does not finish"},
		{"reported hang", runs(bug.Symptom{Kind: bug.Hangs}, hung), Reproduces, "does not finish"},
		{"our limit is no answer", runs(no, oom), CannotRun, "memory limit"},
		{"prints the same", runs(prints, bug.Outcome{End: bug.Exited, Stdout: "4\n"}), Reproduces, `the output "4"`},
		{"prints another", runs(prints, bug.Outcome{End: bug.Exited, Stdout: "5\n"}), Unsure, "nothing similar"},
		{"fails instead of printing", runs(prints, raised), DifferentError, "raised ValueError"},
		{"nothing said, fails", runs(bug.Symptom{}, raised), NeedsDecision, "is this the reported failure?"},
		{"nothing said, passes", runs(bug.Symptom{}, passed), NeedsInfo, "ends normally"},
		{"fixed", Case{Candidates: some, Subject: Subject{Symptom: no, Consent: yes,
			Asked: []Asked{asked("3.8", no, raised), asked("3.12", no,
				passed)}}}, Fixed, "on Python 3.8, and on Python 3.12"},
		{"never there", Case{Candidates: some, Subject: Subject{Symptom: no, Consent: yes,
			Asked: []Asked{asked("3.8", no, passed), asked("3.12", no,
				passed)}}}, Unsure, "no older version tested here shows"},
		{"much like it", runs(bug.Symptom{Kind: bug.Raises, Class: "TypeError",
			Message: "_sum() got an unexpected keyword argument 'm'"}, trace("TypeError: sum() got an unexpected "+
			"keyword argument 'm'")), Reproduces, "similar to what was reported"},
		{"same class, other words", runs(bug.Symptom{Kind: bug.Raises, Class: "TypeError", Message: "unhashable type"},
			trace("TypeError: sum() takes two")), DifferentError, "raised TypeError"},
		{"the world moved on", runs(no, trace("ModuleNotFoundError: No module named 'x'")), DifferentError,
			"incompatible environment"},
		{"refuses now", pair(prints, printed("4\n"), trace("ValueError: must not")), Fixed, "deliberately"},
		{"breaks now", pair(prints, printed("4\n"), trace("ModuleNotFoundError: No module named 'x'")), DifferentError,
			"incompatible environment"},
		{"another number", pair(bug.Symptom{}, printed("4\n"), printed("5\n")), Changed, `prints "4"`},
		{"only another address", pair(bug.Symptom{}, printed("<f at 0x7f0000>\n"), printed("<f at 0x7f0001>\n")),
			NeedsInfo, "ends normally"},
		{"changed", pair(bug.Symptom{}, printed("a\n"), printed("b\n")), Changed,
			`prints "a", on Python 3.12 it prints "b"`},
		{"changed, though something else was reported", pair(no, printed("a\n"), printed("b\n")), Changed,
			"does not say"},
		{"flaky before, enough runs now", Case{Candidates: some,
			Subject: Subject{Symptom: no, Consent: yes,
				Asked: []Asked{asked("3.8", no, raised, passed),
					asked("3.12", no, passed, passed)}}}, Fixed, "the chance of missing it"},
		{"came in", Case{Candidates: some, Subject: Subject{Symptom: no, Consent: yes,
			Asked: []Asked{asked("3.8", no, passed), asked("3.12", no, raised)}}}, Reproduces, "3.12"},
	} {
		v, reason := tt.c.Verdict()
		if v != tt.want || !strings.Contains(reason, tt.says) || strings.Count(reason, "\n") > 0 {
			t.Errorf("%s: %s: %s; want %s with %q", tt.name, v, reason, tt.want, tt.says)
		}
	}
}

func TestWhereNamesThePackage(t *testing.T) {
	c := Case{Subject: Subject{Project: "Snail", Package: "snail"}}
	a := Asked{Runtime: bug.Runtime{Version: "3.12.1", Packages: map[string]string{"snail": "2.0"}},
		Tally: probe.Tally{}}
	if got := c.Where(a); got != "Snail 2.0 (Python 3.12.1)" {
		t.Error(got)
	}
}
