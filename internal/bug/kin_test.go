package bug

import "testing"

// An error that is a kind of the reported one, in the same words, is the reported one; in other words, or
// with hardly any, it is not.
func TestKinOfAnException(t *testing.T) {
	for _, c := range []struct {
		class, message, got, said string
		want                      Answer
	}{
		{"RuntimeError", `"rshift_cpu" not implemented for 'UInt32'`, "NotImplementedError", `"rshift_cpu" not implemented for 'UInt32'`, Yes},
		{"NotImplementedError", "not for this kind of snail", "RuntimeError", "not for this kind of snail", Yes},
		{"RuntimeError", "not for this kind of snail", "NotImplementedError", "not for that kind of slug", No},
		{"RuntimeError", "not for this kind of snail", "ValueError", "not for this kind of snail", No},
		{"LookupError", "x", "KeyError", "x", No},
	} {
		s := Symptom{Kind: Raises, Class: c.class, Message: c.message}
		o := Outcome{End: Exited, Code: 1, Stderr: "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    f()\n" +
			c.got + ": " + c.said + "\n"}
		if got := s.In(o); got != c.want {
			t.Errorf("%s: %s, seen %s: %s: %v, want %v", c.class, c.message, c.got, c.said, got, c.want)
		}
	}
}
