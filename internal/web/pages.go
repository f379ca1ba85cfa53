package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/browsed"
	"github.com/scrub-dev/scrub/internal/page"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/web/door"
)

// flashes are what pages say once about what was just done, by the token of a session.
type flashes struct {
	mu  sync.Mutex
	all map[string]flash
}

type flash struct{ text, undo string }

// say has the next page of whoever asks say something.
func (v visit) say(text string, undo ...string) {
	v.said.mu.Lock()
	defer v.said.mu.Unlock()
	if v.said.all == nil || len(v.said.all) > 1000 {
		v.said.all = map[string]flash{}
	}
	v.said.all[v.token] = flash{text, strings.Join(undo, ",")}
}

func (v visit) flash() (text, undo string) {
	v.said.mu.Lock()
	defer v.said.mu.Unlock()
	f := v.said.all[v.token]
	delete(v.said.all, v.token)
	return f.text, f.undo
}

// to leads on after a form was sent.
func (v visit) to(where string) error {
	http.Redirect(v.w, v.r, where, http.StatusSeeOther)
	return nil
}

// query reads what a list is narrowed down to. Only what whoever asks may see is ever found.
func (v visit) query(q url.Values) browsed.Query {
	n, _ := strconv.Atoi(q.Get("page")) // the first, if it is no number
	since, _ := time.Parse(time.RFC3339, q.Get("since"))
	return browsed.Query{Text: q.Get("q"), Verdict: q.Get("verdict"), Component: q.Get("component"), Repo: q.Get("repo"),
		Label: q.Get("label"), Failure: q.Get("failure"), Group: q.Get("group"), Age: q.Get("age"),
		Certainty: q.Get("certainty"), Sort: q.Get("sort"),
		Since: since, Page: n, Allowed: v.allowed(), Now: v.Now().Truncate(24 * time.Hour).Sub(time.Unix(0, 0))}
}

// allowed names the repositories that whoever asks may see; empty for all.
func (v visit) allowed() string {
	if v.who.Everywhere() >= door.Reader {
		return ""
	}
	names := " "
	for _, repo := range v.Index.Repos() {
		if v.who.In(repo) >= door.Reader {
			names += repo + " "
		}
	}
	return names
}

func (v visit) inbox() error {
	values := v.r.URL.Query()
	q := v.query(values)
	q.Waits, q.Sort = true, cmp.Or(q.Sort, "certain")
	l := v.Index.List(q)
	var at *page.CaseView
	if len(l.Rows) > 0 {
		id := l.Rows[0].ID
		if i := slices.IndexFunc(l.Rows, func(r browsed.Row) bool { return r.ID == values.Get("at") }); i >= 0 {
			id = values.Get("at")
		}
		view, err := v.caseView(id)
		if err != nil {
			return err
		}
		at = &view
	}
	values.Del("at")
	f := v.frame("Inbox")
	v.show(http.StatusOK, f.Inbox(l, values, at))
	return nil
}

func (v visit) cases() error {
	values := v.r.URL.Query()
	l := v.Index.List(v.query(values))
	kept, err := v.Index.Desk.Kept(v.r.Context())
	if err != nil {
		return err
	}
	views, err := kept.Views(v.r.Context(), v.who.Name)
	if err != nil {
		return err
	}
	since, err := v.visited()
	if err != nil {
		return err
	}
	f := v.frame("Cases")
	v.show(http.StatusOK, f.Cases(l, values, views, since))
	return nil
}

// visited is when somebody was last here, before this session.
func (v visit) visited() (string, error) {
	v.said.mu.Lock()
	since, known := v.since[v.token]
	v.said.mu.Unlock()
	if known {
		return since, nil
	}
	kept, err := v.Index.Desk.Kept(v.r.Context())
	if err != nil {
		return "", err
	}
	before, err := kept.Visit(v.r.Context(), v.who.Name, v.Now())
	if err != nil {
		return "", err
	}
	if !before.IsZero() {
		since = before.UTC().Format(time.RFC3339)
	}
	v.said.mu.Lock()
	defer v.said.mu.Unlock()
	if v.since == nil || len(v.since) > 1000 {
		v.Server.since = map[string]string{}
	}
	v.Server.since[v.token] = since
	return since, nil
}

// row is a case that whoever asks may see.
func (v visit) row(id string, least door.Role) (browsed.Row, error) {
	row, ok := v.Index.Row(id)
	switch role := v.who.In(row.Repo); {
	case !ok || role < door.Reader:
		return row, errHidden
	case role < least:
		return row, errRole
	}
	return row, nil
}

// caseView is a case with all that its page shows.
func (v visit) caseView(id string) (page.CaseView, error) {
	ctx := v.r.Context()
	row, err := v.row(id, door.Reader)
	if err != nil {
		return page.CaseView{}, err
	}
	version, role := v.Index.Version(), v.who.In(row.Repo)
	view, ok := v.seen.Get(version, row.ID)
	if !ok {
		if view, err = v.load(ctx, row); err != nil {
			return view, err
		}
		v.seen.Put(version, row.ID, view)
	}
	view.MayRun, view.MayAgree = role >= door.Runner, role >= door.Approver
	return view, nil
}

// load reads a case with all that its page shows, whoever looks.
func (v visit) load(ctx context.Context, row browsed.Row) (page.CaseView, error) {
	c, err := v.Index.Desk.Case(ctx, row.ID)
	if err != nil {
		return page.CaseView{}, err
	}
	view := page.CaseView{Document: c.Document}
	if row.Ref != "" {
		if view.Actions, err = v.Index.Desk.Actions(ctx, desk.ActionsRequest{On: row.Ref, All: true}); err != nil {
			return view, err
		}
	}
	if view.Decided, err = v.decided(ctx, c.Repro.Digest()); err != nil {
		return view, err
	}
	view.Moments, err = browsed.Moments(ctx, v.Index.Desk, c.Document, view.Actions)
	return view, err
}

// decided is the last word on a program; empty if nobody has said one.
func (v visit) decided(ctx context.Context, program string) (string, error) {
	kept, err := v.Index.Desk.Kept(ctx)
	if err != nil {
		return "", err
	}
	d, ok, err := kept.Decision(ctx, program)
	if err != nil || !ok {
		return "", err
	}
	return d.Who + ": " + d.Said + " " + d.At.UTC().Format(time.RFC3339Nano), nil
}

// showCase is a case as a page, as JSON, or as a page in one file.
func (v visit) showCase() error {
	name := v.r.PathValue("id")
	id, form, _ := strings.Cut(name, ".")
	if ref := v.r.URL.Query().Get("ref"); id == "of" && ref != "" {
		row, ok := v.Index.Of(ref)
		if !ok || v.who.In(row.Repo) < door.Reader {
			return errHidden
		}
		return v.to("/case/" + row.ID)
	}
	view, err := v.caseView(id)
	if err != nil {
		return err
	}
	switch form {
	case "json":
		v.json(http.StatusOK, desk.Case{Schema: "case/1", Document: view.Document})
	case "html":
		text, err := page.Export(view)
		if err != nil {
			return err
		}
		v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
		v.w.Header().Set("Content-Disposition", `attachment; filename="`+id+`.html"`)
		_, _ = v.w.Write(text)
	case "":
		f := v.frame(view.Report.Title)
		f.At = "/cases"
		v.show(http.StatusOK, f.Case(view))
	default:
		return errHidden
	}
	return nil
}

func (v visit) live() error {
	items, err := v.Index.Working(v.r.Context())
	if err != nil {
		return err
	}
	items = slices.DeleteFunc(items, func(i browsed.Item) bool { return v.who.In(i.Repo) < door.Reader })
	f := v.frame("Live")
	v.show(http.StatusOK, f.Live(v.jobs.List(v.who), items, v.Now()))
	return nil
}

func (v visit) charts() error {
	l := v.Index.List(v.query(url.Values{}))
	var c page.Charts
	for _, f := range l.Facets {
		if f.Name == "verdict" {
			for _, n := range f.Values {
				c.Verdicts = append(c.Verdicts, page.VerdictBar(n.Value, n.N))
			}
		}
	}
	for _, f := range v.Index.List(browsed.Query{Verdict: string(casefile.Reproduces), Allowed: v.allowed()}).Facets {
		if f.Name == "component" {
			for _, n := range f.Values {
				c.Components = append(c.Components, page.Bar{Name: n.Value, N: float64(n.N), Words: fmt.Sprint(n.N)})
			}
		}
	}
	if v.who.Everywhere() >= door.Reader { // these cannot be told apart by repository
		past, err := v.Index.Past(v.r.Context())
		if err != nil {
			return err
		}
		for _, w := range past.Weeks {
			c.Weeks = append(c.Weeks, page.WeekBar(w))
			if w.Done > 0 {
				c.Objected = append(c.Objected, page.Bar{Name: w.Name, N: float64(w.Objected), Class: "red",
					Words: fmt.Sprintf("%d of %d", w.Objected, w.Done)})
			}
		}
		for _, w := range past.Times {
			c.Times = append(c.Times, page.Bar{Name: w.Value, N: float64(w.N), Words: fmt.Sprint(w.N)})
		}
		c.Wrong = past.Wrong
	}
	v.show(http.StatusOK, v.frame("Charts").Charts(c))
	return nil
}

func (v visit) audit() error {
	if v.who.Everywhere() < door.Admin {
		return errRole
	}
	kept, err := v.Index.Desk.Kept(v.r.Context())
	if err != nil {
		return err
	}
	all, err := kept.Audits(v.r.Context(), 200)
	if err != nil {
		return err
	}
	v.show(http.StatusOK, v.frame("Audit").Audit(all))
	return nil
}

// mostKept is how many views somebody may keep.
const mostKept = 50

// view keeps a list under a name, or forgets it.
func (v visit) view() error {
	name, query := strings.TrimSpace(v.r.PostFormValue("name")), v.r.PostFormValue("query")
	if name == "" || len(name) > 60 || len(query) > 2000 {
		return bad("a view needs a short name")
	}
	kept, err := v.Index.Desk.Kept(v.r.Context())
	if err != nil {
		return err
	}
	if _, named := v.r.PostForm["query"]; named && query == "" {
		query = "sort="
	}
	if views, err := kept.Views(v.r.Context(), v.who.Name); err != nil {
		return err
	} else if len(views) >= mostKept && query != "" {
		return bad("that are too many views: forget one first")
	}
	if err := kept.PutView(v.r.Context(), v.who.Name, store.View{Name: name, Query: query}); err != nil {
		return err
	}
	return v.to("/cases?" + query)
}
