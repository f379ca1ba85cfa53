package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"reflect"
	"regexp"
	"slices"

	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/browsed"
	"github.com/scrub-dev/scrub/internal/page"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/web/door"
	"github.com/scrub-dev/scrub/internal/web/openapi"
)

// A problem is an answer that is none.
type problem struct {
	Error string `json:"error"`
}

// json writes an answer.
func (v visit) json(code int, answer any) {
	data, err := desk.JSON(answer)
	if err != nil {
		v.Log(err.Error())
		code, data = http.StatusInternalServerError, []byte(`{"error": "the answer cannot be written"}`)
	}
	v.w.Header().Set("Content-Type", "application/json; charset=utf-8")
	v.w.WriteHeader(code)
	_, _ = v.w.Write(data)
}

// A route is one request of the desk, and who answers it.
type route struct {
	openapi.Route
	f handler
}

// narrowed are the values by which cases are narrowed down.
var narrowed = []string{"q", "verdict", "component", "repo", "age", "certainty", "label", "failure", "group", "since",
	"sort", "page", "waits"}

func (s *Server) routes() []route {
	return []route{
		{openapi.Route{Path: "GET /api/v1/cases", Schema: "listing/1", About: "cases, narrowed down as on the page",
			Query: narrowed}, visit.apiCases},
		{openapi.Route{Path: "GET /api/v1/rows", Schema: "cases/1", List: true,
			About: "all cases, without what lists show besides"}, visit.apiRows},
		{openapi.Route{Path: "GET /api/v1/case", Schema: "case/1", Query: []string{"name"},
			About: "one case, by its id, the beginning of it, or its issue"}, visit.apiNamed},
		{openapi.Route{Path: "GET /api/v1/cases/{id}", Schema: "case/1", About: "one case"}, visit.apiCase},
		{openapi.Route{Path: "GET /api/v1/actions", Schema: "action/1", List: true, Query: []string{"on", "all"},
			About: "what is proposed or agreed to, on one issue or on all"}, visit.apiActions},
		{openapi.Route{Path: "POST /api/v1/consent", Schema: "action/1", List: true,
			Body: reflect.TypeFor[desk.ConsentRequest](), About: "a yes or no to actions, by their whole IDs"},
			visit.apiConsent},
		{openapi.Route{Path: "POST /api/v1/decide", Schema: "decision/1", Body: reflect.TypeFor[desk.DecideRequest](),
			About: "whether a program may run, by its digest"}, visit.apiDecide},
		{openapi.Route{Path: "POST /api/v1/triage", Schema: "triage/1", Body: reflect.TypeFor[desk.TriageRequest](),
			About: "what is in a report, without running anything"}, visit.apiTriage},
		{openapi.Route{Path: "GET /api/v1/jobs", Answer: reflect.TypeFor[page.Job](), List: true,
			About: "the work that goes on here or is over"}, visit.apiJobs},
		{openapi.Route{Path: "POST /api/v1/jobs", Body: reflect.TypeFor[beginRequest](), Answer: reflect.TypeFor[page.Job](),
			About: "have a case run again, searched, made small, explained or tested"}, visit.apiBegin},
	}
}

// api answers programs: by a token, or for the page itself.
func (s *Server) api(mux *http.ServeMux) {
	for _, r := range s.routes() {
		mux.Handle(r.Path, s.called(r.f))
	}
	mux.Handle("GET /api/v1/openapi.json", s.called(visit.described))
}

// called lets programs in. What changes something must come with a token, which no browser sends by itself.
func (s *Server) called(f handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, session, ok := s.Door.Who(r)
		v := visit{s, w, r, who, session}
		switch {
		case !s.Door.MayAsk(r, who):
			w.Header().Set("Retry-After", "2")
			v.json(http.StatusTooManyRequests, problem{"too many requests"})
		case !ok:
			w.Header().Set("WWW-Authenticate", "Bearer")
			v.json(http.StatusUnauthorized, problem{"send a token: Authorization: Bearer …"})
		case session != "" && r.Method != http.MethodGet:
			v.json(http.StatusForbidden, problem{"what changes something needs a token"})
		default:
			if err := f(v); err != nil {
				v.failed(err)
			}
		}
	})
}

// read reads a request strictly.
func (v visit) read(into any) error {
	d := json.NewDecoder(v.r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return refusal.Bad("the request: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return refusal.Bad("the request: want one JSON document")
	}
	return nil
}

func (v visit) apiCases() error {
	q := v.query(v.r.URL.Query())
	q.Waits = v.r.URL.Query().Get("waits") != ""
	v.json(http.StatusOK, v.Index.List(q))
	return nil
}

func (v visit) apiCase() error {
	row, err := v.row(v.r.PathValue("id"), door.Reader)
	if err != nil {
		return err
	}
	c, err := v.Index.Desk.Case(v.r.Context(), row.ID)
	if err != nil {
		return err
	}
	v.json(http.StatusOK, c)
	return nil
}

// apiRows are all cases that may be seen.
func (v visit) apiRows() error {
	all := []desk.Row{}
	for _, r := range v.Index.List(browsed.Query{Allowed: v.allowed(), Of: math.MaxInt32}).Rows {
		all = append(all, desk.Row{Schema: "cases/1", Case: store.Case{ID: r.ID, Ref: r.Ref, Title: r.Title,
			Verdict: string(r.Verdict),
			Updated: r.Updated}})
	}
	v.json(http.StatusOK, all)
	return nil
}

func (v visit) apiNamed() error {
	c, err := v.Index.Desk.Case(v.r.Context(), v.r.URL.Query().Get("name"))
	if err != nil || v.who.In(c.Report.Ref.Place()) < door.Reader {
		return errHidden
	}
	v.json(http.StatusOK, c)
	return nil
}

// apiActions are those on an issue, or all that are not over.
func (v visit) apiActions() error {
	q := v.r.URL.Query()
	ref, err := desk.RefOf(q.Get("on"))
	if err != nil {
		return err
	}
	refs := []string{ref.String()}
	switch {
	case q.Get("on") == "":
		refs = v.Index.OpenRefs()
	case v.who.In(ref.Place()) < door.Reader:
		return errHidden
	}
	all := []desk.Action{}
	for _, on := range refs {
		if ref, err := desk.RefOf(on); err != nil || v.who.In(ref.Place()) < door.Reader {
			continue
		}
		some, err := v.Index.Desk.Actions(v.r.Context(), desk.ActionsRequest{On: on, All: q.Get("all") != ""})
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	v.json(http.StatusOK, all)
	return nil
}

// apiConsent is a person's word that a program brings: its token says in whose name.
func (v visit) apiConsent() error {
	var r desk.ConsentRequest
	if err := v.read(&r); err != nil {
		return err
	}
	if err := v.mayDecide(r.IDs); err != nil {
		return err
	}
	r.By = v.who.Name
	said := map[bool]string{true: "said yes", false: "said no"}[r.Yes]
	l, err := v.Index.Desk.Ledger(v.r.Context(), nil, nil)
	if err != nil {
		return err
	}
	all := []desk.Action{}
	for _, id := range r.IDs {
		e, err := l.Entry(v.r.Context(), id)
		if err != nil {
			return err
		}
		if v.hasSaid(desk.AnswerAction(e), r.Yes) {
			all = append(all, desk.AnswerAction(e))
			continue
		}
		if err := v.note(said, e.Action.On.String(), e.Action.On.Place(),
			string(e.Action.Kind)+" "+e.Action.Short()); err != nil {
			return err
		}
		now, err := v.Index.Desk.Consent(v.r.Context(), desk.ConsentRequest{IDs: []string{id}, Yes: r.Yes, By: r.By})
		if err != nil {
			return err
		}
		all = append(all, now...)
	}
	v.json(http.StatusOK, all)
	return nil
}

func (v visit) mayDecide(ids []string) error {
	l, err := v.Index.Desk.Ledger(v.r.Context(), nil, nil)
	if err != nil {
		return err
	}
	if len(ids) == 0 || slices.ContainsFunc(ids, func(id string) bool { return len(id) != 64 }) {
		return refusal.Bad("name actions by their whole IDs")
	}
	for _, id := range ids {
		e, err := l.Entry(v.r.Context(), id)
		switch {
		case err != nil || v.who.In(e.Action.On.Place()) < door.Reader:
			return errHidden
		case v.who.In(e.Action.On.Place()) < door.Approver:
			return errRole
		}
	}
	return nil
}

var digest = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (v visit) apiDecide() error {
	var r desk.DecideRequest
	if err := v.read(&r); err != nil {
		return err
	}
	if !digest.MatchString(r.Program) {
		return refusal.Bad("name the program by its digest, of 64 digits")
	}
	if v.who.Everywhere() < door.Runner { // a digest does not tell whose report it is of
		return errRole
	}
	r.By = v.who.Name
	if err := v.note("decided about a program", r.Program, "", r.Said); err != nil {
		return err
	}
	got, err := v.Index.Desk.Decide(v.r.Context(), r)
	if err != nil {
		return err
	}
	v.json(http.StatusOK, got)
	return nil
}

func (v visit) apiTriage() error {
	var r desk.TriageRequest
	if err := v.read(&r); err != nil {
		return err
	}
	if r.Source.Report == nil || r.Source.Forge != "" || r.Profile != "" {
		return refusal.Bad("send the report itself, and no profile")
	}
	if v.who.Best() < door.Runner { // reading costs processor time
		return errRole
	}
	select {
	case v.reading <- struct{}{}:
		defer func() { <-v.reading }()
	case <-v.r.Context().Done():
		return v.r.Context().Err()
	}
	ctx, cancel := context.WithTimeout(v.r.Context(), slowestAnswer)
	defer cancel()
	d := v.Desk(v.who.Name, nil)
	got, err := d.Triage(ctx, r)
	if err = errors.Join(err, d.Close()); err != nil {
		return err
	}
	v.json(http.StatusOK, got)
	return nil
}

// described is what OpenAPI says of all of this.
func (v visit) described() error {
	var all []openapi.Route
	for _, r := range v.routes() {
		all = append(all, r.Route)
	}
	doc, err := openapi.Of(all)
	if err != nil {
		return err
	}
	v.json(http.StatusOK, doc)
	return nil
}

func (v visit) apiJobs() error {
	v.json(http.StatusOK, append([]page.Job{}, v.jobs.List(v.who)...))
	return nil
}

// A beginRequest asks more of a case.
type beginRequest struct {
	Case string `json:"case"`
	Do   string `json:"do"` // again, when, small, why or test
}

func (v visit) apiBegin() error {
	var r beginRequest
	if err := v.read(&r); err != nil {
		return err
	}
	if err := v.ask(r.Case, r.Do); err != nil {
		return err
	}
	v.json(http.StatusAccepted, append([]page.Job{}, v.jobs.List(v.who)...)[0])
	return nil
}
