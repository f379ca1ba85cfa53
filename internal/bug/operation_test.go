package bug

import (
	"slices"
	"testing"
)

func TestOperations(t *testing.T) {
	for _, tt := range []struct {
		name, frames string
		want         []string
	}{
		{"a marked operator", "  File \"repro.py\", line 1, in <module>\n    x = a - b @ c\n        ~~^~~~~~~\n",
			[]string{"-"}},
		{"a marked call", "  File \"repro.py\", line 1, in <module>\n    y = f(g(x)) + 1\n        ^^^^^^^\n",
			[]string{"f", "g"}},
		{"a call marked as newer Pythons do",
			"  File \"repro.py\", line 1, in <module>\n    y = f.g(x) + 1\n        ~~~^^^\n", []string{"g"}},
		{"nothing marked", "  File \"repro.py\", line 1, in <module>\n    return F.linear(x, \"a(b)\")\n",
			[]string{"linear"}},
		{"raised on purpose in a library", "  File \"/lib/when.py\", line 1, in parse\n    raise ValueError(\"no\")\n",
			[]string{"raise in parse"}},
		{"raised by the program itself", "  File \"repro.py\", line 1, in parse\n    raise ValueError(\"no\")\n",
			[]string{"raise"}},
		{"no source", "  File \"repro.py\", line 1, in parse\n", nil},
	} {
		all := Exceptions("Traceback (most recent call last):\n" + tt.frames + "ValueError: no\n")
		if len(all) != 1 || !slices.Equal(all[0].Operations(), tt.want) {
			t.Errorf("%s: %+v, want %q", tt.name, all, tt.want)
		}
	}
	old := Exceptions("Traceback (most recent call last):\n  File \"repro.py\", line 4, in check\n    % (a, " +
		"b)\nAssertionError: no\n")[0]
	if !slices.Equal(old.Operations(), []string{"assert"}) || !old.Complains() {
		t.Errorf("an older Python shows the last line of an assertion: %q", old.Operations())
	}
	a := Exceptions("Traceback (most recent call last):\n  File \"r\", line 1, in f\n    a @ b\n    " +
		"~~^~~\nValueError: no\n")[0]
	b := Exceptions("Traceback (most recent call last):\n  File \"r\", line 1, in f\n    a - b\n    " +
		"~~^~~\nValueError: no\n")[0]
	if a.SameOperation(b) || !a.SameOperation(a) || !a.SameOperation(Exception{}) {
		t.Error("a product is no difference")
	}
}
