package mend

import (
	"fmt"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/profile"
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
		{"in order", []string{"np", "sqrt", "x"},
			"[{import from sympy import *} {usual name import numpy as np} {usual name x = Symbol('x')}]"},
	} {
		if got := fmt.Sprint(Names(tt.unbound, exports, p.Package, p.Names)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestAbove(t *testing.T) {
	mends := []Mend{{"import", "import math"}}
	if got := Above("from __future__ import division\nprint(1)\n",
		mends); got != "from __future__ import division\nimport math  # added by scrub\nprint(1)\n" {
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
		{"Missing parentheses in call to 'print'. Did you mean print(...)?", "if x:\n    print x, 1\nprint (1)\n",
			"if x:\n    print(x, 1)\nprint((1))\n"},
		{"invalid syntax", "try:\n    f()\nexcept ValueError, e:\n    pass\n",
			"try:\n    f()\nexcept ValueError as e:\n    pass\n"},
		{"NameError: name 'xrange' is not defined", "for i in xrange(3): pass", "for i in range(3): pass"},
		{"NameError: name 'unicode' is not defined", "unicode(1)", "str(1)"},
		{"AttributeError: module 'collections' has no attribute 'Mapping'", "collections.Mapping",
			"collections.abc.Mapping"},
		{"AttributeError: module 'numpy' has no attribute 'float'.", "np.float(1)", "float(1)"},
		{"AttributeError: `np.Inf` was removed in the NumPy 2.0 release.", "np.Inf", "np.inf"},
		{"AttributeError: `np.NaN` was removed in the NumPy 2.0 release. Use `np.nan` instead.", "numpy.NaN",
			"numpy.nan"},
		{"AttributeError: module 'numpy' has no attribute 'NaN'", "np.NaN", "np.nan"},
		{"AttributeError: 'dict' object has no attribute 'iteritems'", "for k, v in d.iteritems(): pass",
			"for k, v in d.items(): pass"},
		{"NameError: name 'basestring' is not defined", "isinstance(x, basestring)", "isinstance(x, str)"},
		{"ImportError: Cannot load backend 'TkAgg' which requires the 'tk' interactive framework, as 'headless' is " +
			"currently running", "matplotlib.use('TkAgg')", `matplotlib.use("Agg")`},
		{"torch._dynamo.exc.FailOnRecompileLimitHit: recompile_limit reached", "if x:\n    g = torch.compile(f)\n",
			"if x:\n    torch._dynamo.reset()\n    g = torch.compile(f)\n"},
		{"AttributeError: module 'time' has no attribute 'clock'", "time.clock()", "time.perf_counter()"},
		{"AttributeError: torch._dynamo.config.cache_size_limit does not exist",
			"torch._dynamo.config.cache_size_limit = 2", "torch._dynamo.config.recompile_limit = 2"},
		{"AttributeError: torch._dynamo.config.accumulated_cache_size_limit does not exist",
			"torch._dynamo.config.accumulated_cache_size_limit = 2",
			"torch._dynamo.config.accumulated_recompile_limit = 2"},
		{"RuntimeError: CUDA error: invalid device ordinal", `x.to("cuda:1")`, `x.to("cuda:0")`},
		{"ValueError: ProcessGroupNCCL is only supported with GPUs, no GPUs found!", `init_process_group('nccl')`,
			`init_process_group("gloo")`},
		{"RuntimeError: Found no NVIDIA driver on your system.", `torch.ones(2, device='cuda:0')`,
			`torch.ones(2, device="cpu")`},
		{"AssertionError: Torch not compiled with CUDA enabled", "x.cuda().sum()", "x.sum()"},
		{"RuntimeError: No CUDA GPUs are available", "f()\n  torch.cuda.synchronize()\n", "f()\n  pass\n"},
		{"ValueError: world_size must be positive", "spawn(f, torch.cuda.device_count())", "spawn(f, 2)"},
		{"KeyError: 'LOCAL_RANK'", "f()", "import os\nfor name, value in dict(RANK=\"0\", LOCAL_RANK=\"0\", " +
			"WORLD_SIZE=\"1\", LOCAL_WORLD_SIZE=\"1\", MASTER_ADDR=\"127.0.0.1\", MASTER_PORT=\"29500\").items():\n" +
			"    os.environ.setdefault(name, value)\nf()"},
		{"RuntimeError: This function was deprecated since version 1.9 and is now removed.\n`torch.solve` is deprecated " +
			"in favor of `torch.linalg.solve`.", "x, _ = torch.solve(b, a)", "x, _ = (torch.linalg.solve(a, b), None)"},
		{"RuntimeError: This function was deprecated since version 1.9 and is now removed. The default behavior has " +
			"changed from using the upper triangular portion", "e, v = torch.symeig(a, eigenvectors=True)",
			"e, v = torch.linalg.eigh(a)"},
		{"RuntimeError: now removed. use torch.linalg.lstsq", "torch.lstsq(b, a)", "torch.linalg.lstsq(a, b)"},
		{"RuntimeError: now removed. use torch.linalg.matrix_rank", "torch.matrix_rank(a)", "torch.linalg.matrix_rank(a)"},
		{"RuntimeError: now removed. use torch.linalg.qr", "q, r = torch.qr(a)", "q, r = torch.linalg.qr(a)"},
		{"RuntimeError: now removed. use torch.linalg.cholesky", "torch.cholesky(a)", "torch.linalg.cholesky(a)"},
		{"AttributeError: module 'torch.onnx' has no attribute 'dynamo_export'", "torch.onnx.dynamo_export(m, x)",
			"torch.onnx.export(m, (x,), dynamo=True)"},
		{"ModuleNotFoundError: No module named 'torch._six'", "from torch._six import inf", "from math import inf, nan\n" +
			"string_classes, int_classes, container_abcs = (str, bytes), int, __import__('collections.abc').abc"},
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
	for old, new := range map[string]string{
		"float_": "float64", "complex_": "complex128", "unicode_": "str_", "string_": "bytes_", "product": "prod",
		"cumproduct": "cumprod",
		"alltrue":    "all", "sometrue": "any", "in1d": "isin", "trapz": "trapezoid", "row_stack": "vstack",
		"asfarray": "asarray",
	} {
		got, m := Rewritten("np."+old+"(x)", "AttributeError: `np."+old+"` was removed in the NumPy 2.0 release",
			p.Rewrites)
		if got != "np."+new+"(x)" {
			t.Errorf("%s: %q", old, got)
		} else {
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

func TestSmaller(t *testing.T) {
	text := "x = torch.zeros(100000, 100_001, 40)  # 99999\ny = f('500000', 100000, x1000, 1000.5)\n"
	got, m := Smaller(text)
	if want := "x = torch.zeros(12500, 12501, 40)  # 99999\ny = f('500000', 12500, x1000, 1000.5)\n"; got != want ||
		m == nil || m.Text != "12500 for 100000, 12501 for 100001" {
		t.Errorf("%q (%v)", got, m)
	}
	if got, m := Smaller("f(3, 128)"); m != nil || got != "f(3, 128)" {
		t.Errorf("%q (%v)", got, m)
	}
	for _, tt := range []struct {
		o    bug.Outcome
		want bool
	}{
		{bug.Outcome{End: bug.Killed, Limit: "memory"}, true},
		{bug.Outcome{End: bug.Exited, Code: 1,
			Stderr: "Traceback (most recent call last):\n  File \"r\", line 1, in " +
				"<module>\nnumpy.core._exceptions.MemoryError: Unable to allocate 8 GiB\n"}, true},
		{bug.Outcome{End: bug.Exited, Code: 1,
			Stderr: "Traceback (most recent call last):\n  File \"r\", line 1, in <module>\nValueError: no\n"}, false},
	} {
		if OutOfMemory(tt.o) != tt.want {
			t.Errorf("%+v: not %v", tt.o, tt.want)
		}
	}
}

func TestSeeds(t *testing.T) {
	p, err := profile.Load("pytorch")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(Seeds([]string{"random", "torch"},
		p.Seeds)); got != "[{fixed seed import torch; torch.manual_seed(0)} {fixed seed import random; random.seed(0)}]" {
		t.Error(got)
	}
}

// What must come first in a program stays first, and mends keep their order.
func TestMendsGoBelowTheFuture(t *testing.T) {
	text := "from __future__ import annotations\nfrom __future__ import division\nprint(a, b)\n"
	got := Above(text, []Mend{{"one", "a = 1"}, {"two", "b = a"}})
	want := "from __future__ import annotations\nfrom __future__ import division\n" +
		"a = 1  # added by scrub\nb = a  # added by scrub\nprint(a, b)\n"
	if got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}
