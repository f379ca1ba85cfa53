package issuefile

import (
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
)

func TestMarkdownAndJSONSayTheSame(t *testing.T) {
	md := "---\nrepo: o/r\nnumber: 7\nauthor: ann\ncreated: 2024-05-01\nlabels: [bug, \"module: x\"]\ntitle: 'It " +
		"fails with \"x\"'\n---\n\nLook:\n\n<!-- comment: bob 2024-05-02 -->\nHere too.\n"
	js := `{"number":7,"url":"https://github.com/o/r/issues/7","title":"It fails with \"x\"","body":"Look:","author":{"login":"ann","id":"x"},
"createdAt":"2024-05-01T00:00:00Z","state":"OPEN","labels":[{"name":"bug"},{"name":"module: x"}],
"comments":[{"author":{"login":"bob"},"createdAt":"2024-05-02T00:00:00Z","body":"Here too.","url":"u"}]}`
	a, err := Parse([]byte(md))
	if err != nil {
		t.Fatal(err)
	}
	b, err := Parse([]byte(js))
	if err != nil {
		t.Fatal(err)
	}
	if bug.Digest(a) != bug.Digest(b) || a.Ref.String() != "o/r#7" || a.Comments[0].Author != "bob" {
		t.Errorf("Markdown: %+v\nJSON: %+v", a, b)
	}
}

func TestPlainMarkdown(t *testing.T) {
	r, err := Parse([]byte("Just words.\r\n\r\n# Not a title\r\n"))
	if err != nil || r.Title != "" || r.Body != "Just words.\n\n# Not a title" || r.State != bug.Open {
		t.Errorf("Parse = %+v, %v", r, err)
	}
	r, err = Parse([]byte("---\nA rule, and no front matter.\n"))
	if err != nil || !strings.Contains(r.Body, "A rule") {
		t.Errorf("Parse = %+v, %v", r, err)
	}
}

func TestBadInputIsNamed(t *testing.T) {
	for _, tt := range []struct{ name, data, want string }{
		{"empty", " \n", "empty"},
		{"binary", "\x7fELF\x00", "not text"},
		{"latin-1", "caf\xe9", "not text"},
		{"huge", strings.Repeat("a", MaxSize+1), "larger than"},
		{"cut JSON", "{\"title\":\n\"x\",", "invalid JSON at line 2"},
		{"list", "[]", "want one issue, not a JSON array"},
		{"wrong type", `{"title": 3}`, "title cannot be a JSON number"},
		{"no title", `{"body": ""}`, "without a title"},
		{"bad url", `{"title": "x", "url": "https://github.com/o/r/pull/3"}`, "is not an issue"},
		{"unknown key", "---\ntitel: x\n---\n", `line 2: front matter has no "titel"`},
		{"half a ref", "---\nrepo: o/r\n---\n", "go together"},
		{"bad date", "---\ncreated: tomorrow\n---\n", "is no time"},
		{"bad state", "---\nstate: ajar\n---\n", "open or closed"},
	} {
		if r, err := Read(tt.name, strings.NewReader(tt.data)); err == nil || !strings.Contains(err.Error(), tt.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %+v, %v, want %q", tt.name, r.Ref, err, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("---\ntitle: x\n---\n<!-- comment: a -->\nb"))
	f.Add([]byte(`{"title":"x"}`))
	f.Fuzz(func(_ *testing.T, data []byte) { _, _ = Parse(data) })
}
