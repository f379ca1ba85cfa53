// Package page draws what people see in a browser: functions from answers to HTML.
// Strangers' words get in through text and code alone, which make them inert.
package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/report"
)

// Static are the stylesheet and the script.
//
//go:embed static
var Static embed.FS

// A Frame is what is around a page.
type Frame struct {
	Title string
	At    string // the entry of the menu that this is
	Who   string
	Role  string // what they may do
	Token string // that forms carry, so that no other site can send them
	Flash string // what has just been done
	Next  string // the case that comes after the one that is shown, in a list
	Undo  string // the actions whose decision could be taken back, with commas between them
	About string // the case that is shown, if one is
	List  bool   // a list is
	Flags string // what sets this apart, as in "demo"
}

// entries are the menu.
var entries = []struct{ path, name string }{{"/inbox", "Inbox"}, {"/cases", "Cases"}, {"/live", "Live"},
	{"/charts", "Charts"}, {"/fleet", "Fleet"}, {"/queue", "Queue"}, {"/audit", "Audit"}}

// text is a stranger's words, or ours, in a sentence.
func text(s string) g.Node {
	const most = 4000
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + fmt.Sprintf(" … (%d more bytes)", len(s)-most)
	}
	return g.Text(report.Clean(report.Homeless(s)))
}

func textf(form string, args ...any) g.Node { return text(fmt.Sprintf(form, args...)) }

// hidden is a field that a form carries.
func hidden(name, value string) g.Node {
	return h.Input(h.Type("hidden"), h.Name(name), h.Value(value))
}

// Form posts to a path of ours.
func (f Frame) form(to string, inside ...g.Node) g.Node {
	return h.Form(h.Method("post"), h.Action(to), hidden("token", f.Token), g.Group(inside))
}

// Page is a whole page with its menu.
func (f Frame) Page(body ...g.Node) g.Node {
	var menu []g.Node
	for _, e := range entries {
		menu = append(menu, h.A(h.Href(e.path), g.If(f.At == e.path, h.Aria("current", "page")), g.Text(e.name)))
	}
	who := f.Who
	if f.Role != "" {
		who += " (" + f.Role + ")"
	}
	return document(f.Title, g.Group{h.Link(h.Rel("stylesheet"), h.Href("/static/style.css")),
		h.Script(h.Src("/static/page.js"), h.Defer())},
		g.Group{g.If(f.Who != "", h.Data("events", "yes")), g.If(f.About != "", h.Data("case", f.About)),
			g.If(f.List, h.Data("list", "yes"))},
		h.A(h.Class("skip"), h.Href("#main"), g.Text("Skip to the content")),
		h.Header(h.Class("top"), h.Strong(g.Text("scrub")),
			g.If(f.Flags != "", h.Span(h.Class("badge amber"), text(f.Flags))),
			g.If(f.Who != "", h.Nav(h.Aria("label", "Main"), g.Group(menu))),
			g.If(f.Who != "", h.Button(h.ID("keys"), h.Type("button"), g.Attr("hidden"), g.Text("Turn keys off"))),
			g.If(f.Who != "", h.Span(h.Class("who"), text(who), g.Text(" "), f.leave()))),
		h.Main(h.ID("main"), g.If(f.Flash != "", f.flash()), f.news(), g.Group(body)))
}

func (f Frame) leave() g.Node {
	return h.Form(h.Class("inline"), h.Method("post"), h.Action("/leave"), hidden("token", f.Token),
		h.Button(g.Text("Log out")))
}

func (f Frame) flash() g.Node {
	return h.Div(h.Class("flash"), h.Role("status"), text(f.Flash), g.Text(" "),
		g.If(f.Undo != "", h.Form(h.Class("inline"),
			h.Method("post"), h.Action("/withdraw"), hidden("token", f.Token), hidden("ids", f.Undo),
			h.Button(h.Data("key", "u"), g.Text("Undo "), h.Kbd(g.Text("u"))))))
}

// news is said by the script.
func (f Frame) news() g.Node {
	return h.Div(h.ID("news"), h.Class("flash"), h.Role("status"), g.Attr("hidden"), h.Span(),
		h.A(h.Href(""), g.Text("Show it")))
}

// document is an HTML document.
func document(title string, head, attributes g.Group, body ...g.Node) g.Node {
	return h.Doctype(h.HTML(h.Lang("en"),
		h.Head(h.Meta(h.Charset("utf-8")), h.Meta(h.Name("viewport"), h.Content("width=device-width, initial-scale=1")),
			h.Meta(h.Name("referrer"), h.Content("same-origin")), h.TitleEl(text(title+" · scrub")), head),
		h.Body(attributes, g.Group(body))))
}

// Export is a case as one file that needs nothing from anywhere else.
func Export(v CaseView) ([]byte, error) {
	v.Served = false
	style, err := Static.ReadFile("static/style.css")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(style)
	policy := fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'",
		base64.StdEncoding.EncodeToString(sum[:]))
	var b strings.Builder
	err = document(string(v.Verdict)+": "+v.Report.Title,
		g.Group{g.El("meta", g.Attr("http-equiv", "Content-Security-Policy"), h.Content(policy)),
			h.StyleEl(g.Raw(string(style)))}, nil,
		h.Main(v.body())).Render(&b)
	return []byte(b.String()), err
}

// Message is a page that says one thing.
func (f Frame) Message(what string, more ...g.Node) g.Node {
	return f.Page(h.H1(text(what)), g.Group(more))
}

// Colour is the colour of a verdict: red still fails, green does not any more, yellow wants a
// look, blue waits for somebody, grey says little.
func colour(v casefile.Verdict) string {
	switch v {
	case casefile.Reproduces:
		return "red"
	case casefile.Fixed:
		return "green"
	case casefile.Flaky, casefile.DifferentError, casefile.Hangs, casefile.Changed, casefile.Unsure:
		return "amber"
	case casefile.NeedsDecision, casefile.NeedsInfo:
		return "blue"
	}
	return "grey"
}

func badge(v casefile.Verdict) g.Node {
	return h.Span(h.Class("badge "+colour(v)), text(string(v)))
}

// when is a moment, for people and for machines.
func when(t time.Time) g.Node {
	if t.IsZero() {
		return g.Text("")
	}
	t = t.UTC()
	return h.Time(h.DateTime(t.Format(time.RFC3339)), g.Text(t.Format("2006-01-02 15:04")))
}

// onForge is the address of an issue where it lives.
func onForge(ref string) (string, bool) {
	repo, number, ok := strings.Cut(ref, "#")
	if !ok || strings.Count(repo, "/") != 1 {
		return "", false
	}
	return (&url.URL{Scheme: "https", Host: "github.com", Path: "/" + repo + "/issues/" + number}).String(), true
}

// Words is a paragraph.
func Words(s string) g.Node { return h.P(text(s)) }

// Onward leads to where a page would go by itself.
func Onward(to string) g.Node { return h.P(h.A(h.Href(to), g.Text("Go on"))) }

// Login leads to where people log in.
func Login() g.Node { return h.P(h.A(h.Class("button"), h.Href("/login/begin"), g.Text("Log in"))) }
