package page

import (
	"fmt"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk/swept"
	"github.com/scrub-dev/scrub/internal/store"
)

// A Home is something of a fleet, and how it is.
type Home struct{ Name, Detail string }

// Fleet is who works, with what, and what may be used up.
func (f Frame) Fleet(workers []store.Worker, sweeps, homes, built, limits []Home) g.Node {
	var who, has, made, spent, goes []g.Node
	for _, one := range sweeps {
		goes = append(goes, h.Tr(h.Td(text(one.Name)), h.Td(text(one.Detail))))
	}
	for _, w := range workers {
		who = append(who, h.Tr(h.Td(text(w.Machine)), h.Td(textf("%d", w.Slots)), h.Td(when(w.Started)),
			h.Td(h.Code(text(clip(w.ID, 20))))))
	}
	for _, one := range homes {
		has = append(has, h.Tr(h.Td(text(one.Name)), h.Td(text(one.Detail))))
	}
	for _, one := range built {
		made = append(made, h.Tr(h.Td(text(one.Name)), h.Td(text(one.Detail))))
	}
	for _, one := range limits {
		spent = append(spent, h.Tr(h.Td(text(one.Name)), h.Td(text(one.Detail))))
	}
	return f.Page(h.H1(g.Text("Fleet")),
		section("Workers", g.If(len(who) == 0, h.P(h.Class("soft"), g.Text("None. Start one with scrub worker."))),
			g.If(len(who) > 0, scroll("workers",
				h.Table(h.THead(h.Tr(h.Th(g.Text("machine")), h.Th(g.Text("at once")), h.Th(g.Text("since")),
					h.Th(g.Text("id")))), h.TBody(g.Group(who)))))),
		section("Backlogs", g.If(len(goes) == 0, h.P(h.Class("soft"), g.Text("None. Begin one with scrub sweep."))),
			g.If(len(goes) > 0, scroll("backlogs", h.Table(h.THead(h.Tr(h.Th(g.Text("sweep")), h.Th(g.Text("reports")))),
				h.TBody(g.Group(goes)))))),
		section("This machine", scroll("this machine", h.Table(h.THead(h.Tr(h.Th(g.Text("what")), h.Th(g.Text("state")))),
			h.TBody(g.Group(has))))),
		section("Environments", g.If(len(made) == 0, h.P(h.Class("soft"), g.Text("None was built on this machine yet."))),
			g.If(len(made) > 0, scroll("environments", h.Table(h.THead(h.Tr(h.Th(g.Text("environment")),
				h.Th(g.Text("state")))), h.TBody(g.Group(made)))))),
		section("Budgets and limits", g.If(len(spent) == 0, h.P(h.Class("soft"), g.Text("Nothing was used up yet."))),
			g.If(len(spent) > 0, scroll("budgets", h.Table(h.THead(h.Tr(h.Th(g.Text("what")),
				h.Th(g.Text("used")))), h.TBody(g.Group(spent)))))))
}

// queueWords are the states of jobs as people say them.
var queueWords = map[string]string{"running": "being done", "retryable": "tried again later", "scheduled": "put off",
	"available": "waiting for a worker", "pending": "pending", "discarded": "given up", "cancelled": "set aside"}

// Queue is what waits for workers: how far backlogs are, and the jobs in each state, at most so many.
func (f Frame) Queue(jobs []swept.Job, sweeps []Home, most int, may bool) g.Node {
	var parts, goes []g.Node
	for _, one := range sweeps {
		goes = append(goes, h.Tr(h.Td(h.Code(text(one.Name))), h.Td(text(one.Detail)),
			h.Td(g.If(may && strings.HasPrefix(one.Detail, "going"), f.form("/queue", hidden("do", "stop"),
				hidden("sweep", one.Name), h.Button(g.Text("Stop it")))))))
	}
	for len(jobs) > 0 {
		n := 1
		for n < len(jobs) && jobs[n].State == jobs[0].State {
			n++
		}
		parts = append(parts, f.queued(jobs[:n], most, may))
		jobs = jobs[n:]
	}
	return f.Page(h.H1(g.Text("Queue")),
		section("Backlogs", g.If(len(goes) == 0, h.P(h.Class("soft"), g.Text("None. Begin one with scrub sweep."))),
			g.If(len(goes) > 0, scroll("backlogs", h.Table(h.THead(h.Tr(h.Th(g.Text("sweep")), h.Th(g.Text("reports")),
				h.Th(g.Text("do")))), h.TBody(g.Group(goes)))))),
		g.Group(parts), g.If(len(parts) == 0, h.P(h.Class("soft"), g.Text("No job waits for a worker."))))
}

// queued are the jobs in one state.
func (f Frame) queued(jobs []swept.Job, most int, may bool) g.Node {
	var rows []g.Node
	for _, j := range jobs {
		what := j.Source
		if j.Title != "" {
			what += ": " + clip(bug.Squeeze(j.Title), 80)
		}
		wrong := bug.Count(len(j.Failed), "failure")
		if len(j.Failed) > 0 {
			wrong += ", last: " + bug.Short(bug.Squeeze(j.Failed[len(j.Failed)-1]), 160)
		}
		if j.Deaths > 0 {
			wrong += fmt.Sprintf("; its worker was gone %d times", j.Deaths)
		}
		var ways []g.Node
		if may && j.State != "running" && j.State != "available" {
			ways = append(ways, f.form("/queue", hidden("do", "now"), hidden("n", fmt.Sprint(j.ID)),
				h.Button(g.Text("Try it now"))))
		}
		if may && j.Item > 0 && (j.State == "retryable" || j.State == "scheduled" || j.State == "available") {
			ways = append(ways, f.form("/queue", hidden("do", "aside"), hidden("sweep", j.Sweep),
				hidden("n", fmt.Sprint(j.Item)), h.Button(g.Text("Set it aside"))))
		}
		rows = append(rows, h.Tr(h.Td(h.Code(text(j.Sweep))), h.Td(text(what)), h.Td(text(j.Do)), h.Td(when(j.Begun)),
			h.Td(g.If(j.State != "available", when(j.Due))), h.Td(text(wrong)), h.Td(g.Group(ways))))
	}
	words := queueWords[jobs[0].State]
	more := ""
	if len(jobs) >= most {
		more = fmt.Sprintf("The first %d.", most)
	}
	return section(strings.ToUpper(words[:1])+words[1:], g.If(more != "", h.P(h.Class("soft"), g.Text(more))),
		scroll(words, h.Table(h.THead(h.Tr(h.Th(g.Text("sweep")), h.Th(g.Text("report")), h.Th(g.Text("step")),
			h.Th(g.Text("last tried")), h.Th(g.Text("next")), h.Th(g.Text("what went wrong")), h.Th(g.Text("do")))),
			h.TBody(g.Group(rows)))))
}
