package regress

import (
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/profile"
)

// A test that is expected to fail says so in the project's own style, in its file and in what is run.
func TestMarked(t *testing.T) {
	for name, want := range map[string]string{
		"pytorch": "    @unittest.expectedFailure\n    def test_issue_7(self):",
		"python":  "@pytest.mark.xfail(strict=True)\ndef test_issue_7():",
	} {
		p, err := profile.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		made, err := Write(Bug{Ref: bug.Ref{Repo: "octo/snail", Number: 7}, Parts: []Part{{Kind: "future",
			Text: "from __future__ import annotations"}, {Kind: "import", Text: "import snail"},
			{Kind: "rest", Text: "snail.race(2)"}}}, p.Test)
		if err != nil {
			t.Fatal(err)
		}
		marked, ok := made.Marked(p.Test)
		if !ok || !strings.Contains(marked.Text, want) || !strings.Contains(marked.Method, strings.Split(want, "\n")[0]) {
			t.Errorf("%s: %v\n%s", name, ok, marked.Text)
		}
		if marked.Run.Files[made.File] != marked.Text || made.Run.Files[made.File] == marked.Text {
			t.Errorf("%s: what is run is not what is marked", name)
		}
		if first := strings.Index(marked.Text, "__future__"); first < 0 || first > strings.Index(marked.Text, p.Test.Needs) {
			t.Errorf("%s: an import stands before what must come first:\n%s", name, marked.Text)
		}
	}
	if _, ok := (Test{}).Marked(profile.Test{}); ok {
		t.Error("a project without such a mark has one")
	}
}
