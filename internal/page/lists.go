package page

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk/browsed"
	"github.com/scrub-dev/scrub/internal/store"
)

// with is a query with one of its values changed.
func with(query url.Values, name, value string) string {
	next := url.Values{}
	for k, v := range query {
		next[k] = v
	}
	next.Del("page")
	next.Del("at")
	next.Set(name, value)
	if value == "" {
		next.Del(name)
	}
	return "?" + next.Encode()
}

// search is the field that lists are searched with.
func search(query url.Values) g.Node {
	var kept []g.Node
	for k, v := range query {
		if k != "q" && k != "page" && k != "at" && len(v) > 0 {
			kept = append(kept, hidden(k, v[0]))
		}
	}
	return h.Form(h.Method("get"), h.Role("search"), h.Div(h.Class("row"), h.Label(h.For("find"), g.Text("Search")),
		h.Input(h.ID("find"), h.Type("search"),
			h.Name("q"), h.Value(query.Get("q")), h.Placeholder("words, owner/repo#1")), g.Group(kept),
		h.Button(g.Text("Search")), h.Kbd(g.Text("/"))))
}

// Inbox is what waits for a person, and the one that is looked at.
func (f Frame) Inbox(l browsed.Listing, query url.Values, at *CaseView) g.Node {
	f.List = true
	var items []g.Node
	here := -1
	for i, r := range l.Rows {
		mine := at != nil && r.ID == at.ID
		if mine {
			here = i
		}
		q := url.Values{}
		for k, v := range query {
			q[k] = v
		}
		q.Set("at", r.ID)
		items = append(items, h.Li(g.If(mine, h.Data("at", "yes")),
			h.A(h.Href("/inbox?"+q.Encode()), g.If(mine, h.Aria("current", "true")),
				badge(r.Verdict), g.Text(" "), text(clip(r.Title, 90)), h.Br(), h.Span(h.Class("soft"), text(r.Ref+" "+asks(r))))))
	}
	if len(items) == 0 {
		return f.Page(h.H1(g.Text("Inbox")), search(query), h.Div(h.ID("found"), chosen(query),
			h.P(g.Text("Nothing here waits for you."))), h.P(h.A(h.Href("/cases"), g.Text("All cases")), g.Text(" · "),
			h.A(h.Href("/apply"), g.Text("What was agreed to"))))
	}
	move := func(i int, key, name string) g.Node {
		if i < 0 || i >= len(l.Rows) {
			return nil
		}
		q := url.Values{}
		for k, v := range query {
			q[k] = v
		}
		q.Set("at", l.Rows[i].ID)
		return h.A(h.Class("button"), h.Href("/inbox?"+q.Encode()), h.Data("key", key), g.Text(name+" "), h.Kbd(g.Text(key)))
	}
	var panel g.Node
	if at != nil {
		f.About = at.ID
		at.Served = true
		for _, i := range []int{here + 1, here - 1} {
			if f.Next == "" && i >= 0 && i < len(l.Rows) {
				f.Next = l.Rows[i].ID
			}
		}
		panel = h.Div(h.Div(h.Class("row"), move(here+1, "j", "Next"), move(here-1, "k", "Previous"),
			h.A(h.Class("button"), h.Href("/case/"+at.ID), g.Text("Whole case"))),
			at.head(h.H2), f.question(*at), f.agree(*at), at.evidence(), at.program())
	}
	return f.Page(h.H1(textf("Inbox: %s", bug.Count(l.Total, "case"))), search(query),
		h.Div(h.ID("found"), h.Div(h.Class("row"), chosen(query),
			h.A(h.Class("button"), h.Href("/batch?"+query.Encode()), text(many(l.Total))),
			h.A(h.Class("button"), h.Href("/apply"), g.Text("Write what was agreed to…"))),
			h.Div(h.Class("split"), h.Div(h.ID("list"), h.Ul(h.Class("plain items"), g.Group(items)), pages(l, query)),
				panel)))
}

// MostAtOnce is how many cases can be agreed to at once: somebody has to read it all.
const MostAtOnce = 100

func many(n int) string {
	if n > MostAtOnce {
		return fmt.Sprintf("Look through what is proposed on the first %d of these…", MostAtOnce)
	}
	return "Look through all that is proposed here…"
}

// asks says what a row waits for.
func asks(r browsed.Row) string {
	if r.Waits != "" {
		return string(r.Waits)
	}
	var kinds []string
	for _, p := range r.Open {
		if p.Status == action.Proposed && !slices.Contains(kinds, string(p.Kind)) {
			kinds = append(kinds, string(p.Kind))
		}
	}
	return strings.Join(kinds, ", ")
}

// names are the facets as queries spell them.
var names = map[string]string{"verdict": "verdict", "component": "component", "repository": "repo", "age": "age",
	"certainty": "certainty",
	"label":     "label", "failure": "failure", "group": "group"}

// chosen are the facets that a query has narrowed down, each with a way back.
func chosen(query url.Values) g.Node {
	var all []g.Node
	for _, name := range []string{"verdict", "component", "repo", "age", "certainty", "label", "failure", "group",
		"since"} {
		if v := query.Get(name); v != "" {
			all = append(all, h.A(h.Class("button"), h.Href(with(query, name, "")),
				textf("%s: %s ✕", name, clip(v, 40)), h.Span(h.Class("skip"), g.Text(" remove this filter"))))
		}
	}
	return g.Group(all)
}

// Cases is the table of all cases.
func (f Frame) Cases(l browsed.Listing, query url.Values, views []store.View, since string) g.Node {
	f.List = true
	var facets []g.Node
	for _, facet := range l.Facets {
		if len(facet.Values) == 0 {
			continue
		}
		var values []g.Node
		for _, v := range facet.Values {
			values = append(values, h.Li(h.A(h.Href(with(query, names[facet.Name], v.Value)), text(clip(v.Value, 34))),
				textf(" %d", v.N)))
		}
		facets = append(facets, h.Details(g.If(facet.Name == "verdict" || facet.Name == "component", g.Attr("open")),
			h.Summary(text(facet.Name)), h.Ul(h.Class("plain"), g.Group(values))))
	}
	var saved []g.Node
	for _, v := range views {
		saved = append(saved, h.Li(h.A(h.Href("/cases?"+v.Query), text(v.Name)), g.Text(" "),
			h.Form(h.Class("inline"), h.Method("post"), h.Action("/views"), hidden("token", f.Token),
				hidden("name", v.Name), h.Button(h.Aria("label", "forget the view "+v.Name), g.Text("✕")))))
	}
	side := h.Nav(h.Aria("label", "Filters"),
		g.If(len(saved) > 0, h.Div(h.H2(g.Text("Saved views")), h.Ul(h.Class("plain"), g.Group(saved)))),
		h.H2(g.Text("Narrow down")), g.Group(facets),
		f.form("/views", hidden("query", query.Encode()), h.Label(h.For("view"), g.Text("Save this list as")),
			h.Div(h.Class("row"), h.Input(h.ID("view"), h.Name("name"), h.MaxLength("60"), h.Required()),
				h.Button(g.Text("Save")))))
	return f.Page(h.H1(g.Text("Cases")), search(query),
		h.Div(h.ID("found"), h.Div(h.Class("row"), chosen(query), g.If(since != "" && query.Get("since") == "",
			h.A(h.Class("button"), h.Href(with(query, "since", since)), g.Text("Changed since your last visit"))),
			sorts(query)), h.Div(h.Class("facets"), side, h.Div(h.ID("list"), table(l), pages(l, query)))))
}

func sorts(query url.Values) g.Node {
	var all []g.Node
	for _, s := range []struct{ value, name string }{{"", "last touched"}, {"certain", "most certain"},
		{"opened", "newest issue"}} {
		all = append(all, h.A(h.Href(with(query, "sort", s.value)),
			g.If(query.Get("sort") == s.value, h.Aria("current", "true")), g.Text(s.name)), g.Text(" "))
	}
	return h.Span(h.Class("soft"), g.Text("Order: "), g.Group(all))
}

func table(l browsed.Listing) g.Node {
	var rows []g.Node
	for _, r := range l.Rows {
		certain := ""
		if r.Certainty > 0 {
			certain = fmt.Sprintf("%.0f %%", 100*r.Certainty)
		}
		rows = append(rows, h.Tr(h.Td(badge(r.Verdict)), h.Td(h.A(h.Href("/case/"+r.ID), text(title(r))), h.Br(),
			h.Span(h.Class("soft"), text(r.Ref))),
			h.Td(text(r.Component)), h.Td(text(certain)), h.Td(text(asks(r))), h.Td(when(r.Updated))))
	}
	return g.Group{h.P(h.Class("soft"), h.Role("status"), text(bug.Count(l.Total, "case"))),
		scroll("cases", h.Table(h.Class("cards"), h.THead(h.Tr(h.Th(g.Text("verdict")), h.Th(g.Text("report")),
			h.Th(g.Text("component")),
			h.Th(g.Text("certainty")),
			h.Th(g.Text("waits for")), h.Th(g.Text("touched")))), h.TBody(g.Group(rows))))}
}

func title(r browsed.Row) string {
	if r.Title == "" {
		return "Untitled report"
	}
	return clip(r.Title, 140)
}

func pages(l browsed.Listing, query url.Values) g.Node {
	if l.Pages < 2 {
		return nil
	}
	to := func(n int, name string) g.Node {
		if n < 1 || n > l.Pages {
			return nil
		}
		return h.A(h.Class("button"), h.Href(with(query, "page", strconv.Itoa(n))), g.Text(name))
	}
	return h.Nav(h.Class("row"), h.Aria("label", "Pages"), to(l.Page-1, "Previous page"),
		textf("page %d of %d", l.Page, l.Pages), to(l.Page+1, "Next page"))
}
