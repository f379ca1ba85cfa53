package mcp

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/duplicated"
	"github.com/scrub-dev/scrub/internal/desk/explained"
	"github.com/scrub-dev/scrub/internal/desk/fixed"
	"github.com/scrub-dev/scrub/internal/desk/guessed"
	"github.com/scrub-dev/scrub/internal/desk/tested"
	"github.com/scrub-dev/scrub/internal/guide"
	"github.com/scrub-dev/scrub/internal/report"
	"github.com/scrub-dev/scrub/internal/vet"
)

// asking is what a person must decide before more can be found out about a report.
func asking(c desk.Case) (waiting, bool) {
	if !c.Waits() || c.Brief().Waits != casefile.MayRun {
		return waiting{}, false
	}
	w := waiting{Digest: c.Repro.Digest(), Text: c.Repro.Files[bug.Script]}
	for _, f := range c.Findings {
		if f.Severity != vet.Note {
			w.Classes = append(w.Classes, f.Class)
		}
	}
	return w, true
}

// Brief is what an agent is told of a report.
func Brief(c desk.Case) string {
	s := Server{mark: rand.Text()[:10]}
	if w, ok := asking(c); ok {
		a := w.answer()
		return s.text(a)
	}
	a := caseOf(c)
	a.more = "scrub show " + c.ID
	if t := c.Triage; t != nil {
		a.next = "triage rule " + word(t.Rule) + " stopped it; if the report says otherwise: --ignore-rule " + word(t.Rule)
	}
	return s.text(a)
}

// caseOf is what was found out about a report.
func caseOf(c desk.Case) answer {
	var a answer
	a.say("verdict: %s", c.Verdict)
	if p := c.Certainty(); p > 0 {
		a.say("certainty: %.0f %%", 100*p)
	}
	for _, one := range c.Asked {
		n := one.Tally.Runs()
		a.say("on %s: %d of %d runs show it", word(one.Runtime.Version), one.Tally.Yes, n)
	}
	if c.Why != nil {
		a.say("component: %s (%s)", word(c.Why.Component), how(c.Why.Measured))
	}
	if s := c.Small; s != nil {
		a.say("smallest program: %d lines, of %d", s.After.Lines, s.Before.Lines)
	}
	if c.Regression != nil {
		a.say("regression test proven: %s", yes(c.Regression.Proven))
	}
	if n := len(c.Proposals); n > 0 {
		a.say("proposed: %s", bug.Count(n, "action"))
	}
	a.say("case: %s", c.ID)
	a.quote("why", c.Reason)
	if w := c.When; w != nil {
		a.quote("when", w.Words())
	}
	if s := c.Small; s != nil {
		a.quote("the smallest program", s.Program)
	}
	if c.Regression != nil && c.Regression.Proven {
		a.quote("the regression test", c.Regression.Test.Text)
	}
	if len(c.Asked) > 0 {
		if last := c.Asked[len(c.Asked)-1].Tally.Outcomes; len(last) > 0 {
			a.quote(rest(c.Reason, last[len(last)-1]))
		}
	}
	a.more = "resource scrub://case/" + c.ID + "/report"
	if t := c.Triage; t != nil {
		a.next = "triage rule " + word(t.Rule) + " stopped it; if the report says otherwise, name that rule in ignore"
	} else {
		a.next = report.Next(c.Case)
	}
	return a
}

func triaged(t desk.Triaged) answer {
	var a answer
	if t.Verdict == "" {
		a.say("actionable: yes")
	} else {
		a.say("actionable: no; verdict %s", t.Verdict)
		if t.Triage != nil {
			a.say("triage rule: %s", word(t.Triage.Rule))
		}
	}
	a.say("programs: %d, errors: %d, pictures: %d", len(t.Thread.Programs), len(t.Thread.Exceptions), t.Thread.Images)
	if t.Symptom.Kind != bug.Unsaid {
		a.quote("claimed failure ("+t.SymptomFrom+")", bug.Short(t.Symptom.String(), 300))
	}
	a.quote("reported version", t.Reported)
	var routes []string
	for _, r := range t.Routes {
		routes = append(routes, fmt.Sprintf("%s: %s", r.Label, r.Evidence))
	}
	a.quote("labels that its text speaks for, each with the line", strings.Join(routes, "\n"))
	a.quote("why", t.Reason)
	if program := t.Repro.Files[bug.Script]; len(t.Candidates) > 0 {
		if own := t.Thread.Programs; len(own) == 1 && strings.TrimSpace(own[0].Text) == strings.TrimSpace(program) {
			a.say("the program that would be tried: the only one in it, %d lines", strings.Count(program, "\n")+1)
		} else {
			a.quote("the program that would be tried", program)
		}
	}
	if t.Verdict == "" {
		a.next = "call issue to run it"
	}
	return a
}

// mostRead is how much of a thread one answer has.
const mostRead = 2200

// paged is a thread from some byte on.
func paged(r bug.Report, from int) answer {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\nby %s, %s, labels: %s\n\n%s\n", r.Title, r.Author, r.Created.Format(time.DateOnly),
		strings.Join(r.Labels, ", "), r.Body)
	for i, c := range r.Comments {
		fmt.Fprintf(&b, "\n--- comment %d, by %s, %s\n%s\n", i+1, c.Author, c.Created.Format(time.DateOnly), c.Body)
	}
	text := report.Clean(b.String())
	from = min(from, len(text))
	to := min(from+mostRead, len(text))
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to--
	}
	var a answer
	a.say("state: %s, comments: %d, bytes %d to %d of %d", word(cmp.Or(string(r.State), "unknown")), len(r.Comments),
		from, to, len(text))
	a.quote("the thread", strings.ToValidUTF8(text[from:to], ""))
	if to < len(text) {
		a.next = fmt.Sprintf("call read with from=%d for more", to)
	}
	return a
}

func vetted(v desk.Vetted) answer {
	var a answer
	a.say("a person must agree before it runs: %s", yes(v.Asks))
	a.say("program: %s", cmp.Or(v.Program, "none"))
	var found []string
	for _, f := range v.Findings {
		a.say("line %d: %s (%s)", f.Line, f.Class, f.Severity)
		found = append(found, fmt.Sprintf("line %d: %s: %s (%s)", f.Line, f.Severity, f.Says(), f.Name))
	}
	a.quote("findings with the names that the program uses", strings.Join(found, "\n"))
	return a
}

func classified(c desk.Classified) answer {
	var a answer
	a.say("kind: %s", cmp.Or(c.Category, "unknown"))
	if c.Component != "" {
		a.say("component: %s", word(c.Component))
	}
	if c.Phase != "" {
		a.say("phase: %s", word(c.Phase))
	}
	return a
}

func ran(r desk.Run) answer {
	var a answer
	if r.Answer != nil {
		a.say("shows what was expected: %s (%d of %d runs)", *r.Answer, r.Tally.Yes, r.Tally.Runs())
	}
	a.say("on Python %s, program %s", word(r.Runtime.Version), r.Program)
	ends := map[string]int{}
	for _, o := range r.Tally.Outcomes {
		ends[o.Words()]++
	}
	var how []string
	for words, n := range ends {
		how = append(how, fmt.Sprintf("%d times it %s", n, words))
	}
	slices.Sort(how)
	ended := strings.Join(how, "\n")
	a.quote("how the runs ended", ended)
	if n := len(r.Tally.Outcomes); n > 0 {
		a.quote(rest(ended, r.Tally.Outcomes[n-1]))
	}
	return a
}

func small(m desk.Minimized) answer {
	var a answer
	a.say("%d lines and %d tokens, of %d and %d; %d runs", m.After.Lines, m.After.Tokens, m.Before.Lines,
		m.Before.Tokens, m.Runs)
	a.say("every part is needed: %s; verified in a new process: %s", yes(m.Minimal), yes(m.Verified))
	a.quote("what it shows", bug.Short(m.Symptom.String(), 200))
	a.quote("the smallest program", m.Program)
	a.quote("what holds it to the same bug", strings.Join(m.Held, "\n"))
	if !m.Minimal {
		a.next = "call again: it goes on where it was"
	}
	return a
}

func how(measured bool) string {
	return map[bool]string{true: "as measured", false: "as printed"}[measured]
}

func yes(b bool) string { return map[bool]string{true: "yes", false: "no"}[b] }

func bisected(b desk.Bisected) answer {
	var a answer
	if b.From != "" && b.To != "" {
		a.say("changed between %s and %s", word(b.From), word(b.To))
	} else {
		a.say("not found for sure")
	}
	if b.Pull > 0 {
		a.say("pull request: #%d", b.Pull)
	}
	a.quote("in a sentence", b.Words)
	return a
}

func ablated(w desk.Ablated) answer {
	var a answer
	a.say("kind: %s; component: %s (%s)", cmp.Or(w.Class.Category, "unknown"), word(w.Component), how(w.Measured))
	if len(w.Labels) > 0 {
		a.say("labels: %s", strings.Join(w.Labels, ", "))
	}
	for _, m := range w.Means {
		a.say("%s", m)
	}
	return a
}

func logged(l explained.Logs) answer {
	var a answer
	switch {
	case l.Code == nil:
		a.say("the program timed out")
	default:
		a.say("the program ended with exit code %d", *l.Code)
	}
	a.say("files: %d", len(l.Names))
	for _, name := range l.Names {
		a.files = append(a.files, quoted{what: name, text: string(l.Files[name])})
	}
	a.quote("what is in them", strings.Join(l.Says, "\n"))
	a.quote("a smaller program that the minifier made", l.Text(l.Found))
	return a
}

func weighed(g guessed.Guessed) answer {
	var a answer
	a.say("accepted: %s", yes(g.Accepted))
	var why []string
	for _, o := range g.Against {
		a.say("against it: %s", o.Kind)
		why = append(why, string(o.Kind)+": "+o.Why)
	}
	if g.Accepted {
		c := caseOf(g.Case)
		a.say("made up: %s", g.Case.Guess.What())
		a.says, a.data, a.more = append(a.says, c.says...), c.data, c.more
		a.next = "say that it was made up when you report it; the author is asked for a program"
		a.quote("what speaks for it", strings.Join(g.For, "\n"))
		return a
	}
	a.quote("why not", strings.Join(why, "\n"))
	a.quote("what speaks for it", strings.Join(g.For, "\n"))
	var seen []string
	for _, one := range g.Seen {
		seen = append(seen, bug.Squeeze(one.Statement)+"  # older: "+bug.Squeeze(one.Older)+"; newer: "+
			bug.Squeeze(one.Newer))
	}
	a.quote("statements that two versions do differently", strings.Join(seen, "\n"))
	a.next = "propose something else that the report bears out, or say that it cannot be told"
	return a
}

func hinted(all []guide.Hint) answer {
	var a answer
	a.say("hints: %d", len(all))
	rows := make([]string, len(all))
	for i, h := range all {
		rows[i] = h.Say
	}
	a.list("what usually goes with them", rows)
	return a
}

func proven(r tested.Regression) answer {
	var a answer
	a.say("proven: %s; it fails with the bug and passes without it, in %d runs each", yes(r.Proven), r.Runs)
	a.quote("the test", r.Test.Text)
	return a
}

func checked(c fixed.Checked) answer {
	var a answer
	a.say("fixed: %s", c.Fixed)
	for _, n := range c.Nearby {
		if n.Broken() {
			a.say("it breaks a test nearby")
			break
		}
	}
	a.quote("in words", c.Words)
	return a
}

// mostListed is how many rows an answer has.
const mostListed = 20

func listed(all []desk.Row, words string) answer {
	var a answer
	var rows []string
	for _, r := range all {
		row := fmt.Sprintf("%s %s %s: %s", r.ID, r.Verdict, r.Ref, bug.Short(bug.Squeeze(r.Title), 80))
		has := true
		for _, w := range strings.Fields(strings.ToLower(words)) {
			has = has && strings.Contains(strings.ToLower(row), w)
		}
		if has {
			rows = append(rows, row)
		}
	}
	a.say("cases: %d", len(rows))
	a.list("the first of them", rows)
	return a
}

func similar(f duplicated.Found) answer {
	var a answer
	a.say("pairs: %d", len(f.Pairs))
	for _, p := range f.Pairs {
		a.quote(fmt.Sprintf("%s and %s", word(cmp.Or(p.Older.Ref, p.Older.Case)), word(cmp.Or(p.Newer.Ref, p.Newer.Case))),
			strings.Join(p.Evidence, "\n"))
	}
	return a
}

func proposals(all []desk.Action) answer {
	var a answer
	a.say("proposals: %d", len(all))
	for _, one := range all {
		a.say("%s %s on %s: %s", one.Action.Short(), one.Action.Kind, word(one.Action.On.String()), one.Status)
	}
	a.next = "a person agrees with scrub approve ID, or on the page of scrub serve"
	return a
}
