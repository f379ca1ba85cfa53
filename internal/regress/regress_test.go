package regress

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"scrub/internal/profile"
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
