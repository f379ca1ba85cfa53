package page

import (
	"fmt"
	"slices"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/scrub-dev/scrub/internal/ablate"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/browsed"
	"github.com/scrub-dev/scrub/internal/report"
)

// A CaseView is a case and what can be done about it.
type CaseView struct {
	casefile.Document
	Actions  []desk.Action // on its issue
	Moments  []browsed.Moment
	MayRun   bool   // whoever looks may have programs run
	MayAgree bool   // and agree to what is done in public
	Served   bool   // there is a server that answers forms
	Decided  string // the last word on its program, as it was when this was read
}

// Case is the page of a case.
func (f Frame) Case(v CaseView) g.Node {
	f.About, v.Served = v.ID, true
	return f.Page(v.head(h.H1), f.question(v), f.agree(v), v.evidence(), v.rest(), f.further(v))
}

func (v CaseView) body() g.Node { return g.Group{v.head(h.H1), v.evidence(), v.rest()} }

// head is what it is and what is said of it, below a heading of some level.
func (v CaseView) head(level func(...g.Node) g.Node) g.Node {
	title := v.Report.Title
	if title == "" {
		title = "Untitled report"
	}
	where := []g.Node{g.Text("case "), h.Code(g.Text(v.ID))}
	if ref := v.Report.Ref.String(); ref != "" {
		where = append([]g.Node{issue(ref), g.Text(" · ")}, where...)
	}
	return g.Group{level(text(short(bug.Squeeze(title)))), h.P(h.Class("soft"), g.Group(where)), v.verdict()}
}

func issue(ref string) g.Node {
	if address, ok := onForge(ref); ok {
		return h.A(h.Href(address), h.Rel("noreferrer noopener"), text(ref))
	}
	return text(ref)
}

func (v CaseView) verdict() g.Node {
	more := []g.Node{}
	if p := v.Certainty(); p > 0 {
		more = append(more, h.P(textf("Certainty: %.0f %%.", 100*p)))
	}
	if next := report.Next(v.Case); next != "" {
		more = append(more, h.P(h.Strong(g.Text("Next: ")), text(next)))
	}
	return h.Section(h.Class("verdict "+colour(v.Verdict)), h.Aria("label", "Verdict"), badge(v.Verdict),
		h.P(text(short(v.Reason))), g.Group(more))
}

// evidence is the report's words beside what was seen.
func (v CaseView) evidence() g.Node {
	says := ""
	if v.Observed != nil && v.Observed.Judged != nil && v.Observed.Judged.Quote != nil {
		says = v.Observed.Judged.Quote.Quote
	} else if v.Symptom.Kind != bug.Unsaid {
		says = v.Symptom.String()
	} else if v.Triage != nil {
		says = strings.Join(v.Triage.Words, "\n")
	}
	if says == "" && len(v.Asked) == 0 {
		return nil
	}
	left := g.Group{h.H2(g.Text("The report says")), g.If(says != "", output(says, "what the report says")),
		g.If(says == "", h.P(h.Class("soft"), g.Text("Not what goes wrong."))),
		g.If(v.SymptomFrom != "", h.P(h.Class("soft"), textf("From %s.", v.SymptomFrom)))}
	right := g.Group{h.H2(g.Text("The run shows"))}
	for i, a := range v.Asked {
		o := a.Tally.Outcomes[0]
		if at := slices.IndexFunc(a.Tally.Outcomes,
			func(o bug.Outcome) bool { return v.Symptom.In(o) == bug.Yes }); at >= 0 {
			o = a.Tally.Outcomes[at]
		}
		right = append(right, h.P(textf("On %s the program %s.", v.Where(a), o.Words())))
		if out := strings.TrimSpace(o.Stdout + o.Stderr); out != "" {
			right = append(right, output(tail(out, 20), fmt.Sprintf("output of the run on version %d", i+1)))
		}
	}
	if len(v.Asked) == 0 {
		right = append(right, h.P(h.Class("soft"), g.Text("It was not run.")))
	}
	return h.Div(h.Class("sides"), h.Section(h.Class("card"), left), h.Section(h.Class("card"), right))
}

func tail(s string, n int) string {
	all := strings.Split(s, "\n")
	return strings.Join(all[max(0, len(all)-n):], "\n")
}

// rest is all that was found out.
func (v CaseView) rest() g.Node {
	return g.Group{v.program(), v.versions(), v.runs(), v.small(), v.why(), v.test(), v.proposals(), v.timeline()}
}

func section(title string, inside ...g.Node) g.Node {
	return h.Section(h.H2(g.Text(title)), g.Group(inside))
}

func (v CaseView) program() g.Node {
	code := v.Repro.Files[bug.Script]
	if code == "" {
		return nil
	}
	var notes []g.Node
	for _, m := range v.Mends {
		notes = append(notes, h.Li(textf("added: %s", m.Name)))
	}
	for _, f := range v.Findings {
		if f.Line == 0 {
			notes = append(notes, h.Li(textf("%s: %s", f.Severity, f.Why)))
		}
	}
	who := ""
	switch {
	case v.Guess.Made():
		who = "Made up by " + v.Guess.By + ", who is not the author: " + strings.Join(v.Guess.For, "; ") + ". "
	case v.Author != "":
		who = "Written by " + v.Author + ". "
	}
	if v.Consent.By != "" {
		who += fmt.Sprintf("%s said: %s.", v.Consent.By, v.Consent.Decision)
	}
	return section("Program", h.P(h.Class("soft"), text(who)), program(code, v.Findings, "the program",
		v.Brief().Waits == casefile.MayRun && askable(code)),
		g.If(len(notes) > 0, h.Ul(g.Group(notes))))
}

// versions is the strip of those that were asked.
func (v CaseView) versions() g.Node {
	if v.When == nil || len(v.When.Versions) == 0 {
		return nil
	}
	words := [...]string{"could not be tested", "does not show the bug", "shows the bug"}
	var squares, rows []g.Node
	untested := 0
	for i, name := range v.When.Versions {
		k, ok := v.When.Found.Known[i]
		if !ok {
			untested++
			continue
		}
		id := fmt.Sprintf("version-%d", i)
		squares = append(squares, square(id, name, k.Answer, words[k.Answer]))
		rows = append(rows, h.Details(h.Summary(text(name), h.Span(h.Class(classes[k.Answer]), g.Text(" "+words[k.Answer]))),
			h.Div(h.ID(id), h.P(text(k.Why)), g.If(k.Output != "", output(tail(k.Output, 40), "output of the run on "+name)))))
	}
	return section("Versions", h.P(text(v.When.Words())),
		h.Ul(h.Class("strip"), h.Aria("label", "versions that were tested, oldest first"),
			g.Group(squares)), g.If(untested > 0, h.P(h.Class("soft"), textf("%s of %s between them did not have to be tested.",
			bug.Count(untested, "version"), v.When.Of))), culprit(v.When),
		h.H3(g.Text("What each of them did")), h.Div(h.Class("card"), g.Group(rows)))
}

// What stands for an answer: a colour, and a sign for those who do not see it.
var (
	classes = [...]string{"grey", "green", "red"}
	signs   = [...]string{"?", "−", "+"}
)

// square is one place of a strip, which leads to what was seen there.
func square(id, name string, a bug.Answer, words string) g.Node {
	return h.Li(h.A(h.Href("#"+id), h.Class(classes[a]), h.Span(h.Aria("hidden", "true"), g.Text(signs[a]+" ")),
		text(name), h.Span(h.Class("skip"), g.Text(" "+words))))
}

func culprit(w *casefile.When) g.Node {
	if s, sure := w.Culprit(); sure {
		return h.P(h.Strong(g.Text("Changed by ")), textf("#%d: %s", s.Pull, s.Commit.Subject))
	}
	if len(w.Suspects) == 0 {
		return nil
	}
	var all []g.Node
	for _, s := range w.Suspects[:min(5, len(w.Suspects))] {
		all = append(all, h.Li(textf("#%d: %s (%s)", s.Pull, s.Commit.Subject,
			strings.Join(slices.Concat(s.Evidence, s.Doubts), "; "))))
	}
	return g.Group{h.P(g.Text("Most likely changed by:")), h.Ul(g.Group(all))}
}

func scroll(label string, table g.Node) g.Node {
	return h.Div(h.Class("wide"), h.TabIndex("0"), h.Role("region"), h.Aria("label", label), table)
}

func (v CaseView) runs() g.Node {
	if len(v.Asked) == 0 {
		return nil
	}
	var all []g.Node
	for i, a := range v.Asked {
		var outcomes []g.Node
		for j, o := range a.Tally.Outcomes[:min(20, len(a.Tally.Outcomes))] {
			outcomes = append(outcomes, h.H3(textf("Run %d: it %s, in %v", j+1, o.Words(),
				o.Cost.Wall.Round(time.Millisecond))))
			if out := strings.TrimSpace(o.Stdout + o.Stderr); out != "" &&
				(j == 0 || o.Words() != a.Tally.Outcomes[0].Words()) {
				outcomes = append(outcomes, output(tail(out, 100), fmt.Sprintf("output of run %d on version %d", j+1, i+1)))
			}
		}
		t := a.Tally
		all = append(all, h.Details(h.Summary(textf("%s: %d of %d runs show it", v.Where(a), t.Yes, t.Runs())),
			g.Group(outcomes)))
	}
	return section("Runs", h.Div(h.Class("card"), g.Group(all)))
}

func (v CaseView) small() g.Node {
	s := v.Small
	if s == nil {
		return nil
	}
	words := fmt.Sprintf("%d lines reduced to %d, %d tokens to %d, in %d runs.", s.Before.Lines, s.After.Lines,
		s.Before.Tokens,
		s.After.Tokens, s.Runs)
	if s.Verified {
		words += " Verified in a new process."
	}
	var needed []g.Node
	for _, n := range s.Needed {
		needed = append(needed, h.Tr(h.Td(h.Code(text(bug.Short(bug.Squeeze(n.Part), 80)))),
			h.Td(text(bug.Short(n.Without, 160)))))
	}
	return section("Smallest program", h.P(text(words)), h.Div(h.Class("sides"),
		h.Div(h.H3(g.Text("Before")), program(v.Repro.Files[bug.Script], nil, "the program before", false)),
		h.Div(h.H3(g.Text("After")), program(s.Program, nil, "the smallest program", false))),
		curve(s), g.If(len(s.Lost) > 0, h.P(textf("Not needed: %s.", strings.Join(s.Lost, ", ")))),
		g.If(len(needed) > 0, h.Details(h.Summary(g.Text("Why each part must stay")),
			scroll("why each part must stay", h.Table(h.THead(h.Tr(h.Th(g.Text("without")), h.Th(g.Text("what happens")))),
				h.TBody(g.Group(needed)))))))
}

func (v CaseView) why() g.Node {
	w := v.Why
	if w == nil || w.Component == "" && w.Ablation == nil && len(w.Means) == 0 {
		return nil
	}
	how := "as it was printed"
	if w.Measured {
		how = "as it was measured"
	}
	inside := []g.Node{g.If(w.Component != "", h.P(h.Strong(text(w.Component)), textf(", %s. ", how),
		text(w.Class.Means)))}
	if w.Ablation != nil {
		inside = append(inside, matrix(w.Ablation.Cells))
	}
	for _, m := range w.Means {
		inside = append(inside, h.P(text(m)))
	}
	return section("What it depends on", inside...)
}

// matrix is what a bug depends on: a row for each knob, a square for each of its values.
func matrix(cells []ablate.Cell) g.Node {
	words := [...]string{"inconclusive", "gone", "shows it"}
	var knobs []string
	squares := map[string][]g.Node{}
	var rows []g.Node
	for i, c := range cells {
		id, value := fmt.Sprintf("turn-%d", i), c.Value
		if value == "" {
			value = "on"
		}
		if !slices.Contains(knobs, c.Knob) {
			knobs = append(knobs, c.Knob)
		}
		squares[c.Knob] = append(squares[c.Knob], square(id, value, c.Answer, words[c.Answer]))
		rows = append(rows, h.Tr(h.ID(id), h.Th(g.Attr("scope", "row"), text(c.Knob)), h.Td(text(value)),
			h.Td(h.Class(classes[c.Answer]), g.Text(words[c.Answer])), h.Td(text(bug.Short(c.Words, 120)))))
	}
	var lines []g.Node
	for _, k := range knobs {
		lines = append(lines, h.Tr(h.Th(g.Attr("scope", "row"), text(k)), h.Td(h.Ul(h.Class("strip"),
			g.Group(squares[k])))))
	}
	return g.Group{scroll("what it depends on", h.Table(h.THead(h.Tr(h.Th(g.Text("setting")),
		h.Th(g.Text("+ shows the bug; − gone; ? inconclusive")))), h.TBody(g.Group(lines)))),
		h.Details(h.Summary(g.Text("How each of them ended")), scroll("how each ended",
			h.Table(h.THead(h.Tr(h.Th(g.Text("setting")), h.Th(g.Text("value")), h.Th(g.Text("the bug")),
				h.Th(g.Text("how it ended")))), h.TBody(g.Group(rows)))))}
}

func (v CaseView) test() g.Node {
	r := v.Regression
	if r == nil {
		return nil
	}
	if !r.Proven {
		return section("Regression test", h.P(h.Class("soft"), textf("None. %s", r.Why)))
	}
	proof := fmt.Sprintf("It fails on %s (it %s) and passes on %s, %d times each. It belongs in %s.", r.Bad, r.Fails,
		r.Good, r.Runs, r.Place)
	if r.Expected {
		proof = fmt.Sprintf("It fails on %s (it %s), and is marked as expected to. It belongs in %s.", r.Bad, r.Fails,
			r.Place)
	}
	var others []g.Node
	for i, o := range r.Others {
		others = append(others, h.Details(h.Summary(textf("Another failure: it %s", o.Fails)),
			program(o.Test.Text, nil, fmt.Sprintf("the regression test of failure %d", i+2), false)))
	}
	return section("Regression test", h.P(text(proof)), program(r.Test.Text, nil, "the regression test", false),
		g.If(len(others) > 0, h.Div(h.Class("card"), g.Group(others))))
}

func (v CaseView) proposals() g.Node {
	if v.Served || len(v.Proposals) == 0 {
		return nil
	}
	var all []g.Node
	for _, p := range v.Proposals {
		all = append(all, h.Div(h.Class("card"), h.P(h.Strong(textf("%s", p.Kind)), textf(" %s", v.Standing[p.Short()])),
			output(p.Text, "the text of "+string(p.Kind))))
	}
	return section("Proposed", all...)
}

func (v CaseView) timeline() g.Node {
	if len(v.Moments) == 0 {
		return nil
	}
	var rows []g.Node
	for _, m := range v.Moments {
		rows = append(rows, h.Tr(h.Td(when(m.At)), h.Td(text(m.Who)), h.Td(text(m.What))))
	}
	return section("Timeline", scroll("timeline",
		h.Table(h.THead(h.Tr(h.Th(g.Text("when")), h.Th(g.Text("who")), h.Th(g.Text("what")))),
			h.TBody(g.Group(rows)))))
}
