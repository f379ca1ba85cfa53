package web_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/legacy"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/casefile"
)

// What the API says of itself is a valid description, and every answer is as it says.
func TestAPIIsAsDescribed(t *testing.T) {
	w := newWorld(t)
	id, actions := w.put("octo/snail", 7, casefile.Reproduces)
	_, text := w.as("ann", everywhere).get("/api/v1/openapi.json")
	doc, err := openapi3.NewLoader().LoadFromData([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	doc.Servers = openapi3.Servers{{URL: w.URL}}
	if err := doc.Validate(t.Context()); err != nil {
		t.Errorf("the description: %v", err)
	}
	routes, err := legacy.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	report := `{"source": {"report": {"ref": {"repo": "octo/snail", "number": 7}, "title": "It fails", "body": "1/0", ` +
		`"state": "open"}}}`
	asked := map[string]bool{}
	for _, c := range []struct {
		method, path, body string
		want               int
	}{
		{"GET", "/api/v1/cases?q=report&verdict=reproduces", "", 200},
		{"GET", "/api/v1/cases?group=nothing", "", 200},
		{"GET", "/api/v1/rows", "", 200},
		{"GET", "/api/v1/case?name=octo/snail%237", "", 200},
		{"GET", "/api/v1/cases/" + id, "", 200},
		{"GET", "/api/v1/cases/000000000000", "", 404},
		{"GET", "/api/v1/actions?on=octo/snail%237", "", 200},
		{"POST", "/api/v1/consent", `{"ids": ["` + actions[0].ID() + `"], "yes": true, "by": ""}`, 200},
		{"POST", "/api/v1/decide", `{"program": "` + strings.Repeat("0", 64) + `", "decision": "skip", "by": ""}`, 403},
		{"POST", "/api/v1/decide", `{"program": "` + id + `", "decision": "not-this", "by": ""}`, 409},
		{"POST", "/api/v1/triage", report, 200},
		{"GET", "/api/v1/jobs", "", 200},
		{"POST", "/api/v1/jobs", `{"case": "` + id + `", "do": "nothing"}`, 409},
	} {
		request, err := http.NewRequestWithContext(t.Context(), c.method, w.URL+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+approveToken)
		if c.body != "" {
			request.Header.Set("Content-Type", "application/json")
		}
		route, path, err := routes.FindRoute(request)
		if err != nil {
			t.Fatalf("%s %s: %v", c.method, c.path, err)
		}
		asked[c.method+" "+route.Path] = true
		in := &openapi3filter.RequestValidationInput{Request: request, PathParams: path, Route: route,
			Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}}
		if err := openapi3filter.ValidateRequest(context.Background(), in); err != nil {
			t.Errorf("%s %s: the request: %v", c.method, c.path, err)
		}
		request.Body = io.NopCloser(strings.NewReader(c.body))
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != c.want {
			t.Errorf("%s %s: %d, want %d: %s %v", c.method, c.path, answer.StatusCode, c.want, got, err)
		}
		out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: answer.StatusCode,
			Header: answer.Header, Body: io.NopCloser(bytes.NewReader(got))}
		if err := openapi3filter.ValidateResponse(context.Background(), out); err != nil {
			t.Errorf("%s %s: the answer: %v", c.method, c.path, err)
		}
	}
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			if !asked[method+" "+path] {
				t.Errorf("%s %s is described and was not asked", method, path)
			}
		}
	}
	if s := w.said(actions[0]); s != action.Approved {
		t.Errorf("what was agreed to is %s", s)
	}
}
