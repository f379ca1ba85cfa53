package mend

import (
	"fmt"
	"testing"

	"scrub/internal/profile"
)

func TestNames(t *testing.T) {
	p, err := profile.Load("sympy")
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{"sqrt": "sympy", "parse_expr": "sympy.parsing", "math": ""}
	for _, tt := range []struct {
		name    string
		unbound []string
		want    string
	}{
		{"nothing", nil, "[]"},
		{"of the package", []string{"sqrt"}, "[{import from sympy import *}]"},
		{"deeper", []string{"parse_expr"}, "[{import from sympy.parsing import parse_expr}]"},
		{"a module", []string{"math"}, "[{import import math}]"},
		{"a usual name", []string{"x"}, "[{import from sympy import *} {usual name x = Symbol('x')}]"},
		{"everybody's alias", []string{"np"}, "[{usual name import numpy as np}]"},
		{"unknown", []string{"my_data"}, "[]"},
		{"in order", []string{"np", "sqrt", "x"}, "[{import from sympy import *} {usual name import numpy as np} {usual name x = Symbol('x')}]"},
	} {
		if got := fmt.Sprint(Names(tt.unbound, exports, p.Package, p.Names)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestAbove(t *testing.T) {
	mends := []Mend{{"import", "import math"}}
	if got := Above("from __future__ import division\nprint(1)\n", mends); got != "from __future__ import division\nimport math  # added by scrub\nprint(1)\n" {
		t.Errorf("%q", got)
	}
	if got := Above("print(1)\n", mends); got != "import math  # added by scrub\nprint(1)\n" {
		t.Errorf("%q", got)
	}
}

// Every rewrite has a case here: the error it is for, and what becomes of a
// program.
func TestRewrites(t *testing.T) {
	p, err := profile.Load("pytorch")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, tt := range []struct{ said, text, want string }{
		{"Missing parentheses in call to 'print'. Did you mean print(...)?", "if x:\n    print x, 1\nprint (1)\n", "if x:\n    print(x, 1)\nprint((1))\n"},
		{"invalid syntax", "try:\n    f()\nexcept ValueError, e:\n    pass\n", "try:\n    f()\nexcept ValueError as e:\n    pass\n"},
		{"NameError: name 'xrange' is not defined", "for i in xrange(3): pass", "for i in range(3): pass"},
		{"NameError: name 'unicode' is not defined", "unicode(1)", "str(1)"},
		{"AttributeError: module 'collections' has no attribute 'Mapping'", "collections.Mapping", "collections.abc.Mapping"},
		{"AttributeError: module 'numpy' has no attribute 'float'.", "np.float(1)", "float(1)"},
		{"AttributeError: `np.Inf` was removed in the NumPy 2.0 release.", "np.Inf", "np.inf"},
		{"AttributeError: module 'time' has no attribute 'clock'", "time.clock()", "time.perf_counter()"},
		{"AttributeError: torch._dynamo.config.cache_size_limit does not exist", "torch._dynamo.config.cache_size_limit = 2", "torch._dynamo.config.recompile_limit = 2"},
		{"AttributeError: torch._dynamo.config.accumulated_cache_size_limit does not exist", "torch._dynamo.config.accumulated_cache_size_limit = 2", "torch._dynamo.config.accumulated_recompile_limit = 2"},
		{"ValueError: no", "xrange(1)", "xrange(1)"},
	} {
		got, m := Rewritten(tt.text, tt.said, p.Rewrites)
		if got != tt.want || (m != nil) != (tt.text != tt.want) {
			t.Errorf("%s: %q (%v), want %q", tt.said, got, m, tt.want)
		}
		if m != nil {
			used[m.Name] = true
		}
	}
	for _, r := range p.Rewrites {
		if !used[r.Name] && r.Output == nil {
			t.Errorf("%s has no case", r.Name)
		}
	}
}

func TestPrinted(t *testing.T) {
	got, mends := Printed("x = 1\nf(x,\n  2)  # odd\ny\n", [][2]int{{2, 3}, {4, 1 << 30}})
	if want := "x = 1\nprint(repr(\nf(x,\n  2)  # odd\n))\nprint(repr(\ny\n\n))"; got != want || len(mends) != 1 {
		t.Errorf("%q, want %q (%v)", got, want, mends)
	}
}
