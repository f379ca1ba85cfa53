package bug

import "testing"

// Numbers that are drawn anew each time need not be those of the report; all else must.
func TestDrawnNumbersNeedNotBeTheReports(t *testing.T) {
	prints := func(s string) Outcome { return Outcome{End: Exited, Stdout: s} }
	a := prints("head\ntensor([[ 0.1, -0.2]], grad_fn=<A0>)\ntensor([nan, nan])\n")
	b := prints("head\ntensor([[-0.7,  0.4]], grad_fn=<A0>)\ntensor([nan, nan])\n")
	for output, want := range map[string]Answer{
		"tensor([[ 0.9,  0.3]], grad_fn=<A0>)\ntensor([nan, nan])": Yes,
		"tensor([[ 0.9,  0.3]], grad_fn=<A0>)\ntensor([0.1, nan])": No, // it is always nan here
		"tensor([[ nan,  0.3]], grad_fn=<A0>)":                     No,
		"tensor([[ 0.9,  0.3, 1.0]], grad_fn=<A0>)":                No,
	} {
		if got := (Symptom{Kind: Prints, Output: output}).InDrawn(a, b); got != want {
			t.Errorf("%q: %v, want %v", output, got, want)
		}
	}
	s := Symptom{Kind: Prints, Output: "tensor([[ 0.9,  0.3]], grad_fn=<A0>)"}
	for name, all := range map[string][]Outcome{"one run": {a}, "nothing differs": {a, a},
		"other lines": {a, prints("x\n")}, "one failed": {a, {End: Exited, Code: 1, Stdout: b.Stdout}}} {
		if got := s.InDrawn(all...); got != Unknown {
			t.Errorf("%s: %v", name, got)
		}
	}
}
