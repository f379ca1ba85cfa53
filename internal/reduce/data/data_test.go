package data

import (
	"slices"
	"testing"
)

func TestLess(t *testing.T) {
	for literal, want := range map[string][]string{
		`'{"a": [1, 2], "b": 3}'`: {`"{\"b\":3}"`, `"{\"a\":[2],\"b\":3}"`},
		`b"[1, 2]"`:               {`b"[2]"`, `b"[1]"`},
		`"x,y\n1,2\n"`:            {`"y\n2\n"`, `"x\n1\n"`},
	} {
		got := Less(literal)
		for _, w := range want[1:] {
			if !slices.Contains(got, w) {
				t.Errorf("%s: %q has no %s", literal, got, w)
			}
		}
		if len(got) == 0 || got[0] != want[0] {
			t.Errorf("%s: %q", literal, got)
		}
	}
	for _, literal := range []string{`"hello"`, `"""{"a": 1}"""`, `f"{x}"`, `"a, b"`, `r"[1]"`} {
		if got := Less(literal); len(got) > 0 {
			t.Errorf("%s is no data: %q", literal, got)
		}
	}
}
