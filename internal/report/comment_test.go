package report

import (
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
)

func TestWhatTheIssueHasNamed(t *testing.T) {
	for text, want := range map[string]bool{
		"Perhaps #12 did that.": true, "see https://github.com/o/r/pull/12": true, "#123 is another": false, "12": false,
	} {
		c := casefile.Case{Report: bug.Report{Body: "It fails.", Comments: []bug.Comment{{Body: text}}}}
		if named(c, 12) != want {
			t.Errorf("named(%q, 12) = %v", text, !want)
		}
	}
}
