package github_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/scrub-dev/scrub/internal/forge/githubtest"
)

// A description is GitHub's own of its two APIs, read by path: it is large and
// not ours to keep.
type description struct {
	routes routers.Router
	graph  *ast.Schema
}

var described = sync.OnceValues(func() (*description, error) {
	dir := os.Getenv("SCRUB_TEST_GITHUB")
	if dir == "" {
		return nil, nil
	}
	doc, err := openapi3.NewLoader().LoadFromFile(filepath.Join(dir, "github-openapi-subset.json"))
	if err != nil {
		return nil, err
	}
	doc.Servers = nil
	routes, err := gorillamux.NewRouter(doc)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "github-schema.graphql"))
	if err != nil {
		return nil, err
	}
	schema, gerr := gqlparser.LoadSchema(&ast.Source{Name: "github", Input: withoutTwins(string(text))})
	if gerr != nil {
		return nil, gerr
	}
	return &description{routes, schema}, nil
})

// withoutTwins takes fields away that GitHub's text has twice in one type.
func withoutTwins(text string) string {
	for _, name := range []string{"repositoryDeployKeySettingOrganizations(", "repositoryDeployKeySetting:"} {
		first := strings.Index(text, "\n  "+name)
		if first < 0 {
			continue
		}
		second := strings.Index(text[first+1:], "\n  "+name)
		if second < 0 {
			continue
		}
		at := first + 1 + second
		end := at + strings.Index(text[at:], "\n\n")
		if end < at {
			continue
		}
		// The comment above it goes, too.
		head := strings.LastIndex(text[:at], "\n\n")
		text = text[:head] + text[end:]
	}
	return text
}

// contract checks every request to s and every answer of it, and counts them.
func contract(t *testing.T, s *githubtest.Server) {
	d, err := described()
	if err != nil {
		t.Fatal(err)
	}
	if d == nil {
		return
	}
	var mu sync.Mutex
	checked := 0
	s.Check = func(req *http.Request, body []byte, status int, header http.Header, answer []byte) {
		mu.Lock()
		defer mu.Unlock()
		if req.Method == http.MethodDelete && strings.Contains(req.URL.Path, "/issues/comments/") {
			return // the part of the description that is read here leaves it out
		}
		checked++
		if err := d.check(req, body, status, header, answer); err != nil {
			t.Errorf("%s %s: %v", req.Method, req.URL.Path, err)
		}
	}
	t.Cleanup(func() { t.Logf("checked %d requests and answers", checked) })
}

func (d *description) check(req *http.Request, body []byte, status int, header http.Header, answer []byte) error {
	if req.URL.Path == "/graphql" {
		var q struct{ Query string }
		if err := json.Unmarshal(body, &q); err != nil {
			return err
		}
		if _, errs := gqlparser.LoadQueryWithRules(d.graph, q.Query, nil); errs != nil {
			return errs
		}
		return nil
	}
	again := req.Clone(context.Background())
	again.URL.Host, again.Host = "", ""
	again.Body = io.NopCloser(bytes.NewReader(body))
	route, path, err := d.routes.FindRoute(again)
	if err != nil {
		return fmt.Errorf("no such request: %w", err)
	}
	options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
		IncludeResponseStatus: false}
	in := &openapi3filter.RequestValidationInput{Request: again, PathParams: path, Route: route, Options: options}
	if len(body) > 0 {
		again.Header.Set("Content-Type", "application/json")
	}
	if err := openapi3filter.ValidateRequest(context.Background(), in); err != nil {
		return fmt.Errorf("request %s: %w", body, err)
	}
	if status == http.StatusNotFound || status == http.StatusUnauthorized || status == http.StatusForbidden {
		return nil
	}
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: status, Header: header,
		Options: options}
	out.SetBodyBytes(answer)
	if err := openapi3filter.ValidateResponse(context.Background(), out); err != nil {
		return fmt.Errorf("answer %d: %w", status, err)
	}
	return nil
}
