package regress

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scrub-dev/scrub/internal/profile"
)

func TestMarksNearTheNumber(t *testing.T) {
	tree := fstest.MapFS{
		"a/test_a.py": {Data: []byte("# https://example.com/issues/77\n@xfail\ndef test(): pass\n\n\n@xfail\ndef " +
			"far(): pass\n")},
		"a/test_b.py": {Data: []byte("@xfail  # gh-778\n@xfail  # see #77\n")},
		"a/notes.txt": {Data: []byte("@xfail #77\n")},
		".git/x.py":   {Data: []byte("@xfail #77\n")},
	}
	found, err := Marks(tree, []profile.Pattern{{Regexp: regexp.MustCompile(`@xfail`)}}, 77)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range found {
		got = append(got, m.String())
	}
	if want := "a/test_a.py:2: @xfail|a/test_b.py:1: @xfail  # gh-778|a/test_b.py:2: @xfail  # see #77"; strings.Join(got, "|") != want {
		t.Errorf("got %s, want %s", strings.Join(got, "|"), want)
	}
}

// Of values that differ between two versions only those are asserted that the
// report is about: a version number differs, too.
func TestOnlyWhatTheReportIsAboutIsAsserted(t *testing.T) {
	parts := []Part{{Kind: "import", Text: "import snail"},
		{Kind: "print", Text: "print(snail.__version__)", Value: "snail.__version__", Show: "str"},
		{Kind: "print", Text: "print(snail.speed())", Value: "snail.speed()", Show: "str"}}
	b := Bug{Title: "Too slow", Parts: parts, InText: true, Shown: "17 metres", Wanted: "23 metres",
		Bad: []string{"1.0\n", "17 metres\n"}, Good: []string{"2.0\n", "23 metres\n"}}
	style := profile.Test{Template: "{imports}\n\n\ndef test_{name}():\n    {body}\n", Method: "{body}"}
	test, err := Write(b, style)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(test.Text, "assert "); n != 1 || !strings.Contains(test.Text, "23 metres") {
		t.Errorf("%d assertions:\n%s", n, test.Text)
	}
	b.Shown, b.Wanted = "", "4 wheels"
	if _, err := Write(b, style); err == nil {
		t.Error("a test was written though the report is about neither value")
	}
}
