package rule

import (
	"regexp"
	"slices"
	"testing"
)

func TestHolds(t *testing.T) {
	facts := Facts{
		"title":    Text("[Feature Request] faster sort"),
		"labels":   List([]string{"module: Sort", "feature"}),
		"programs": Count(2),
		"version":  Text("2.10"),
		"empty":    Text(""),
	}
	for _, tt := range []struct {
		src   string
		want  bool
		words []string
	}{
		{`match(title, "(?i)feature request")`, true, []string{"Feature Request"}},
		{`has(labels, "FEATURE")`, true, []string{"feature"}},
		{`has(labels, "sort")`, false, nil}, // an item of a list is had as a whole
		{`match(labels, "^module:")`, true, []string{"module:"}},
		{`has(title, "fast")`, false, nil}, // a word of a text too
		{`has(title, "faster")`, true, []string{"faster"}},
		{`programs == 0 || has(labels, "feature")`, true, []string{"feature"}},
		{`!has(labels, "bug") && programs > 1`, true, nil},
		{`version >= "2.9"`, true, nil},
		{`version < "2.9"`, false, nil},
		{`empty == ""`, true, nil},
		{`(programs == 1) || (programs == 2)`, true, nil},
	} {
		r, err := Compile(tt.src)
		if err != nil {
			t.Errorf("Compile(%s): %v", tt.src, err)
			continue
		}
		got, words, err := r.Holds(facts)
		if got != tt.want || !slices.Equal(words, tt.words) || err != nil {
			t.Errorf("%s = %v by %q (%v), want %v by %q", tt.src, got, words, err, tt.want, tt.words)
		}
	}
}

func TestNonsenseIsRefused(t *testing.T) {
	for _, src := range []string{"", "title ==", `match(title, "(")`, `match(title)`, `run("x")`, `match(title, other)`,
		`has(title, 3)`, `says(title, "x")`, `says(title)`} {
		if r, err := Compile(src); err == nil {
			t.Errorf("Compile(%q) = %v, want an error", src, r)
		}
	}
	for _, src := range []string{`nobody == "x"`, `labels == "x"`, `title == 3`, `title`, `match(n, "x")`, `-n == 1`,
		`n & 1`, `says(title, labels)`, `says(greeting, greeting)`, `says(title, nobody)`, `greeting == greeting`} {
		r, err := Compile(src)
		if err != nil {
			t.Errorf("Compile(%q): %v", src, err)
			continue
		}
		if got, _, err := r.Holds(Facts{"title": Text(""), "labels": List(nil), "n": Count(1),
			"greeting": Phrases([]*regexp.Regexp{})}); err == nil {
			t.Errorf("%s = %v, want an error", src, got)
		}
	}
}

func TestNames(t *testing.T) {
	r, err := Compile(`match(title, "x") && (programs == 0 || has(labels, "y")) && title != "z"`)
	if want := []string{"labels", "programs", "title"}; err != nil || !slices.Equal(r.Names(), want) {
		t.Errorf("Names = %v (%v), want %v", r.Names(), err, want)
	}
}

func TestSays(t *testing.T) {
	r, err := Compile(`says(thread, greeting) && !says(thread, farewell)`)
	if err != nil {
		t.Fatal(err)
	}
	facts := Facts{"greeting": Phrases([]*regexp.Regexp{regexp.MustCompile("hey"), regexp.MustCompile("hel+o")}),
		"farewell": Phrases([]*regexp.Regexp{regexp.MustCompile("bye")})}
	for said, want := range map[string]string{"one hello": "hello", "hello, bye": "", "none": ""} {
		facts["thread"] = List([]string{"nothing", said})
		yes, words, err := r.Holds(facts)
		if err != nil || yes != (want != "") || yes && !slices.Equal(words, []string{want}) {
			t.Errorf("%q: %v by %q (%v), want %q", said, yes, words, err, want)
		}
	}
	if want := []string{"farewell", "greeting", "thread"}; !slices.Equal(r.Names(), want) {
		t.Errorf("Names = %v, want %v", r.Names(), want)
	}
}
