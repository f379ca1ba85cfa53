package page

import (
	"fmt"
	"html"
	"slices"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/report"
)

// question asks whether the program may run, or whether this is the failure.
func (f Frame) question(v CaseView) g.Node {
	switch b := v.Brief(); {
	case b.Waits == casefile.MayRun && !askable(v.Repro.Files[bug.Script]):
		return h.Div(h.Class("card"), h.H2(g.Text("May this program run?")),
			h.P(g.Text("It is too long to be shown whole here, "+
				"so it cannot be agreed to here. Read it with scrub show, and say so with scrub decide.")))
	case b.Waits == casefile.MayRun && v.MayRun:
		said := func(word, name, class, key string) g.Node {
			return h.Button(h.Name("said"), h.Value(word), h.Class(class), g.If(key != "", h.Data("key", key)),
				g.Text(name+" "), g.If(key != "",
					h.Kbd(g.Text(key))))
		}
		return h.Div(
			h.Class("card"),
			h.H2(g.Text("May this program run?")),
			h.P(
				g.Text("In a sandbox without network, home folder or secrets. What was found in it is marked below, at its lines."),
			),
			f.form("/decide", hidden("case", v.ID), hidden("program", v.Repro.Digest()),
				hidden("seen", v.Decided), hidden("next", f.Next), h.Div(h.Class("row"),
					said("proceed", "Yes, run it", "yes", "y"), said("skip", "No", "no", "n"),
					said("change", "Only a modified version", "", ""))),
		)
	case v.Verdict == casefile.Refused && v.MayRun && v.Consent.Decision == casefile.Skip:
		return h.Div(h.Class("card"), h.P(textf("%s said that this program must not run.", v.Consent.By)),
			f.form("/decide", hidden("case", v.ID), hidden("program", v.Repro.Digest()), hidden("seen", v.Decided),
				h.Button(h.Name("said"), h.Value("proceed"), h.Data("key", "u"), g.Text("Take that back: run it "),
					h.Kbd(g.Text("u")))))
	case b.Waits == casefile.IsFailure && v.MayRun:
		last := v.Asked[len(v.Asked)-1].Tally.Outcomes
		expect := last[len(last)-1].Symptom().Expect()
		if expect == "" {
			return h.Div(h.Class("card"), h.P(g.Text("Whether this is the reported failure is said with scrub issue --expect.")))
		}
		failure, _ := v.Failing()
		return h.Div(h.Class("card"), h.H2(g.Text("Is this the reported failure?")), output(expect, "the failure"),
			f.form("/failure", hidden("case", v.ID), hidden("expect", expect), hidden("failure", failure),
				hidden("next", f.Next), h.Div(h.Class("row"),
					h.Button(h.Class("yes"), h.Name("is"), h.Value("yes"), h.Data("key", "y"), g.Text("Yes "), h.Kbd(g.Text("y"))),
					h.Button(h.Class("no"), h.Name("is"), h.Value("no"), h.Data("key", "n"), g.Text("No "),
						h.Kbd(g.Text("n"))))),
			f.form("/failure", hidden("case", v.ID), hidden("is", "yes"), hidden("next", f.Next), h.Div(h.Class("row"),
				h.Label(h.For("expect-"+v.ID), g.Text("What goes wrong is")), h.Input(h.ID("expect-"+v.ID), h.Name("expect"),
					h.Required(), h.Placeholder("ValueError: text, or prints: text")), h.Button(g.Text("Look for this")))))
	}
	return nil
}

// agree shows what would be written, byte for byte, and asks for consent to exactly that.
func (f Frame) agree(v CaseView) g.Node {
	var shown []g.Node
	var open []string
	for _, a := range v.Actions {
		if a.Status == action.Void {
			continue
		}
		if a.Waits() {
			open = append(open, a.ID)
		}
		shown = append(shown, f.action(a, v.MayAgree))
	}
	if len(shown) == 0 {
		return nil
	}
	var both g.Node
	if len(open) > 0 && v.MayAgree {
		both = f.form("/consent", hidden("case", v.ID), hidden("ids", strings.Join(open, ",")), hidden("next", f.Next),
			h.Div(h.Class("row"), h.Button(h.Class("yes"), h.Name("said"), h.Value("yes"), h.Data("key", "y"),
				textf("Agree to %s ", bug.Count(len(open), "action")), h.Kbd(g.Text("y"))),
				h.Button(h.Class("no"), h.Name("said"), h.Value("no"), h.Data("key", "n"), g.Text("No "), h.Kbd(g.Text("n")))))
	}
	return h.Section(h.ID("decide"), h.H2(g.Text("Proposed in public")), h.P(h.Class("soft"),
		g.Text("You agree to exactly these bytes. Nothing is written before it is applied, "+
			"and nothing if the thread has changed by then.")),
		both, g.Group(shown))
}

// action is one of them.
func (f Frame) action(a desk.Action, may bool) g.Node {
	what := map[action.Kind]string{action.Comment: "Post this comment", action.AddLabel: "Add the label",
		action.RemoveLabel: "Remove the label",
		action.RenewLabel:  "Renew the label", action.Close: "Close it as", action.Reopen: "Reopen it",
		action.OpenPull: "Open a pull request"}[a.Action.Kind]
	said := []g.Node{h.P(h.Strong(g.Text(what)), g.Text(" "),
		g.If(a.Action.Kind != action.Comment, h.Code(g.Text(report.Clean(a.Action.Text)))), g.Text(" "),
		h.Span(h.Class("badge grey"), text(a.Words())))}
	if a.Action.Kind == action.Comment {
		said = append(said, exact(a.Action.Body(), "the comment, byte for byte"))
		if a.Waits() && may {
			said = append(said, h.Details(h.Data("key", "e"), h.Summary(g.Text("Edit it first "), h.Kbd(g.Text("e"))),
				f.form("/edit", hidden("id", a.ID),
					h.Label(h.For("edit-"+a.Action.Short()), g.Text("The comment")), h.Textarea(h.ID("edit-"+a.Action.Short()),
						h.Name("text"), g.Text(a.Action.Text)),
					h.Div(h.Class("row"), h.Button(g.Text("Propose these words instead"))))))
		}
	}
	said = append(said, h.P(h.Class("soft"), textf("Because: %s", html.UnescapeString(a.Action.Why))))
	if a.Failed != "" {
		said = append(said, h.P(h.Class("flash"), textf("It could not be done: %s", a.Failed)))
	}
	mine := slices.ContainsFunc(a.Decisions, func(d action.Vote) bool { return d.By == f.Who })
	if may && mine && a.Begun.IsZero() && a.Status != action.Done && a.Status != action.Void {
		said = append(said, f.form("/withdraw", hidden("ids", a.ID), h.Button(h.Data("key", "u"),
			g.Text("Take back what you said "), h.Kbd(g.Text("u")))))
	}
	return h.Div(h.Class("card"), g.Group(said))
}

// further is what else can be asked of a case.
func (f Frame) further(v CaseView) g.Node {
	var buttons []g.Node
	if v.MayRun && v.Brief().Waits != casefile.MayRun {
		for _, b := range []struct{ what, name string }{{"again", "Run it again"}, {"when", "Which release changed it?"},
			{"small", "Make it small"}, {"why", "What does it depend on?"}, {"test", "Write a test"}} {
			buttons = append(buttons, h.Button(h.Name("do"), h.Value(b.what), g.Text(b.name)))
		}
	}
	return h.Section(h.Class("noprint"), h.H2(g.Text("Further")),
		g.If(len(buttons) > 0, f.form("/run", hidden("case", v.ID), h.Div(h.Class("row"), g.Group(buttons)))),
		h.P(h.A(h.Href("/case/"+v.ID+".json"), g.Text("All of it as JSON")), g.Text(" · "),
			h.A(h.Href("/case/"+v.ID+".html"), g.Text("as one file"))))
}

// written is what an action writes, to the byte.
func written(a action.Action) string {
	if a.Kind == action.Comment {
		return a.Body()
	}
	return a.Text
}

// Batch shows exactly what a yes to several cases would write.
func (f Frame) Batch(all []desk.Action, query string) g.Node {
	var ids []string
	var shown []g.Node
	refs := map[string]bool{}
	for _, a := range all {
		ids = append(ids, a.ID)
		refs[a.Action.On.String()] = true
		shown = append(shown, h.Div(h.Class("card"), h.P(h.Strong(text(a.Action.On.String())), textf(": %s", a.Action.Kind)),
			exact(written(a.Action), fmt.Sprintf("what %s on %s writes", a.Action.Kind, a.Action.On))))
	}
	if len(all) == 0 {
		return f.Page(h.H1(g.Text("Nothing to agree to")), h.P(g.Text("No action on these cases waits for a person.")),
			h.P(h.A(h.Href("/inbox?"+query), g.Text("Back"))))
	}
	return f.Page(h.H1(textf("Agree to %s on %s?", bug.Count(len(all), "action"), bug.Count(len(refs), "issue"))),
		h.P(g.Text("This is all that would be written. An issue whose thread changes before that is left alone.")),
		f.form("/consent", hidden("ids", strings.Join(ids, ",")),
			h.Div(h.Class("row"), h.Button(h.Class("yes"), h.Name("said"), h.Value("yes"), h.Data("key", "y"),
				g.Text("Agree to all of this "), h.Kbd(g.Text("y"))), h.A(h.Class("button"), h.Href("/inbox?"+query),
				g.Text("Back")))), g.Group(shown))
}

// A Blocked is an issue that nothing can be written on now, and why.
type Blocked struct{ Ref, Why string }

// A Change is an issue as it is now, and what would be done to it.
type Change struct {
	Ref, Title, State string
	Labels            []string
	Comments          int
	Own               string // what scrub has said there, which is edited
	Actions           []desk.Action
}

// node is the difference that it would make.
func (c Change) node() g.Node {
	var labels, more []g.Node
	gone, come := map[string]bool{}, []string{}
	state := []g.Node{text(c.State)}
	for _, a := range c.Actions {
		switch a.Action.Kind {
		case action.AddLabel:
			come = append(come, a.Action.Text)
		case action.RemoveLabel:
			gone[a.Action.Text] = true
		case action.Close:
			state = []g.Node{h.Del(text(c.State)), g.Text(" "), h.Ins(textf("closed as %s", a.Action.Text))}
		case action.Reopen:
			state = []g.Node{h.Del(text(c.State)), g.Text(" "), h.Ins(g.Text("open"))}
		case action.Comment:
			change := []g.Node{textf("%s, and then ", bug.Count(c.Comments, "comment")),
				h.Ins(text(bug.Short(bug.Squeeze(a.Action.Text), 160)))}
			if c.Own != "" {
				change = []g.Node{textf("%s, of which scrub's is edited: ", bug.Count(c.Comments, "comment")),
					h.Del(h.Class("whole"), text(c.Own)), h.Ins(h.Class("whole"), text(a.Action.Body()))}
			}
			more = append(more, h.Dt(g.Text("comments")), h.Dd(change...))
		case action.RenewLabel, action.OpenPull:
			more = append(more, h.Dt(text(string(a.Action.Kind))), h.Dd(h.Ins(text(bug.Short(a.Action.Text, 160)))))
		}
	}
	for _, l := range c.Labels {
		if gone[l] {
			labels = append(labels, h.Del(text(l)), g.Text(" "))
		} else {
			labels = append(labels, h.Span(text(l)), g.Text(" "))
		}
	}
	for _, l := range come {
		if !slices.Contains(c.Labels, l) {
			labels = append(labels, h.Ins(text(l)), g.Text(" "))
		}
	}
	return h.Div(h.Class("card"), h.H3(text(c.Ref+": "+clip(bug.Squeeze(c.Title), 80))), h.Dl(h.Class("facts"),
		h.Dt(g.Text("state")), h.Dd(state...), h.Dt(g.Text("labels")), h.Dd(labels...), g.Group(more)))
}

// Apply shows what was agreed to, the difference that it makes to the issues as they are now, and the very requests
// that would be sent; not those on issues that are blocked.
func (f Frame) Apply(all []desk.Action, requests string, blocked []Blocked, changes []Change) g.Node {
	if len(all) == 0 {
		return f.Page(h.H1(g.Text("Nothing to write")), h.P(g.Text("Nothing was agreed to that is not done yet.")))
	}
	var not, differ []g.Node
	for _, b := range blocked {
		not = append(not, h.Li(textf("%s: %s", b.Ref, b.Why)))
	}
	for _, c := range changes {
		differ = append(differ, c.node())
	}
	ready := slices.DeleteFunc(slices.Clone(all), func(a desk.Action) bool {
		return slices.ContainsFunc(blocked, func(b Blocked) bool { return b.Ref == a.Action.On.String() })
	})
	return f.Page(h.H1(textf("Write %s", bug.Count(len(ready), "action"))),
		g.If(len(not) > 0, h.Section(h.Class("verdict red"), h.Aria("label", "Blocked"),
			h.P(g.Text("Nothing can be written on these now; they stay agreed to:")), h.Ul(g.Group(not)))),
		g.If(len(ready) > 0, f.form("/apply", hidden("ids", ids(ready)),
			h.Div(h.Class("row"), h.Button(h.Class("yes"), h.Data("key", "y"),
				g.Text("Write this now "), h.Kbd(g.Text("y")))))),
		section("The issues as they are now, and what changes", g.Group(differ)),
		section("Requests", h.P(g.Text("Tried against the live issues just now, without sending anything:")),
			exact(requests, "requests")))
}

// ids names actions, by their whole digests.
func ids(all []desk.Action) string {
	var names []string
	for _, a := range all {
		names = append(names, a.ID)
	}
	return strings.Join(names, ",")
}
