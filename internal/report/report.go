// Package report says in plain words what a case found.
package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
)

// Markdown writes c for people to read.
func Markdown(c casefile.Case) string {
	b := new(draft)
	verdict, reason := c.Verdict()
	title := c.Report.Title
	if title == "" {
		title = "Untitled report"
	}
	fmt.Fprintf(b, "# %s\n\n", bug.Squeeze(title))
	fmt.Fprintf(b, "**%s**: %s\n\n", verdict, bug.Squeeze(Homeless(reason)))
	if ref := c.Report.Ref.String(); ref != "" {
		fmt.Fprintf(b, "- issue: %s\n", ref)
	}
	fmt.Fprintf(b, "- case: %s\n", c.ID())
	if links := linked(c.Report.Links); links != "" {
		fmt.Fprintf(b, "- linked: %s\n", links)
	}
	if c.Symptom.Kind != bug.Unsaid {
		fmt.Fprintf(b, "- reported: %s (from %s)\n", bug.Squeeze(c.Symptom.String()), c.SymptomFrom)
	}
	if c.Observed != nil && len(c.Observed.Clues) > 0 {
		fmt.Fprintf(b, "- observed: %s in all programs, %d of them with different results between versions\n",
			bug.Count(c.Observed.Statements, "statement"), len(c.Observed.Clues))
	}
	if c.Guess != nil {
		fmt.Fprintf(b, "- made up by %s: %s\n", c.Guess.By, c.Guess.What())
		for _, why := range c.Guess.For {
			fmt.Fprintf(b, "  - %s\n", bug.Squeeze(Homeless(why)))
		}
	}
	if c.Remark != nil {
		fmt.Fprintf(b, "- from the text alone: %s\n", c.Remark.Reason)
	}
	if versions := c.Versions(); versions != "" {
		fmt.Fprintf(b, "- %s: %s\n", c.Project, versions)
	}
	if next := Next(c); next != "" {
		fmt.Fprintf(b, "- next: %s\n", next)
	}
	if c.Triage != nil && len(c.Triage.Words) > 0 {
		fmt.Fprintf(b, "- matched: %s\n", quoted(c.Triage.Words))
	}
	writeRuns(b, c)
	writeWhen(b, c)
	writeSmall(b, c)
	writeWhy(b, c)
	writeTest(b, c)
	writeProgram(b, c)
	writeProposals(b, c)
	return b.String()
}

func writeRuns(b *draft, c casefile.Case) {
	if len(c.Asked) == 0 {
		return
	}
	b.own("\n## Runs\n\n| environment | runs | result | time |\n|---|---|---|---|\n")
	for _, a := range c.Asked {
		for _, g := range groups(a.Tally.Outcomes) {
			b.row(c.Where(a), g.runs, Homeless(g.words), g.took)
		}
	}
	if out := c.Asked[len(c.Asked)-1].Tally.Outcomes[0]; out.Failed() || c.Symptom.InOutput() {
		text := strings.TrimSpace(out.Stdout + out.Stderr)
		if text != "" {
			b.WriteString("\nOutput of the first run:\n\n")
			b.fence("", Homeless(tail(text, 40)))
		}
	}
}

// Runs says line by line how runs ended, with those that ended alike in one.
func Runs(where string, all []bug.Outcome) string {
	var b strings.Builder
	for _, g := range groups(all) {
		fmt.Fprintf(&b, "run %s on %s: the program %s, %s\n", g.runs, where, g.words, g.took)
	}
	return b.String()
}

// A group is runs in a row that ended alike.
type group struct{ runs, words, took string }

func groups(all []bug.Outcome) []group {
	var found []group
	for i := 0; i < len(all); {
		n := alike(all[i:])
		g := group{runs: fmt.Sprint(i + 1), words: all[i].Words(), took: duration(all[i : i+n])}
		if n > 1 {
			g.runs += fmt.Sprintf(" to %d", i+n)
		}
		found = append(found, g)
		i += n
	}
	return found
}

// alike is how many outcomes at the beginning of all say the same.
func alike(all []bug.Outcome) int {
	n := slices.IndexFunc(all, func(o bug.Outcome) bool { return o.Words() != all[0].Words() })
	if n < 0 {
		return len(all)
	}
	return n
}

// duration is how long the runs took, from the shortest to the longest.
func duration(runs []bug.Outcome) string {
	wall := func(a, b bug.Outcome) int { return cmp.Compare(a.Cost.Wall, b.Cost.Wall) }
	short, long := slices.MinFunc(runs, wall).Cost.Wall.Round(time.Millisecond), slices.MaxFunc(runs,
		wall).Cost.Wall.Round(time.Millisecond)
	if short == long {
		return short.String()
	}
	return fmt.Sprintf("%v to %v", short, long)
}

func writeProgram(b *draft, c casefile.Case) {
	if len(c.Candidates) == 0 {
		return
	}
	p := c.Candidates[0]
	why := "Picked: " + p.Why
	if c.SymptomFrom == casefile.Observing {
		why = "Made of the report's programs: one statement and the code before it"
	}
	fmt.Fprintf(b, "\n## Program\n\n%s. Its digest is `%s`.\n", why, c.Repro.Digest())
	if p.Session && c.SymptomFrom != casefile.Observing {
		b.WriteString("It was a `>>>` session; `print(repr(…))` was added to print the values that it showed.\n")
	}
	writeMends(b, c)
	if c.Modified != nil {
		fmt.Fprintf(b, "This is a modified version by %s, not the program of the report.\n", c.Modified.By)
	}
	if len(c.Findings) > 0 {
		b.WriteString("\nFindings:\n\n")
		for _, f := range c.Findings {
			where := fmt.Sprintf("line %d", f.Line)
			if f.Line == 0 {
				where = "the report"
			}
			fmt.Fprintf(b, "- %s, %s: %s (%s)\n", where, f.Class, f.Says(), bug.Code(f.Name))
		}
	}
	if c.Consent.Decision != casefile.Nothing {
		fmt.Fprintf(b, "\nDecided by %s: %s%s.\n", c.Consent.By, c.Consent.Decision, because(c.Consent.Why))
	}
	b.WriteString("\n")
	b.fence("python", c.Repro.Files[bug.Script])
}

// writeMends says what scrub changed, so that nobody takes it for the
// reporter's.
func writeMends(b *draft, c casefile.Case) {
	all := slices.Clone(c.Mends)
	for _, a := range c.Asked {
		all = append(all, a.Mends...)
	}
	if len(all) == 0 {
		return
	}
	b.WriteString("\nChanged by scrub so that it runs:\n\n")
	for _, m := range slices.Compact(all) {
		fmt.Fprintf(b, "- %s: %s\n", m.Name, bug.Code(m.Text))
	}
}

func writeProposals(b *draft, c casefile.Case) {
	if len(c.Proposals) == 0 {
		return
	}
	b.WriteString("\n## Proposed\n\n")
	dealt := slices.ContainsFunc(c.Proposals, func(a action.Action) bool {
		how := c.Standing[a.Short()]
		return how != "" && how != string(action.Proposed)
	})
	if !dealt {
		b.WriteString("None of this has been done yet. To do it, approve it by its id with `scrub approve` and run " +
			"`scrub apply`.\n\n")
	}
	for _, a := range c.Proposals {
		how := ""
		if dealt {
			how = fmt.Sprintf(" (**%s**)", cmp.Or(c.Standing[a.Short()], string(action.Proposed)))
		}
		if strings.Contains(a.Text, "\n") {
			fmt.Fprintf(b, "- `%s` %s on %s%s:\n\n", a.Short(), a.Kind, a.On, how)
			b.fence("markdown", a.Text)
			b.WriteString("\n")
			continue
		}
		fmt.Fprintf(b, "- `%s` %s on %s%s: %s\n", a.Short(), a.Kind, a.On, how, a.Text)
	}
}

// linked are the pull requests and commits that the forge ties to an issue.
func linked(all []bug.Link) string {
	var words []string
	for _, l := range all {
		w := fmt.Sprintf("#%d", l.Pull)
		if l.Commit != "" {
			w = bug.Short(l.Commit, 13)
		}
		if l.Closes {
			w += " (closes it)"
		}
		words = append(words, w)
	}
	return strings.Join(words, ", ")
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return ", because " + why
}

func quoted(words []string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = fmt.Sprintf("%q", w)
	}
	return strings.Join(all, ", ")
}

func tail(text string, n int) string {
	lines := strings.Split(text, "\n")
	if len(lines) <= n {
		return text
	}
	return strings.Join(slices.Concat([]string{"…"}, lines[len(lines)-n:]), "\n")
}
