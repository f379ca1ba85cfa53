package casefile

import (
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A statement that fails and of which its own remark says so is what the report is about.
func TestARemarkNamesWhatFails(t *testing.T) {
	const head = "Traceback (most recent call last):\n"
	for line, want := range map[string]bool{
		"trace(f)  # fails":             true,
		"trace(f)  # does not work":     true,
		"trace(f)  # no error here":     false,
		"trace(f)  # works":             false,
		"trace(f)":                      false,
		"trace(f)  # the first of them": false,
	} {
		c := Case{}
		c.Repro = bug.Program("import a\n" + line + "\n")
		c.Thread.Prose = "A call that is written as T.x does not get through a.trace."
		o := bug.Outcome{End: bug.Exited, Code: 1, Stderr: head + "  File \"/box/repro.py\", line 2, in <module>\n    " + line +
			"\n  File \"/usr/lib/a.py\", line 9, in trace\n    g()\nTypeError: descriptor of another kind\n"}
		c.Asked = []Asked{{}}
		c.Asked[0].Tally.Outcomes = []bug.Outcome{o}
		if s, from, named := c.Named(); named != want || named && s.Class != "TypeError" {
			t.Errorf("%s: %v %v, %q", line, named, s, from)
		}
	}
}
