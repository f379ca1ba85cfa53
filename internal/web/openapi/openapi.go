// Package openapi describes what programs can ask of the page, made from the types of requests and answers.
package openapi

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/schema"
)

// What OpenAPI's documents are made of, as far as they are needed here.
type (
	content struct {
		Schema json.RawMessage `json:"schema"`
	}
	response struct {
		Description string             `json:"description"`
		Content     map[string]content `json:"content,omitempty"`
	}
	parameter struct {
		Name     string          `json:"name"`
		In       string          `json:"in"`
		Required bool            `json:"required,omitempty"`
		Schema   json.RawMessage `json:"schema"`
	}
	body struct {
		Required bool               `json:"required"`
		Content  map[string]content `json:"content"`
	}
	operation struct {
		Summary     string              `json:"summary"`
		Parameters  []parameter         `json:"parameters,omitempty"`
		RequestBody *body               `json:"requestBody,omitempty"`
		Responses   map[string]response `json:"responses"`
	}
	info struct {
		Title   string `json:"title"`
		Version string `json:"version"`
	}
	way struct {
		Type   string `json:"type"`
		Scheme string `json:"scheme"`
	}
	components struct {
		Ways map[string]way `json:"securitySchemes"`
	}
	// A Document describes all of it.
	Document struct {
		OpenAPI    string                          `json:"openapi"`
		Info       info                            `json:"info"`
		Security   []map[string][]string           `json:"security"`
		Components components                      `json:"components"`
		Paths      map[string]map[string]operation `json:"paths"`
	}
)

var (
	anyText = json.RawMessage(`{"type": "string"}`)
	inPath  = regexp.MustCompile(`\{(\w+)\}`)
)

// A Route is one request: which that is, and how it is answered.
type Route struct {
	Path   string       // with its method before it
	Schema string       // of the answer; empty for one that has none
	Answer reflect.Type // of the answer, where it has no schema of a name
	List   bool         // the answer is a list of these
	About  string
	Query  []string     // values of the address that it knows
	Body   reflect.Type // of the request; nil for none
}

// Of describes routes.
func Of(all []Route) (Document, error) {
	doc := Document{"3.1.0", info{"scrub", "1"}, []map[string][]string{{"token": {}}},
		components{map[string]way{"token": {"http", "bearer"}}}, map[string]map[string]operation{}}
	for _, r := range all {
		one, err := r.operation()
		if err != nil {
			return doc, err
		}
		method, path, _ := strings.Cut(r.Path, " ")
		if doc.Paths[path] == nil {
			doc.Paths[path] = map[string]operation{}
		}
		doc.Paths[path][strings.ToLower(method)] = one
	}
	return doc, nil
}

// operation describes one route.
func (r Route) operation() (operation, error) {
	_, path, _ := strings.Cut(r.Path, " ")
	refused := func(why string) response {
		return response{why, map[string]content{"application/json": {json.RawMessage(
			`{"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}`)}}}
	}
	one := operation{Summary: r.About, Responses: map[string]response{"200": {Description: "the answer"},
		"401": refused("no token"), "403": refused("this token may not do that"),
		"404": refused("nothing that this token may see"),
		"409": refused("the request makes no sense as it is"), "429": refused("too many requests")}}
	for _, m := range inPath.FindAllStringSubmatch(path, -1) {
		one.Parameters = append(one.Parameters, parameter{m[1], "path", true, anyText})
	}
	for _, name := range r.Query {
		one.Parameters = append(one.Parameters, parameter{name, "query", false, anyText})
	}
	if r.Body != nil {
		of, err := schema.For(r.Body)
		if err != nil {
			return one, err
		}
		text, err := json.Marshal(of)
		if err != nil {
			return one, err
		}
		one.RequestBody = &body{true, map[string]content{"application/json": {text}}}
	}
	of, err := r.answer()
	if of == nil {
		return one, err
	}
	if r.List {
		of = slices.Concat([]byte(`{"type": "array", "items": `), of, []byte("}"))
	}
	one.Responses["200"] = response{"the answer", map[string]content{"application/json": {of}}}
	return one, err
}

// answer is the schema of an answer, or of each in a list; nil if it has none.
func (r Route) answer() (json.RawMessage, error) {
	if r.Schema != "" {
		return schema.Of(r.Schema)
	}
	if r.Answer == nil {
		return nil, nil
	}
	of, err := schema.For(r.Answer)
	if err != nil {
		return nil, err
	}
	return json.Marshal(of)
}
