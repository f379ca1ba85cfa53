package report

import (
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/triage"
)

func TestNothingUnseenIsShown(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext\n":    "plain\ttext\n",
		"\x1b[2Jgone":      "⟪U+001B⟫[2Jgone",
		"a\u202eb\u200bc":  "a⟪U+202E⟫b⟪U+200B⟫c",
		"ring\a back\r":    "ring⟪U+0007⟫ back⟪U+000D⟫",
		"👩\u200d🔬 ☀\ufe0f": "👩\u200d🔬 ☀\ufe0f",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

// A program cannot write itself out of its fence or into the page.
func TestProgramsStayInTheirPlace(t *testing.T) {
	code := "x = '''\n```\n<script>alert(1)</script>\n'''\n"
	c := casefile.Case{
		Report:     bug.Report{Title: "<b>x</b> | y", Body: "z"},
		Candidates: []triage.Candidate{{Why: "the author's own"}},
		Subject:    casefile.Subject{Repro: bug.Program(code)},
	}
	md := Markdown(c)
	if !strings.Contains(md, "````python\n"+code+"````\n") {
		t.Errorf("the fence does not hold:\n%s", md)
	}
}
