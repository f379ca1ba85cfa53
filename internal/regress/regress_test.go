package regress

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"scrub/internal/profile"
)

func TestATestGoesIntoItsClass(t *testing.T) {
	test := Test{Name: "issue_1", Text: "whole\n", Method: "\n    def test_issue_1(self):\n        pass\n"}
	place := profile.Place{File: "test/test_x.py", Class: "Repros"}
	const head, tail = "import x\n\n\nclass Repros(TestCase):\n    def test_a(self):\n        pass\n", "\n\nclass Others(TestCase):\n    pass\n\n\nif __name__ == \"__main__\":\n    run_tests()\n"
	file, after := test.Into(place, head+tail)
	if want := head + "\n" + test.Method + tail; file != "test/test_x.py" || after != want {
		t.Errorf("%s:\n%s\nwant:\n%s", file, after, want)
	}
	if _, after = test.Into(place, ""); after != test.Text {
		t.Errorf("a file that is not there: %q, want %q", after, test.Text)
	}
	if _, after = test.Into(profile.Place{File: "f.py", Class: "Repr"}, head+tail); !strings.HasPrefix(after, head+tail) || !strings.HasSuffix(after, test.Text) {
		t.Errorf("a class that is not there: %q", after)
	}
}

func TestMarksNearTheNumber(t *testing.T) {
	tree := fstest.MapFS{
		"a/test_a.py": {Data: []byte("# https://example.com/issues/77\n@xfail\ndef test(): pass\n\n\n@xfail\ndef far(): pass\n")},
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
