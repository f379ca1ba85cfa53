package intake

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/profile"
)

func TestProgramsAreFound(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       []string // programs
	}{
		{"fenced", "Look:\n```python\nprint(1)\n```\n", []string{"print(1)\n"}},
		{"fenced, no language", "```\nimport os\nprint(os.sep)\n```\n", []string{"import os\nprint(os.sep)\n"}},
		{"indented", "Look:\n\n    import os\n    print(os.sep)\n", []string{"import os\nprint(os.sep)\n"}},
		{"carriage returns", "```py\r\nx = 1\r\nprint(x)\r\n```\r\n", []string{"x = 1\nprint(x)\n"}},
		{"in details", "<details>\n<summary>code</summary>\n\n```python\nprint(2)\n```\n\n</details>\n",
			[]string{"print(2)\n"}},
		{"pre", "<pre><code>import os\nprint(1 &lt; 2)\n</code></pre>\n", []string{"import os\nprint(1 < 2)\n"}},
		{"with its traceback", "```python\nimport os\nos.x\nTraceback (most recent call last):\n  File \"a\", line " +
			"2, in <module>\nAttributeError: x\n```\n", []string{"import os\nos.x\n"}},
		{"indented in its fence", "```python\nimport os\n    print(1)\n    print(2)\n```\n",
			[]string{"import os\nprint(1)\nprint(2)\n"}},
		{"block under its head", "```python\nfor i in x:\n    print(1)\n    print(2)\n```\n",
			[]string{"for i in x:\n    print(1)\n    print(2)\n"}},
		{"all of it indented", "```\n    def f(x):\n        return x\n    f(1)\n```\n",
			[]string{"def f(x):\n    return x\nf(1)\n"}},
		{"comparison in a program", "```python\nimport os\nassert x == 1\nx==1\n```\n",
			[]string{"import os\nassert x == 1\nx==1\n"}},
		{"joined", "```python\nimport os\nx = 1\n```\nand then\n```python\nprint(x)\n```\n",
			[]string{"import os\nx = 1\nprint(x)\n"}},
		{"joined sessions", "```\n>>> a, b = 1, 2\n>>> a\n1\n```\n```\n>>> b\n2\n```\n",
			[]string{"a, b = 1, 2\nprint(repr(a))\nprint(repr(b))\n"}},
		{"two versions of one", "```python\nimport os\nx = 1\n```\nshorter:\n```python\nimport os\nx = " +
			"2\nprint(x)\n```\n", []string{"import os\nx = 1\n", "import os\nx = 2\nprint(x)\n"}},
		{"strangers", "```python\nimport os\nx = 1\n```\n```python\nprint(obj.x)\n```\n",
			[]string{"import os\nx = 1\n", "print(obj.x)\n"}},
		{"session without a fence", "I did:\n>>> x = 1\n>>> x\n1\n\n>>> x + 1\n2\n\nand was surprised.\n",
			[]string{"x = 1\nprint(repr(x))\nprint(repr(x + 1))\n"}},
		{"notebook without a fence", "In [1]: x = 1\nIn [2]: x\nOut[2]: 1\n", []string{"x = 1\nprint(repr(x))\n"}},
		{"code in a line is no fence", "```f()``` fails, see\n```python\nf()\n```\n", []string{"f()\n"}},
		{"prompts in a fence stay", "```\n>>> 1\n1\n```\n", []string{"print(repr(1))\n"}},
		{"settings in Python", "```python\nmode = 'fast'\nlevels = [1, 2]\n```\n", nil},
		{"settings", "```\n[tool]\nverbose = 0\nmode = fast\n```\n", nil},
		{"heredoc", "```\n$ cat << EOF > t.py\nimport os\nprint(os.sep)\nEOF\n$ python t.py\n/\n```\n",
			[]string{"import os\nprint(os.sep)\n"}},
		{"heredoc of a shell", "```bash\npython3 <<'END'\nimport os\nprint(os.sep)\nEND\n```\n",
			[]string{"import os\nprint(os.sep)\n"}},
		{"shell", "```bash\npip install snail\n```\n", nil},
		{"unmarked shell", "```\n$ python x.py\nhello\n```\n", nil},
		{"environment", "```\nPython version: 3.9\nOS: Linux\nnumpy==1.2\n```\n", nil},
		{"traceback alone", "```\nTraceback (most recent call last):\n  File \"a\", line 2, in <module>\n    " +
			"f(x)\nValueError: no\n```\n", nil},
		{"prose", "I set x = 1 and it broke.\n", nil},
		{"behind -c", "```\n$ python3 -W error -c \"import os; print(\\\"\\$x\\\", os.sep)\"\n$x /\n```\n",
			[]string{"import os; print(\"$x\", os.sep)\n"}},
		{"behind -c, many lines", "```sh\npython -c '\nimport os\nprint(os)\n'\n```\n",
			[]string{"\nimport os\nprint(os)\n\n"}},
		{"what versions there are", "```\n$ python -c \"import sys; print(sys.version)\"\n3.9\n```\n", nil},
		{"shown by cat", "```\n(base) me@box:~/w$ cat t.py\nimport os\nprint(os.sep)\n(base) me@box:~/w$ python " +
			"t.py\n/\n```\n", []string{"import os\nprint(os.sep)\n"}},
		{"notebook's own lines", "```python\n%matplotlib inline\n!pip install x\nimport os\nos.sep?\nprint(os)\n```\n",
			[]string{"import os\nprint(os)\n"}},
		{"no fence at all", "I did\nimport os\nx = 1\n\nfor i in [x]:\n    print(i)\n\nand it broke.\n",
			[]string{"import os\nx = 1\n\nfor i in [x]:\n    print(i)\n"}},
		{"an import in a sentence", "import os fails.\nimport os\nThat is all.\n", nil},
		{"hidden from the reader", "<!--\n```python\nimport os\nprint(1)\n```\n>>> import os\n>>> os\n<pre>import " +
			"sys\nprint(2)</pre>\n-->\nSee:\n```python\nprint(3)\n```\n", []string{"print(3)\n"}},
		{"language in the first line", "```\npython\nimport os\nprint(os)\n```\n", []string{"import os\nprint(os)\n"}},
		{"what it printed", "```python\nimport os\nf(os)\n```\nprints\n```\ntensor([1, 2])\n```\n",
			[]string{"import os\nf(os)\n"}},
		{"quoted reply", "> ```python\n> print(1)\n> ```\n\nYes.\n", nil},
	} {
		var got []string
		for _, p := range Read(bug.Report{Body: tt.body}).Programs {
			got = append(got, p.Text)
		}
		if bug.Digest(got) != bug.Digest(tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestSessions(t *testing.T) {
	for _, tt := range []struct{ name, typed, text, printed, raised string }{
		{"value", ">>> x = 3\n>>> x + 1\n4\n", "x = 3\nprint(repr(x + 1))\n", "4", ""},
		{"print", ">>> print('a')\na\n", "print('a')\n", "a", ""},
		{"block", ">>> for i in range(2):\n...     print(i)\n...\n0\n1\n", "for i in range(2):\n    print(i)\n", "0\n1",
			""},
		{"error", ">>> 1/0\nTraceback (most recent call last):\n  File \"<stdin>\", line 1, in " +
			"<module>\nZeroDivisionError: division by zero\n>>> 'later'\n'later'\n", "1/0\n", "", "ZeroDivisionError"},
		{"error without its traceback", ">>> f()\n# ... stacktrace\na.b.ProtocolError: ('x',)\n", "f()\n", "",
			"a.b.ProtocolError"},
		{"ipython", "In [1]: x = 3\n\nIn [2]: x + 1\nOut[2]: 4\n\n", "x = 3\nprint(repr(x + 1))\n", "4", ""},
		{"ipython block", "In [3]: for i in [1]:\n   ...:     print(i)\n   ...: \n1\n", "for i in [1]:\n    print(i)\n",
			"1", ""},
		{"banner", "Python 3.9.1\nType help\n>>> 2\n2\n", "print(repr(2))\n", "2", ""},
		{"silent", ">>> import os\n>>> os.getcwd\n", "import os\nos.getcwd\n", "", ""},
		{"empty prompts", ">>>\n>>> 5\n5\n>>>\n", "print(repr(5))\n", "5", ""},
		{"comparison", ">>> a == b\nFalse\n", "print(repr(a == b))\n", "False", ""},
		{"an arrow behind a value", ">>> s(1) -> should be 4\n3\n", "print(repr(s(1)))\n", "3", ""},
		{"a remark behind a value", ">>> s  # what it is\n3\n", "print(repr(s  # what it is\n))\n", "3", ""},
		{"measured", "In [1]: %timeit -n 10 f(x)\n10 loops\n\nIn [2]: g(x)\nOut[2]: 2\n", "f(x)\nprint(repr(g(x)))\n", "2", ""},
		{"only asked about", "In [1]: f?\nIt does things.\n\nIn [2]: f(x)\nOut[2]: 2\n", "print(repr(f(x)))\n", "2", ""},
		{"no Python", "In [1]: %matplotlib inline\n\nIn [2]: !ls\n\nIn [3]: f(x)\nOut[3]: 2\n",
			"print(repr(f(x)))\n", "2", ""},
		{"called wrong", ">>> f(1)\n1  # right\n>>> f(2)\n3  # wrong, must be 2\n>>> f(3)\n3\n",
			"print(repr(f(1)))\nprint(repr(f(2)))\nprint(repr(f(3)))\n", "3", ""},
		{"called right", ">>> f(2)\n3\n>>> f(1)\n1  # ok\n", "print(repr(f(2)))\nprint(repr(f(1)))\n", "3", ""},
		{"printed with a number sign", ">>> f(2)\n3 # of them\n", "print(repr(f(2)))\n", "3 # of them", ""},
	} {
		p := readSession(tt.typed)
		raised := ""
		if p.Raised != nil {
			raised = p.Raised.Class
		}
		if p.Text != tt.text || p.Printed != tt.printed || raised != tt.raised {
			t.Errorf("%s: %q printing %q raising %q, want %q, %q, %q", tt.name, p.Text, p.Printed, raised, tt.text,
				tt.printed, tt.raised)
		}
	}
}

func TestSymptomIsWhatTheThreadSays(t *testing.T) {
	trace := func(last string) string {
		return "```\nTraceback (most recent call last):\n  File \"a\", line 2, in <module>\n    f(x)\n" + last +
			"\n```\n"
	}
	program := "```python\nimport os\nf(x)\n```\n"
	prof, err := profile.Load(profile.Generic)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, title, body, comment, want string }{
		{"traceback", "", program + trace("ValueError: no"), "", "ValueError: no"},
		{"traceback in prose", "", program +
			"\nTraceback (most recent call last):\n  File \"a\", line 2, in f\n    f(x)\nKeyError: 'k'\n", "",
			"KeyError: 'k'"},
		{"the last of two", "", program + trace("KeyError: 'k'") + trace("ValueError: no"), "", "ValueError: no"},
		{"the report's before a comment's", "", program + trace("ValueError: no"), trace("KeyError: 'k'"),
			"ValueError: no"},
		{"only in a comment", "", program, trace("KeyError: 'k'"), "KeyError: 'k'"},
		{"quoted line", "", program + "\n> RuntimeError: bad size\n", "", "RuntimeError: bad size"},
		{"bare line", "", program + "\nRuntimeError: bad size\n", "", "RuntimeError: bad size"},
		{"crash in words", "Segfault in f", program, "", "SIGSEGV"},
		{"crash in a remark", "f is odd", "```python\nimport os\nf(x)\n# Segmentation fault (core dumped)\n```\n", "",
			"SIGSEGV"},
		{"a message below its class", "", program +
			"\n```\nRuntimeError:\n'T' has no part 'x'.:\n  File \"a.py\", line 3\n```\n", "",
			"RuntimeError: 'T' has no part 'x'.:"},
		{"a class called by its module", "", program +
			"\n```\nlib._inner.exc.Unsupported: call of x\n\nfrom user code:\n```\n", "", "Unsupported: call of x"},
		{"hang in words", "", program + "\nIt hangs.\n", "", "a hang"},
		{"hang, ended by hand", "f hangs", program + trace("KeyboardInterrupt"), "", "a hang"},
		{"nothing", "f is odd", program, "", "not stated"},
		{"crash in the output", "", program + "```\n$ python x.py\nSegmentation fault (core dumped)\n```\n", "",
			"SIGSEGV"},
		{"c++ exception", "", program + "```\nterminate called after throwing an instance of 'c10::Error'\n  what(): " +
			" no\n```\n", "", "SIGABRT"},
		{"in a notebook, without a fence", "", program +
			"\n-----\nKeyError       Traceback (most recent call last)\na.py in f(x)\n    624     try:\n--> 625      " +
			"   g(x)\n\nKeyError: 'k'\n\nDuring handling of the above exception, another exception " +
			"occurred:\n\nValueError       Traceback (most recent call last)\n<ipython-input-1> in " +
			"<module>\n\n    626         except KeyError:\n--> 627         h(x)\n\nValueError: " +
			"null\n\nThat is all.\n", "", "ValueError: null"},
		{"a line of code before a line of prose", "", program +
			"```\nIndexError: out of range\n```\n\nIndexError: out of range when the tree is small\n", "",
			"IndexError: out of range"},
		{"wrapped", "", program + trace("a.exc.BackendCompilerFailed: backend='b' raised:\nValueError: boom\n\nSet "+
			"X=1 for more"), "", "BackendCompilerFailed: backend='b' raised: ValueError: boom"},
		{"printed", "", program + "Output:\n```\n[1, 2]\n```\nExpected output:\n```\n[2, 1]\n```\n", "",
			`the output "[1, 2]"`},
		{"printed, by labels", "", program + "What I get: **[1, 2]**\nWhat I expect: **[2, 1]**\n", "",
			`the output "[1, 2]"`},
		{"got, by a label alone", "", program + "What I get: **[1, 2]**\n", "", "not stated"},
		{"should have printed", "", program + "### Expected result\n```\n[2, 1]\n```\n", "", `no output "[2, 1]"`},
		{"should have been, in a sentence alone", "", program + "It should return `[2, 1]` here.\n", "",
			"not stated"},
	} {
		r := bug.Report{Title: tt.title, Body: tt.body, Comments: []bug.Comment{{Body: tt.comment}}}
		thread := Read(r)
		if len(thread.Programs) != 1 {
			t.Errorf("%s: %d programs", tt.name, len(thread.Programs))
			continue
		}
		if got, _ := thread.Symptom(tt.title, thread.Programs[0], prof); got.String() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, got, tt.want)
		}
	}
}

func TestVersionsAndPictures(t *testing.T) {
	body := "![a](b.png)\n\n<img src=x>\n\n```\nPyTorch version: 2.1.0+cu118\nOS: Ubuntu\n[pip3] " +
		"numpy==1.26.0\n```\n\n* Python: 3.11.4\n"
	got := Read(bug.Report{Body: body})
	if s := fmt.Sprint(got.Versions); s != "[{pytorch 2.1.0+cu118 0} {numpy 1.26.0 0} {python 3.11.4 0}]" ||
		got.Images != 2 {
		t.Errorf("versions %v, %d images", s, got.Images)
	}
}

func TestVersions(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"collect_env of 0.4", "PyTorch version: 0.4.1\nIs debug build: No\nCUDA used to build PyTorch: " +
			"9.0.176\nPython version: 2.7\n[pip] numpy (1.15.4)\n[conda] torch                     0.4.1             " +
			"        <pip>\n", "pytorch 0.4.1, cuda 9.0.176, python 2.7, numpy 1.15.4, torch 0.4.1"},
		{"collect_env of 2.6", "Collecting environment information...\nPyTorch version: 2.6.0+cu124\nPython version: " +
			"3.12.3 (main, Feb  4 2025) [GCC 13.3.0] (64-bit runtime)\n[pip3] torch==2.6.0\n", "pytorch 2.6.0+cu124, " +
			"python 3.12.3, torch 2.6.0"},
		{"show_versions", "INSTALLED VERSIONS\n------------------\ncommit: None\npython: 3.7.3 " +
			"(default)\npython-bits: 64\nOS: Linux\npandas           : 1.3.0\nxarray: 0.12.3\n", "python 3.7.3, " +
			"pandas 1.3.0, xarray 0.12.3"},
		{"form", "### Python version\n\n3.9.6\n\n### Sphinx version\n\n4.5.0\n", "python 3.9.6, sphinx 4.5.0"},
		{"old form", "- PyTorch Version (e.g., 1.0): 1.0.1\n- Python version: [e.g. 3.7.1] 3.6\n",
			"pytorch 1.0.1, python 3.6"},
		{"session", ">>> torch.__version__\n'1.2.0'\n", "torch 1.2.0"},
		{"test run", "platform linux -- Python 3.7.3, pytest-5.2.0, py-1.8.0\n",
			"python 3.7.3, pytest 5.2.0, py 1.8.0"},
		{"tuples", "('NumPy', '1.13.3')\n", "numpy 1.13.3"},
		{"sentence", "With Python 3.9 and snail 1.2.3 it takes 2.5 seconds, see section 3.2 and 192.168.1.120.\n",
			"python 3.9, snail 1.2.3"},
		{"under their heading", "#### Versions\n```shell\n1.2.2\n```\n", " 1.2.2"},
		{"two", "Tested with versions 1.3.1 and 1.4.2.\n", " 1.3.1,  1.4.2"},
		{"glued", "in Python2.7/sklearn0.19.0\n", "python 2.7, sklearn 0.19.0"},
		{"no versions", "x = 1.5\nloss: 0.25\n1.2.840.10008.5.1.4.1\nt-0.0.0.zip\n", ""},
	} {
		var got []string
		for _, v := range Read(bug.Report{Body: tt.body}).Versions {
			got = append(got, v.Of+" "+v.Is)
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, s, tt.want)
		}
	}
}

func TestWhatIsNotHere(t *testing.T) {
	body := "See [this](https://gist.github.com/ann/1) and https://colab.research.google.com/drive/x.\n\n<!-- say " +
		"nothing -->\nmodel at https://x.org/m.pth, data at https://github.com/o/r/files/1/d.zip\n\n- OS: Ubuntu " +
		"18.04\n\nGPU 0: TITAN Xp\nGPU 1: TITAN Xp\n"
	got := Read(bug.Report{Body: body})
	var kinds []string
	for _, l := range got.Links {
		kinds = append(kinds, string(l.Kind))
	}
	if s := strings.Join(kinds, " "); s != "gist notebook model attachment" {
		t.Errorf("links: %s", s)
	}
	if fmt.Sprint(got.Hidden) != "[say nothing]" || got.System != "Ubuntu 18.04" || len(got.GPUs) != 2 {
		t.Errorf("hidden %q, system %q, %d GPUs", got.Hidden, got.System, len(got.GPUs))
	}
}

// What people can paste by the megabyte costs no more than its length.
func BenchmarkOddities(b *testing.B) {
	for _, unit := range []string{"> ", "[", "](", "`", "*a ", "<a ", ">>> x\n", "Traceback (most recent call last):\n",
		"    x = 1\n",
		"import a\n", "<!-- ", "a==1.2.3 ", "version ", "GPU 0: x\n", "$ cat x.py\n", "python -c '", "OS: ",
		"In [1]: x\n", "fixed by #1. ", "On x wrote:\n",
		"  + Exception Group Traceback (most recent call last):\n  | x\n", "https://a.b/c.pt ", "[](",
		"[a](b", "[x]: y\n"} {
		for _, n := range []int{1, 2, 4} {
			body := strings.Repeat(unit, n<<18/len(unit))
			b.Run(fmt.Sprintf("%q/%dKiB", unit, len(body)>>10), func(b *testing.B) {
				b.SetBytes(int64(len(body)))
				for b.Loop() {
					Read(bug.Report{Body: body})
				}
			})
		}
	}
}

func FuzzVersions(f *testing.F) {
	f.Add("Collecting environment information...\nPyTorch version: 2.6.0+cu124\n[pip3] torch==2.6.0\n[conda] torch  " +
		"0.4.1  <pip>\n")
	f.Add("INSTALLED VERSIONS\n------------------\npython: 3.7.3\npandas           : 1.3.0\n('NumPy', '1.13.3')\n### " +
		"Python version\n\n3.9\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, v := range versions(text, 0, []string{"snail"}) {
			if !strings.Contains(text, v.Is) {
				t.Errorf("%q is not in the text", v.Is)
			}
		}
		environment(text)
	})
}

func FuzzSession(f *testing.F) {
	f.Add(">>> x = 3\n>>> x + 1\n4\n>>> for i in x:\n...     print(i)\n...\nTraceback (most recent call last):\n  " +
		"File \"<stdin>\", line 1, in <module>\nTypeError: x\n")
	f.Add("In [1]: x\nOut[1]: 4\n\nIn [2]: def f():\n   ...:     pass\n")
	f.Fuzz(func(t *testing.T, text string) {
		if p := readSession(text); p.Printed != "" && p.Raised != nil {
			t.Error("it ended with an error and printed something last")
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add("```python\n>>> 1\n1\n```\n    x = 1\n<pre>a</pre>")
	f.Fuzz(func(_ *testing.T, body string) { Read(bug.Report{Body: body}) })
}

// The largest reports that there are: logs, programs and talk of 5 MB.
func BenchmarkFiveMegabytes(b *testing.B) {
	for name, unit := range map[string]string{
		"log": "[2024-01-02 10:11:12] INFO worker 3: loaded part 17 of 300 in 0.25 s from /data/part-17.bin\n",
		"tracebacks": "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    " +
			"f(x)\nValueError: no\n\n",
		"session":  ">>> f(1)\n1\n",
		"program":  "for i in range(10):\n    print(i)\n",
		"versions": "snail==1.2.3\n",
	} {
		for _, n := range []int{1, 5} {
			body := "```\n" + strings.Repeat(unit, n<<20/len(unit)) + "```\n"
			b.Run(fmt.Sprintf("%s/%dMB", name, n), func(b *testing.B) {
				for b.Loop() {
					Read(bug.Report{Body: body})
				}
			})
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, n := range []int{1, 10, 100} {
		body := strings.Repeat("Some words, `code`, *more* and a line.\n\n```python\nimport os\nprint(os)\n```\n\n   "+
			" >>> 1\n    1\n\n", n*100)
		b.Run(fmt.Sprintf("%dKiB", len(body)>>10), func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				Read(bug.Report{Body: body})
			}
		})
	}
}

// Too many brackets are no links: the parser would look for the end of each in
// all that follows. The rest is read as ever.
func TestTooManyLinks(t *testing.T) {
	for _, unit := range []string{"[](", "[a](b", "![](", "[x]: y\n\n"} {
		body := "```python\nprint(1)\n```\n\n" + strings.Repeat(unit, manyLinks+1)
		got := Read(bug.Report{Body: body})
		if len(got.Programs) != 1 || len(got.Links) > 0 {
			t.Errorf("%q: %d programs, %d links", unit, len(got.Programs), len(got.Links))
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
