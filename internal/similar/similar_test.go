package similar

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
)

// raised is a run of a program that fails somewhere.
func raised(file, function, code, message string) bug.Outcome {
	return bug.Outcome{End: bug.Exited, Code: 1, Stderr: fmt.Sprintf("Traceback (most recent call last):\n"+
		"  File \"/box/repro.py\", line 3, in <module>\n    go()\n"+
		"  File \"%s\", line 9, in %s\n    %s\n%s\n", file, function, code, message)}
}

func caseOf(n int64, o bug.Outcome, size int) Case {
	return Case{N: n, Package: "snail", Symptom: o.Symptom(), Outcome: o, Size: size}
}

func TestGroups(t *testing.T) {
	turn := func(n int64, k, size int) Case {
		return caseOf(n, raised("/lib/snail/shell.py", "turn", "raise ValueError(x)",
			fmt.Sprintf("ValueError: cannot turn %d", k)), size)
	}
	stop := caseOf(4, raised("/lib/snail/foot.py", "stop", "raise ValueError(x)", "ValueError: cannot turn 3"), 10)
	own := func(n int64) Case {
		return caseOf(n, raised("/box/repro.py", "go", "assert x", "AssertionError"), 5)
	}
	fixed := func(n int64, text string) Case {
		c := caseOf(n, bug.Outcome{End: bug.Exited, Stdout: text}, 20)
		c.Symptom, c.Fix = bug.Symptom{Kind: bug.Prints, Output: text}, "#12"
		return c
	}
	prints := func(n int64, text string) Case {
		c := fixed(n, text)
		c.Fix = ""
		return c
	}
	elsewhere := turn(20, 1, 1)
	elsewhere.Package = "slug"
	crash := func(n int64) Case {
		o := bug.Outcome{End: bug.Killed, Signal: "SIGSEGV"}
		return caseOf(n, o, 3)
	}
	got := Groups([]Case{turn(1, 1, 30), turn(2, 2, 20), turn(3, 3, 40), stop, own(5), own(6), fixed(7, "a"), fixed(8, "b"),
		prints(9, "Matrix([[1, 2], [3, 4]])"), prints(10, "Matrix([[1, 2], [3, 4]])"), prints(11, "True"), prints(12, "True"),
		elsewhere, crash(30), crash(31)})
	var text strings.Builder
	for _, g := range got {
		if len(g.Cases) > 1 {
			fmt.Fprintf(&text, "%v %s\n", g.Cases, g.Why)
		}
	}
	want := `[2 1 3] ValueError in turn: cannot turn N
[7 8] fixed by #12
[9 10] each shows the output "Matrix([[1, 2], [3, 4]])"
`
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", text.String(), want)
	}
	n := 0
	for _, g := range got {
		n += len(g.Cases)
	}
	if n != 15 {
		t.Errorf("%d of 15 cases are in a group", n)
	}
}
