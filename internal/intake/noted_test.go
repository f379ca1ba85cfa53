package intake

import (
	"fmt"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
)

// Comments behind what prints, and under it, say what is printed; sentences and wishes do not.
func TestCommentsSayWhatIsPrinted(t *testing.T) {
	for _, c := range []struct{ program, want string }{
		{"print(a)  # tensor([1, 2])\nprint(b)\n# [[1,\n#   2]]\nx = 1\n", `["tensor([1, 2])" "[[1,\n2]]"]`},
		{"print(a)  # this is wrong\nprint(b)  # should be 3\nprint(c)\n# now something else\n", `[]`},
		{"f(a)  # 3\n# 4\n", `[]`},
	} {
		if got := fmt.Sprintf("%q", noted(c.program)); got != c.want {
			t.Errorf("%q: %s, want %s", c.program, got, c.want)
		}
	}
}

// What comments note is the symptom if nothing else is; where none of it is printed, it says nothing.
func TestNotedSymptom(t *testing.T) {
	thread := Read(bug.Report{Body: "It is wrong.\n\n```python\nprint(1)  # 1\nprint(2)  # 3\n```\n"})
	s, from := thread.symptom("", thread.Programs[0], nil)
	if s.Kind != bug.Prints || s.Output != "3" || s.Before != "1" || from != "what its comments say that it prints" {
		t.Fatalf("%+v, %s", s, from)
	}
	for out, want := range map[string]bug.Answer{"1\n3\n": bug.Yes, "1\n2\n": bug.No, "tensor(1)\ntensor(2)\n": bug.Unknown} {
		if got := s.In(bug.Outcome{End: bug.Exited, Stdout: out}); got != want {
			t.Errorf("%q: %v, want %v", out, got, want)
		}
	}
}

func TestStatementsInBackquotes(t *testing.T) {
	thread := Read(bug.Report{Body: "Minimal example:\n\n`v = make(1, 2)\nuse(v)`\n\nSome `name\nbroken` over lines."})
	if len(thread.Programs) != 1 || thread.Programs[0].Text != "v = make(1, 2)\nuse(v)\n" {
		t.Errorf("%+v", thread.Programs)
	}
	thread = Read(bug.Report{Body: "```\nimport x\nprint(f\"{x}\")``\n```\n"})
	if len(thread.Programs) != 1 || thread.Programs[0].Text != "import x\nprint(f\"{x}\")\n" {
		t.Errorf("%+v", thread.Programs)
	}
}
