package schema

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

var update = flag.Bool("update", false, "rewrite docs/answers.md")

// docs/answers.md says which fields each answer has, and nothing else.
func TestDocsSayWhatTheTypesSay(t *testing.T) {
	const file = "../../docs/answers.md"
	was, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(was), "\n## ")
	var b strings.Builder
	b.WriteString(strings.TrimRight(head, "\n") + "\n")
	for _, name := range Names() {
		text, err := Of(name)
		if err != nil {
			t.Fatal(err)
		}
		var s jsonschema.Schema
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		if s.Properties["schema"] == nil {
			t.Errorf("%s does not say which schema it is of", name)
		}
		fmt.Fprintf(&b, "\n## %s\n\n", strings.TrimPrefix(s.Title, "scrub "))
		for _, field := range slices.Sorted(maps.Keys(s.Properties)) {
			must := ""
			if !slices.Contains(s.Required, field) {
				must = ", may be missing"
			}
			fmt.Fprintf(&b, "- `%s`: %s%s\n", field, kind(s.Properties[field]), must)
		}
	}
	if *update {
		err = os.WriteFile(file, []byte(b.String()), 0o644)
	} else if b.String() != string(was) {
		t.Errorf("%s is out of date: go test ./internal/schema -update", file)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// kind is a type in a word.
func kind(s *jsonschema.Schema) string {
	switch {
	case s.Type == "array" && s.Items != nil:
		return "list of " + kind(s.Items)
	case s.Type != "":
		return s.Type
	case len(s.Types) > 0:
		return strings.Join(s.Types, " or ")
	}
	return "anything"
}
