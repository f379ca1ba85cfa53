package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/intake"
)

// signed says who wrote a comment and how to object.
const signed = "(Measured by scrub. Comment `/scrub recheck` to run it again, or `/scrub wrong` to object.)"

// NotPlanned says why an issue is to be closed without a fix.
func NotPlanned(why string) string {
	d := &draft{public: true}
	fmt.Fprintf(d, "%s Closing it as not planned; please say so if it still matters to you.\n\n", why)
	d.own(signed)
	return d.String()
}

// Asked says where a question is answered sooner than in a list of bugs.
func Asked(forum string) string {
	d := &draft{public: true}
	d.own(fmt.Sprintf("This looks like a question about how to use the project, and not like a report of a bug. More "+
		"people who can answer it read %s. If something does behave wrongly, please add a program that shows it, and what "+
		"you expected instead.\n\n", forum))
	d.own(signed)
	return d.String()
}

// Duplicate says that an issue is about the same bug as an older one, and what speaks for that.
func Duplicate(of bug.Ref, evidence []string) string {
	d := &draft{public: true}
	d.own(fmt.Sprintf("This looks like the same bug as #%d:\n\n", of.Number))
	for _, e := range evidence {
		fmt.Fprintf(d, "- %s\n", Public(e))
	}
	d.own("\n" + signed)
	return d.String()
}

// AskForProgram asks for what somebody had to make up.
func AskForProgram(c casefile.Case) string {
	d := &draft{public: true}
	if len(c.Thread.Programs) > 0 {
		d.own("The program in this report cannot be run as it stands: it reads files that are not here. ")
	} else {
		d.own("This report does not contain a program that can be run. ")
	}
	d.own("Could you add a small one that shows the problem, with all that it needs")
	if c.Reported == "" && c.Project != "" {
		fmt.Fprintf(d, ", and the version of %s that you use", c.Project)
	}
	d.own("?\n\n" + signed)
	return d.String()
}

// Comment is the short comment for the people on the issue. Only what was
// measured, and is new to them, is worth their time.
func Comment(c casefile.Case) string {
	verdict, _ := c.Verdict()
	if len(c.Asked) == 0 {
		return ""
	}
	newest := c.Asked[len(c.Asked)-1]
	where := c.Where(newest)
	if c.Modified != nil {
		where += ", with a modified program"
	}
	if len(newest.Mends) > 0 {
		changes := "one change"
		if n := len(newest.Mends); n > 1 {
			changes = fmt.Sprintf("%d changes", n)
		}
		where += fmt.Sprintf(" (after %s: %s)", changes, newest.Mends[0].Name)
	}
	d := &draft{public: true}
	switch verdict {
	case casefile.Reproduces:
		fmt.Fprintf(d, "This issue still reproduces on %s.\n\n", where)
	case casefile.Flaky:
		fmt.Fprintf(d, "This issue still reproduces on %s, in %d of %d runs.\n\n", where, newest.Tally.Yes,
			newest.Tally.Runs())
	case casefile.Fixed:
		fmt.Fprintf(d, "This issue no longer reproduces on %s.\n\n", where)
	case casefile.DoesNotReproduce:
		fmt.Fprintf(d, "This issue does not reproduce on %s.\n\n", where)
	case casefile.DifferentError, casefile.Hangs, casefile.Changed, casefile.Unsure:
		if newest.Drift {
			return "" // it says something of this machine, and nothing of the issue
		}
		_, reason := c.Verdict()
		fmt.Fprintf(d, "%s\n\n", reason)
	default:
		return ""
	}
	changed(d, c)
	modernized(d, newest)
	found(d, c)
	if verdict != casefile.Fixed {
		smaller(d, c)
	}
	if verdict == casefile.Fixed && len(c.Marks) > 0 {
		var marks []string
		for _, m := range c.Marks {
			marks = append(marks, m.String())
		}
		fmt.Fprintf(d, "Marks that expect it to fail can go: %s.\n\n", strings.Join(marks, "; "))
	}
	if !slices.Contains([]casefile.Verdict{casefile.Reproduces, casefile.Flaky, casefile.Fixed}, verdict) {
		d.own(Next(c) + "\n\n")
	}
	d.own(signed)
	return d.String()
}

// Next is the next step that a case recommends, in one sentence; empty if nothing
// follows from it.
func Next(c casefile.Case) string {
	verdict, _ := c.Verdict()
	switch verdict {
	case casefile.Reproduces, casefile.Flaky:
		return "This is still a valid bug."
	case casefile.Fixed:
		return "It appears to be fixed and can be closed."
	case casefile.DoesNotReproduce, casefile.Unsure:
		return "Does it still happen for you with the newest release? If so, a program that shows it would help."
	case casefile.DifferentError:
		return "Is this the same problem? A program that runs on the newest release would tell."
	case casefile.Changed:
		return "Which of the two is right?"
	case casefile.Hangs:
		return "Is this the reported problem, or does the program need longer?"
	}
	return ""
}

// modernized is the program as it was run, if it had to be changed for that.
func modernized(d *draft, a casefile.Asked) {
	if a.Program == "" {
		return
	}
	d.own("The program, as it runs today:\n\n")
	d.fence("python", a.Program)
	d.own("\n")
}

// found is where it goes wrong, if that was measured.
func found(d *draft, c casefile.Case) {
	if c.Why == nil || !c.Why.Measured || c.Why.Component == "" {
		return
	}
	fmt.Fprintf(d, "Turning one setting at a time points to: %s.%s\n\n", c.Why.Component,
		strings.Join(append([]string{""}, c.Why.Means...), " "))
}

// changed says since when, and by which pull request, as far as it is known.
func changed(d *draft, c casefile.Case) {
	w := c.When
	if w == nil || w.Found.Found == nil {
		return
	}
	if _, _, ok := w.Exact(); ok {
		fmt.Fprintf(d, "%s\n\n", w.Words())
	}
	if len(w.Suspects) == 0 || w.Suspects[0].Pull == 0 {
		return
	}
	verdict, _ := c.Verdict()
	did := "fixed"
	if verdict != casefile.Fixed {
		did = "introduced"
	}
	first, sure := w.Culprit()
	if sure {
		d.own(fmt.Sprintf("It was %s by #%d.\n\n", did, first.Pull))
		return
	}
	if !named(c, first.Pull) {
		d.own(fmt.Sprintf("It was possibly %s by #%d (not verified).\n\n", did, first.Pull))
	}
}

// named reports whether somebody on the issue has named a pull request.
func named(c casefile.Case, pull int) bool {
	as := regexp.MustCompile(fmt.Sprintf(`(?:#|/pull/)%d\b`, pull))
	return slices.ContainsFunc(c.Report.Posts(), as.MatchString)
}

// posted reports whether the thread has a program already, however it is laid out.
func posted(c casefile.Case, program string) bool {
	return slices.ContainsFunc(c.Thread.Programs, func(p intake.Program) bool {
		return slices.Equal(strings.Fields(p.Text), strings.Fields(program))
	})
}

// smaller is the smallest program, if it is much smaller than the one in the
// thread, and what is necessary to trigger the bug.
func smaller(d *draft, c casefile.Case) {
	s := c.Small
	if s == nil || !s.Verified || 4*s.After.Tokens > 3*s.Before.Tokens || posted(c, s.Program) {
		return
	}
	if c.SmallFrom != "" {
		fmt.Fprintf(d, "Minimized repro, from %s, which seems to be the same bug:\n\n", c.SmallFrom)
	} else {
		d.own("Minimized repro:\n\n")
	}
	d.fence("python", s.Program)
	d.own("\n")
	triggers := s.Triggers(c.Repro.Files[bug.Script])
	for _, t := range triggers {
		if strings.HasPrefix(t, "needs no ") {
			fmt.Fprintf(d, "It %s.\n\n", t)
		}
	}
	triggers = slices.DeleteFunc(triggers, func(t string) bool { return strings.HasPrefix(t, "needs no ") || said(c, t) })
	if len(triggers) > 0 {
		fmt.Fprintf(d, "All of the following are necessary to trigger the bug:\n\n- %s\n\n",
			strings.Join(triggers, "\n- "))
	}
}

// said reports whether somebody has said of a condition already that it matters: its very words
// are in the thread's prose.
func said(c casefile.Case, condition string) bool {
	words := bug.Squeeze(strings.Trim(strings.TrimPrefix(condition, "needs "), "` "))
	prose := bug.Squeeze(strings.Join(append([]string{c.Report.Title, c.Thread.Prose}, c.Thread.Talk...), "\n"))
	return strings.Contains(prose, words)
}
