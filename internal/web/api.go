package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/browsed"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/schema"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/web/door"
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

// A route is one request of the desk: which that is, whose it may be, and how it is answered.
type route struct {
	path   string
	schema string // of the answer
	list   bool   // the answer is a list of these
	about  string
	f      handler
}

func (s *Server) routes() []route {
	return []route{
		{"GET /api/v1/cases", "listing/1", false, "cases, narrowed down as on the page", visit.apiCases},
		{"GET /api/v1/rows", "cases/1", true, "all cases, without what lists show besides", visit.apiRows},
		{"GET /api/v1/case", "case/1", false, "one case, by its id, the beginning of it, or its issue (?name=)",
			visit.apiNamed},
		{"GET /api/v1/cases/{id}", "case/1", false, "one case", visit.apiCase},
		{"GET /api/v1/actions", "action/1", true, "what is proposed or agreed to on an issue (?on=owner/repo#1)",
			visit.apiActions},
		{"POST /api/v1/consent", "action/1", true, "a yes or no to actions, by their whole IDs", visit.apiConsent},
		{"POST /api/v1/decide", "decision/1", false, "whether a program may run, by its digest", visit.apiDecide},
		{"POST /api/v1/triage", "triage/1", false, "what is in a report, without running anything", visit.apiTriage},
	}
}

// api answers programs: by a token, or for the page itself.
func (s *Server) api(mux *http.ServeMux) {
	for _, r := range s.routes() {
		mux.Handle(r.path, s.called(r.f))
	}
	mux.Handle("GET /api/v1/openapi.json", s.called(visit.openAPI))
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

// openAPI describes all of this, from the types of the answers.
func (v visit) openAPI() error {
	type content struct {
		Schema json.RawMessage `json:"schema"`
	}
	type response struct {
		Description string             `json:"description"`
		Content     map[string]content `json:"content"`
	}
	type operation struct {
		Summary   string              `json:"summary"`
		Responses map[string]response `json:"responses"`
	}
	type info struct {
		Title   string `json:"title"`
		Version string `json:"version"`
	}
	doc := struct {
		OpenAPI string                          `json:"openapi"`
		Info    info                            `json:"info"`
		Paths   map[string]map[string]operation `json:"paths"`
	}{"3.1.0", info{"scrub", "1"}, map[string]map[string]operation{}}
	for _, r := range v.routes() {
		of, err := schema.Of(r.schema)
		if err != nil {
			return err
		}
		if r.list {
			of = slices.Concat([]byte(`{"type": "array", "items": `), of, []byte("}"))
		}
		method, path, _ := strings.Cut(r.path, " ")
		if doc.Paths[path] == nil {
			doc.Paths[path] = map[string]operation{}
		}
		doc.Paths[path][strings.ToLower(method)] = operation{r.about,
			map[string]response{"200": {"the answer", map[string]content{"application/json": {of}}}}}
	}
	v.json(http.StatusOK, doc)
	return nil
}
