package casefile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/probe"
	"github.com/scrub-dev/scrub/internal/vet"
)

// A Verdict is what became of a report, in one word.
type Verdict string

const (
	Reproduces       Verdict = "reproduces"
	Flaky            Verdict = "flaky"
	DoesNotReproduce Verdict = "does-not-reproduce" // it passed here; nothing more is known
	Fixed            Verdict = "fixed"              // it failed on an older version and passes on a newer: both seen
	Unsure           Verdict = "unsure"             // no version here shows it as the report does; that proves nothing
	// it does one thing on an older version and another on a newer; the report does not say which is right
	Changed        Verdict = "changed"
	DifferentError Verdict = "different-error"
	Hangs          Verdict = "hangs" // and the report is about something else
	CannotRun      Verdict = "cannot-run"
	NeedsInfo      Verdict = "needs-info"
	NeedsDecision  Verdict = "needs-decision"
	Refused        Verdict = "refused"
	NotActionable  Verdict = "not-actionable"
)

// Verdicts are all there are.
var Verdicts = []Verdict{Reproduces, Flaky, DoesNotReproduce, Fixed, Changed, Unsure, DifferentError, Hangs, CannotRun,
	NeedsInfo, NeedsDecision, Refused, NotActionable}

// Meaning says what a verdict means.
func (v Verdict) Meaning() string {
	return map[Verdict]string{
		Reproduces:       "every run showed what the report says",
		Flaky:            "some runs did",
		DoesNotReproduce: "no run here showed it; nothing more is known",
		Changed:          "an older and a newer version behave differently, and the report does not say which is right",
		Unsure:           "no tested version shows it as reported, so passing proves nothing",
		Fixed:            "seen to fail on an older version and to pass on a newer one",
		DifferentError:   "it fails, but not as reported",
		Hangs:            "it does not finish in time, and the report is about something else",
		CannotRun:        "the program is invalid, or needs something that is not available here",
		NeedsInfo:        "there is no program, or the report does not say what goes wrong",
		NeedsDecision:    "a person must decide whether the program may run, or whether this is the reported failure",
		Refused:          "a person decided that it must not run",
		NotActionable:    "closed, a feature request, a question, a tracker, …",
	}[v]
}

// Verdict derives the verdict from what was observed, with its reason in
// one sentence.
func (c Case) Verdict() (Verdict, string) {
	verdict, reason := c.seen()
	if c.Guess.Made() && len(c.Asked) > 0 {
		reason += fmt.Sprintf(" That is with %s made up by %s, not with the author's.", c.Guess.What(), c.Guess.By)
	}
	undecided := []Verdict{Unsure, NeedsInfo, CannotRun}
	if c.Remark != nil && (slices.Contains(undecided, verdict) || len(c.Asked) > 0 && verdict == NeedsDecision) {
		return Verdict(c.Remark.Verdict), c.Remark.Reason
	}
	return verdict, reason
}

// seen derives the verdict without what the words say of the kind of report.
func (c Case) seen() (Verdict, string) {
	switch {
	case c.Triage != nil:
		return Verdict(c.Triage.Verdict), c.Triage.Reason
	case len(c.Candidates) == 0:
		return NeedsInfo, "The report contains no program that can be run."
	case c.Unreadable():
		b := c.Reading.Broken
		return CannotRun, fmt.Sprintf("The program is not valid Python: %s at line %d.", b.Message, b.Line)
	case c.Reading != nil && len(c.Reading.Missing) > 0:
		return CannotRun, fmt.Sprintf("The program needs modules that are not installed here: %s. With --yes their "+
			"packages are installed into a separate environment.", strings.Join(c.Reading.Missing, ", "))
	case c.Consent.Decision == Skip:
		return Refused, fmt.Sprintf("%s decided that this program must not run.", c.Consent.By)
	case c.Consent.Decision == Change:
		return Refused, fmt.Sprintf("%s decided that only a modified version of this program may run: pass one with "+
			"--modified.", c.Consent.By)
	case c.Consent.Decision != Proceed:
		return NeedsDecision, c.Waits()
	case len(c.Asked) == 0:
		return CannotRun, "It was not run."
	}
	return c.measured()
}

// Unreadable reports whether the program is broken in a way that is not
// the very thing the report is about.
func (c Case) Unreadable() bool {
	return c.Reading != nil && c.Reading.Broken != nil && !strings.HasSuffix(c.Symptom.Class, "SyntaxError") &&
		c.Symptom.Class != "IndentationError"
}

// Waits says what a person must decide about a program that has not run.
func (s Subject) Waits() string {
	asks := slices.DeleteFunc(slices.Clone(s.Findings), func(f vet.Finding) bool { return !vet.Asks([]vet.Finding{f}) })
	if len(asks) == 0 {
		return "The program has not been approved to run."
	}
	f := asks[0]
	more := ""
	if n := len(asks) - 1; n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	return fmt.Sprintf("This program needs approval before it runs: %s (%s, line %d)%s.", f.Why, f.Name, f.Line, more)
}

// measured derives the verdict from the runs. The newest version decides.
func (c Case) measured() (Verdict, string) {
	newest := c.Asked[len(c.Asked)-1]
	t, where := newest.Tally, c.Where(newest)
	last := t.Outcomes[len(t.Outcomes)-1]
	if v, how, ok := c.judged(); ok {
		return v, how
	}
	if v, how, ok := c.changed(); ok && !c.Symptom.Costs() {
		return v, how
	}
	if c.Symptom.Kind == bug.Unsaid {
		return c.unsaid(newest, where)
	}
	switch {
	case t.Compared != nil:
		return c.costs(newest, where)
	case newest.Lacks != "" && t.Yes == 0:
		return CannotRun, newest.Lacks
	case t.Answer() == bug.Unknown:
		return CannotRun, fmt.Sprintf("The program %s.", last.Words())
	case t.Yes == t.Runs() && c.Symptom.InOutput() && c.Candidates[0].Second:
		return Unsure, fmt.Sprintf("It shows %s on %s, but it is not the first program in the report, which may "+
			"describe more than that.", c.Symptom, where)
	case t.Yes == t.Runs() && c.Symptom.Kind == bug.Hangs:
		return Reproduces, fmt.Sprintf("It does not finish on %s%s, in %s.%s", where, last.Limited(), times(t.Yes, t.Runs()),
			c.ways())
	case t.Yes == t.Runs():
		return Reproduces, fmt.Sprintf("It shows %s on %s, in %s.%s", c.Symptom, where, times(t.Yes, t.Runs()), c.ways())
	case t.Yes > 0:
		_, low, high := t.Rate()
		return Flaky, fmt.Sprintf("It shows %s on %s in %d of %d runs (95 %% confidence: %.0f to %.0f %%).%s",
			c.Symptom, where, t.Yes, t.Runs(), 100*low, 100*high, newest.steadied())
	case t.Similar == t.Runs():
		return Reproduces, fmt.Sprintf("On %s the program %s, similar to what was reported (%s), in %s.", where,
			last.Words(), c.Symptom, times(t.Similar, t.Runs()))
	}
	return c.absent(last, where)
}

// costs is the verdict of a comparison. It is fixed if an older version was seen to cost too much.
func (c Case) costs(newest Asked, where string) (Verdict, string) {
	said := fmt.Sprintf("On %s it takes %v; reported: %s.", where, *newest.Tally.Compared, c.Symptom)
	switch newest.Tally.Answer() {
	case bug.Yes:
		return Reproduces, said
	case bug.Unknown:
		return Unsure, said + " That is too close to tell."
	}
	for _, a := range c.Asked[:len(c.Asked)-1] {
		if a.Tally.Yes > 0 {
			return Fixed, fmt.Sprintf("%s On %s it takes %v.", said, c.Where(a), *a.Tally.Compared)
		}
	}
	return DoesNotReproduce, said
}

// steadied says what takes the chance out of a flaky program.
func (a Asked) steadied() string {
	for _, s := range a.Tried {
		with := strings.Join(s.By, ", ")
		switch s.Tally.Runs() {
		case s.Tally.Yes:
			return fmt.Sprintf(" With %s it always shows (%d runs).", with, s.Tally.Yes)
		case s.Tally.No:
			return fmt.Sprintf(" With %s it never shows (%d runs).", with, s.Tally.No)
		}
	}
	return ""
}

// absent is the verdict when no run of the newest version showed the symptom.
func (c Case) absent(last bug.Outcome, where string) (Verdict, string) {
	switch {
	case last.End == bug.TimedOut:
		return Hangs, fmt.Sprintf("The program does not finish on %s%s; reported: %s", where, last.Limited(),
			ended(c.Symptom))
	case !last.Failed() && c.Reading != nil && c.Reading.Inert:
		return NeedsInfo, fmt.Sprintf("The program only defines things, so that it ends normally on %s says nothing: what "+
			"has to be called, and with what?", where)
	case c.Symptom.Kind == bug.Lacks && !last.Failed():
		return c.passes(where, fmt.Sprintf("it prints %s as expected", bug.Quoted(c.Symptom.Wanted)))
	case c.Symptom.Kind == bug.Prints && !last.Failed():
		return c.passes(where, fmt.Sprintf("it prints something other than %s", c.Symptom))
	case c.Asked[len(c.Asked)-1].Stopped(c.Symptom):
		return c.passes(where, fmt.Sprintf("the program %s instead of crashing", last.Words()))
	case c.refuses(last):
		return c.passes(where, fmt.Sprintf("the program %s instead, deliberately", last.Words()))
	case last.Failed():
		return DifferentError, fmt.Sprintf("On %s the program %s%s; reported: %s", where, last.Words(),
			c.Asked[len(c.Asked)-1].drifted(), ended(c.Symptom))
	}
	return c.passes(where, "it ends normally")
}

// changed is the verdict when the oldest version does always one thing and
// the newest always another, and looking for the symptom does not tell which
// of the two is meant: neither shows it, or the newest does.
func (c Case) changed() (Verdict, string, bool) {
	first, last := c.Asked[0], c.Asked[len(c.Asked)-1]
	switch {
	case len(c.Asked) < 2, first.Shows() && !last.Shows(), first.Shows() && !c.Symptom.InOutput():
		return "", "", false
	case last.Shows() && !first.Shows() && (c.names(last) || !c.names(first)):
		return "", "", false // it came with the newest, and that may be just what the report says
	}
	if last.Shows() && !first.Shows() {
		return Changed, fmt.Sprintf("%s shows %s and %s does not, though the report is about the latter.",
			c.Where(last), c.Symptom, c.Where(first)), true
	}
	before, same1 := always(first.Tally)
	after, same2 := always(last.Tally)
	if !same1 || !same2 || before == after || first.Drift || last.Drift {
		return "", "", false
	}
	what := fmt.Sprintf("On %s the program %s, on %s it %s", c.Where(first), before, c.Where(last), after)
	if last.Shows() {
		return Changed, fmt.Sprintf("%s; the newest shows %s as reported, but the rest of the output differs.", what,
			c.Symptom), true
	}
	if why, ok := c.WithWords().explains(first.Tally.Outcomes[0], last.Tally.Outcomes[0]); ok {
		return Fixed, fmt.Sprintf("%s; %s.", what, why), true
	}
	return Changed, what + "; the report does not say, in a way that can be measured, which of the two is wrong.", true
}

// Shows reports whether a version was seen to show the symptom, or one close to it.
func (a Asked) Shows() bool { return a.Tally.Yes > 0 || a.Tally.Similar > 0 }

// always is what all runs of a tally did, if they all did the same.
func always(t probe.Tally) (string, bool) {
	did := ""
	for i, o := range t.Outcomes {
		what := o.Words()
		if !o.Failed() {
			what = "prints " + bug.Quoted(bug.Short(strings.TrimSpace(address.ReplaceAllString(o.Stdout, "0x")), 300))
		}
		if i > 0 && what != did || o.End != bug.Exited || !o.Failed() && strings.TrimSpace(o.Stdout) == "" {
			return "", false
		}
		did = what
	}
	return did, len(t.Outcomes) > 0
}

// address is what is never the same twice.
var address = regexp.MustCompile(`\b0x[0-9a-f]{6,}\b`)

// refuses reports whether a program that used to print something wrong now
// ends with an error that its package raises with a raise of its own.
func (c Case) refuses(last bug.Outcome) bool {
	e, ok := last.Exception()
	older := slices.ContainsFunc(c.Asked[:len(c.Asked)-1], func(a Asked) bool { return a.Tally.Yes > 0 })
	return ok && older && c.Symptom.InOutput() && !c.Asked[len(c.Asked)-1].Drift && len(e.Frames) > 1 &&
		(strings.HasPrefix(e.At(), "raise ") || c.Package != "" && strings.HasPrefix(e.Class, c.Package+"."))
}

// Stopped reports whether a version raises an error, every time, where another
// crashes: it notices in time what went wrong there.
func (a Asked) Stopped(s bug.Symptom) bool {
	return s.Kind == bug.Crashes && !a.Drift && !slices.ContainsFunc(a.Tally.Outcomes, func(o bug.Outcome) bool {
		_, raised := o.Exception()
		return !raised || o.End != bug.Exited
	})
}

// drifted says that a version failed in a way that has nothing to do with the bug.
func (a Asked) drifted() string {
	if a.Drift {
		return ", which looks like an incompatible environment rather than another bug"
	}
	return ""
}

// passes is the verdict when the newest version does not show the symptom.
// It is fixed only if an older one was seen to show it.
func (c Case) passes(where, how string) (Verdict, string) {
	older := c.Asked[:len(c.Asked)-1]
	for _, a := range older {
		if a.Shows() {
			return Fixed, fmt.Sprintf("It shows %s on %s, and on %s %s%s.", c.Symptom, c.Where(a), where, how,
				sure(c.Asked[len(older)].Tally, a.Tally))
		}
	}
	last := c.Asked[len(older)].Tally.Outcomes
	switch {
	case len(older) > 0:
		return Unsure, fmt.Sprintf("On %s %s, and no older version tested here shows %s either: the report may be "+
			"incomplete.", where, how, c.Symptom)
	case !c.Symptom.Related(last[len(last)-1]):
		return Unsure, fmt.Sprintf("On %s %s, and nothing similar: the report may format values differently.", where,
			how)
	}
	if c.Symptom.Kind == bug.Unsaid {
		return DoesNotReproduce, fmt.Sprintf("On %s %s.", where, how)
	}
	return DoesNotReproduce, fmt.Sprintf("On %s %s; reported: %s", where, how, ended(c.Symptom))
}

// ended is what goes wrong, as the end of a sentence.
func ended(s bug.Symptom) string {
	if text := s.String(); strings.HasSuffix(text, ".") {
		return text
	}
	return s.String() + "."
}

// sure says how likely it is that passing was luck, by how often the symptom
// showed before.
func sure(passed, before probe.Tally) string {
	rate, low, _ := before.Rate()
	if rate == 1 || before.Yes == 0 {
		return ""
	}
	return fmt.Sprintf(" in %d runs (if it fails in only %.0f %% of runs, the chance of missing it was 1 in %.0f)",
		passed.Runs(), 100*low, max(1, 1/passed.Missed(low)))
}

// unsaid is the verdict when the report does not say what goes wrong. A
// failure is then offered to a person, not taken for the reported one.
func (c Case) unsaid(newest Asked, where string) (Verdict, string) {
	last := newest.Tally.Outcomes[len(newest.Tally.Outcomes)-1]
	inert := c.Reading != nil && c.Reading.Inert
	switch {
	case newest.Lacks != "":
		return CannotRun, newest.Lacks
	case !last.Failed() && !inert && c.Observed != nil && c.Observed.Agree != "":
		return c.passes(where, c.Observed.Agree+" do the same, statement by statement")
	case !last.Failed() && !inert && ChecksAtItsEnd(c.Repro.Files[bug.Script]):
		return c.passes(where, "what the program itself checks holds")
	case !last.Failed() && !inert && c.Complaint != "" && (strings.TrimSpace(last.Stdout) == "" || c.cutShort()):
		return c.passes(where, "it ends normally, though the report says: "+bug.Quoted(bug.Short(c.Complaint, 120)))
	case last.Failed() && len(strings.Fields(c.Thread.Prose)) >= 8 && !c.speaksOfFailure():
		return DifferentError, fmt.Sprintf("On %s the program %s%s; the report does not speak of an error.", where,
			last.Words(), newest.drifted())
	case last.Failed():
		return c.failing(last, where)
	}
	return NeedsInfo, fmt.Sprintf("The report does not say what goes wrong, and on %s the program ends normally.",
		where)
}

// failing is the verdict when the program fails and the report does not say how.
func (c Case) failing(last bug.Outcome, where string) (Verdict, string) {
	if c.NotThis.Decision == NotThis {
		return NeedsInfo, fmt.Sprintf("On %s the program %s, which is not the reported failure, as %s said; the report does "+
			"not say what is.", where, last.Words(), c.NotThis.By)
	}
	return NeedsDecision, fmt.Sprintf("On %s the program %s, but the report does not say what goes wrong: is "+
		"this the reported failure?", where, last.Words())
}

func times(yes, runs int) string {
	if runs == 1 {
		return "the one run made"
	}
	return fmt.Sprintf("%d of %d runs", yes, runs)
}
