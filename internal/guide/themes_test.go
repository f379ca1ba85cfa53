package guide

import (
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/cochange"
)

// What is often said to agents is said here only as far as it was counted.
func TestThemes(t *testing.T) {
	file := func(names ...string) (c cochange.Change) {
		for _, n := range names {
			c = append(c, cochange.File{Path: n})
		}
		return c
	}
	got := themes([]cochange.Change{file("src/a.py", "tests/test_a.py"), file("src/a.py"), file("README.md"), nil,
		file("a.c", "b.c", "c.c")}, []cochange.Rule{
		{When: cochange.Part{Path: "src/a.py"}, Then: cochange.Part{Path: "src/a.cpp"}},
		{When: cochange.Part{Path: "src/", Does: cochange.NewFile}, Then: cochange.Part{Path: "tests/"}},
	})
	if got != (Themes{Tested: cochange.Count{Followed: 1, Of: 3}, Files: 2, Layers: 1, Registers: 1, Tests: 1}) {
		t.Errorf("%+v", got)
	}
	text := Themes{}.words(false)
	for _, want := range []string{"the history does not show it", "no sessions were read", "cannot be counted"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	if strings.Contains(got.words(true), "no sessions") {
		t.Error(got.words(true))
	}
}
