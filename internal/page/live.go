package page

import (
	"fmt"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk/browsed"
	"github.com/scrub-dev/scrub/internal/store"
)

// A Job is work that goes on, or is over.
type Job struct {
	ID      string    `json:"id"`
	What    string    `json:"what"`
	Case    string    `json:"case,omitempty"`
	By      string    `json:"by"`
	Started time.Time `json:"started"`
	Words   string    `json:"words"` // how far it has come
	Show    string    `json:"show,omitempty"`
	N       int       `json:"n,omitempty"`
	Of      int       `json:"of,omitempty"`
	Over    bool      `json:"over,omitempty"`
	Repo    string    `json:"-"`
	Writes  bool      `json:"-"` // it is done in public
	May     bool      `json:"-"` // whoever looks may stop it
}

// Live is what runs now.
func (f Frame) Live(jobs []Job, items []store.Item, now time.Time) g.Node {
	var here, elsewhere []g.Node
	for _, j := range jobs {
		here = append(here, f.job(j, now))
	}
	for _, i := range items {
		elsewhere = append(elsewhere, h.Tr(h.Td(text(i.Source)), h.Td(text(clip(i.Title, 80))), h.Td(text(i.Step)),
			h.Td(text(i.Doing)), h.Td(when(i.Updated))))
	}
	return f.Page(h.H1(g.Text("Live")),
		h.Div(h.ID("jobs"), g.Group(here), g.If(len(here) == 0, h.P(h.Class("soft"), g.Text("Nothing runs here now.")))),
		h.Div(h.ID("workers"), g.If(len(elsewhere) > 0, h.Section(h.H2(g.Text("Workers")), h.P(h.Class("soft"),
			g.Text("A report that a worker has is stopped with its backlog, on the page Queue.")),
			scroll("what workers do", h.Table(h.THead(h.Tr(h.Th(g.Text("report")), h.Th(g.Text("title")),
				h.Th(g.Text("step")), h.Th(g.Text("doing")),
				h.Th(g.Text("since")))), h.TBody(g.Group(elsewhere))))))))
}

func (f Frame) job(j Job, now time.Time) g.Node {
	state, left := "has ended", ""
	if !j.Over {
		state = "for " + now.Sub(j.Started).Round(time.Second).String()
		if j.N > 0 && j.Of > j.N {
			most := time.Duration(float64(now.Sub(j.Started)) / float64(j.N) * float64(j.Of-j.N))
			left = fmt.Sprintf(", about %.0f s left", most.Seconds())
		}
	}
	return h.Article(h.Class("card"), h.ID("job-"+j.ID), h.H2(text(j.What)),
		h.P(h.Class("soft"), textf("Asked for by %s, %s", j.By, state), h.Span(h.Class("left"), text(left)), g.Text(". "),
			g.If(j.Case != "", h.A(h.Href("/case/"+j.Case), g.Text("The case")))),
		h.P(h.Class("step"), h.Aria("live", "polite"), text(j.Words)),
		g.If(j.Of > 0, h.Progress(h.Max(fmt.Sprint(j.Of)), h.Value(fmt.Sprint(j.N)),
			h.Aria("label", "how far it has come"))),
		h.Pre(h.Class("show wrap"), g.If(j.Show == "", g.Attr("hidden")), h.TabIndex("0"), h.Role("region"),
			h.Aria("label", "what there is to see of it"),
			text(short(j.Show))),
		g.If(j.May && !j.Over, f.form("/cancel", hidden("job", j.ID), h.Button(g.Text("Stop it")))))
}

// Charts is what people look at of a backlog.
func (f Frame) Charts(c Charts) g.Node {
	return f.Page(h.H1(g.Text("Charts")), section("Verdicts", bars("cases by verdict", c.Verdicts)),
		section("Open by component", bars("cases that still show their bug, by component", c.Components)),
		section("Verdicts by week", bars("verdicts given in each week", c.Weeks)),
		section("Time to verdict", bars("how long issues were open before their first verdict, of the last twelve weeks",
			c.Times)),
		section("How often we were wrong", h.P(text(c.Wrong)),
			g.If(len(c.Objected) > 0, bars("what people objected to, of what was done in public each week", c.Objected))))
}

// Charts are the figures behind the page of that name.
type Charts struct {
	Verdicts, Components, Weeks, Times, Objected []Bar
	Wrong                                        string
}

// WeekBar is the bar of a week: its verdicts, side by side.
func WeekBar(w browsed.Week) Bar {
	b := Bar{Name: w.Name, N: float64(w.N()), Words: fmt.Sprint(w.N())}
	var said []string
	for _, v := range w.Verdicts {
		b.Parts = append(b.Parts, Bar{N: float64(v.N), Class: colour(casefile.Verdict(v.Value))})
		said = append(said, fmt.Sprintf("%d %s", v.N, v.Value))
	}
	if len(said) > 0 {
		b.Words += ": " + strings.Join(said, ", ")
	}
	return b
}

// VerdictBar is the bar of a verdict.
func VerdictBar(v string, n int) Bar {
	return Bar{Name: v, N: float64(n), Class: colour(casefile.Verdict(v)), Words: fmt.Sprint(n)}
}

// Audit is what people did.
func (f Frame) Audit(all []store.Audited) g.Node {
	var rows []g.Node
	for _, a := range all {
		rows = append(rows, h.Tr(h.Td(when(a.At)), h.Td(text(a.Who)), h.Td(text(a.Did)), h.Td(text(a.Target)),
			h.Td(text(bug.Short(a.Detail, 160)))))
	}
	return f.Page(h.H1(g.Text("Audit")),
		h.P(h.Class("soft"), g.Text("What people did on this page, the last first. Nothing is ever removed.")),
		scroll("audit", h.Table(h.THead(h.Tr(h.Th(g.Text("when")), h.Th(g.Text("who")), h.Th(g.Text("did")),
			h.Th(g.Text("to")), h.Th(g.Text("detail")))), h.TBody(g.Group(rows)))))
}
