package syntax

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/syntax/syntaxtest"
)

func TestTrees(t *testing.T) {
	text := "é = 1\n@d\ndef f(a, *, k=2):\n    return g(a, k=k, **é)\n"
	trees, err := Trees(t.Context(), []string{text, "x = (", "y = z\n"}, false, syntaxtest.Bare(t))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	trees[0].Root.Walk(func(n *Node) { found[n.Kind+" "+n.Name] = text[n.Start:n.End] })
	for name, want := range map[string]string{"Name é": "é",
		"FunctionDef f": "@d\ndef f(a, *, k=2):\n    return g(a, k=k, **é)", "keyword k": "k=k", "keyword ": "**é", "arg k": "k"} {
		if found[name] != want {
			t.Errorf("%s is %q, want %q", name, found[name], want)
		}
	}
	if trees[1].Broken == "" || !slices.Equal(trees[2].Unbound, []string{"z"}) ||
		!slices.Equal(trees[0].Unbound, []string{"d", "g"}) {
		t.Errorf("%+v", trees)
	}
}

func TestMerge(t *testing.T) {
	got, err := Merge(t.Context(), "from __future__ import annotations\nimport shapes.box\nfrom units import inch as "+
		"i, metre\nprint(shapes.box.area(2), i, metre)\n", bug.Files{
		"shapes/box.py": "import units\ndef area(n):\n    return n * units.inch\nif __name__ == '__main__':\n    " +
			"print(area(1))\n",
		"units.py": "inch = 25\nmetre = 1\n",
	}, syntaxtest.Bare(t))
	want := "from __future__ import annotations\npass\ninch = 25\nmetre = 1\ndef area(n):\n    return n * " +
		"inch\npass\ni = inch\nprint(area(2), i, metre)\n"
	if err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// What is asked of libraries is written down in a straight line, the
// program's own classes, functions and loops left out.
func TestStraight(t *testing.T) {
	text := `import io
from decimal import Decimal

class Account:
    def __init__(self, owner):
        self.log = io.StringIO()
        self.owner, self.total = owner, Decimal(0)
    def add(self, *amounts):
        for a in amounts:
            self.total += Decimal(a)
            self.log.write(a + ";")
        return self
    def check(self):
        assert self.log.getvalue() == "1;2;", self.owner

Account("Ada").add("1", "5").check()
`
	look, err := LookAt(t.Context(), LookFor{Text: text, What: "replay", Patience: 0}, syntaxtest.Bare(t))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, l := range look.Lifts {
		if l.Computed {
			all = append(all, l.Text)
		}
	}
	want := "import io\nlog = io.StringIO()\nlog.write('1;')\nlog.write('5;')\ngetvalue = log.getvalue()\nassert " +
		"getvalue == '1;2;', 'Ada'\n"
	if !slices.Contains(all, want) {
		t.Errorf("want\n%s\ngot\n%s", want, strings.Join(all, "---\n"))
	}
}

func TestUnboundInFunctions(t *testing.T) {
	trees, err := Trees(t.Context(), []string{"def f():\n    x = 1\n    return y\ndef g():\n    y = 2\n    global " +
		"w\n    w = y\nf(w)\n", "from m import *\na\n"}, true, syntaxtest.Bare(t))
	if err != nil || !slices.Equal(trees[0].Unbound, []string{"y"}) || len(trees[1].Unbound) != 0 ||
		trees[0].Root != nil {
		t.Errorf("%+v, %v", trees, err)
	}
}

func TestLook(t *testing.T) {
	const text = `import datetime
class Day:
    def __init__(self, form):
        self.form = form
    def read(self, text):
        return datetime.datetime.strptime(text, self.form)
def never():
    pass
print("noise")
Day("%Y").read("2024x")
`
	l, err := LookAt(t.Context(), LookFor{Text: text, What: "frames", Patience: 0}, syntaxtest.Bare(t))
	if err != nil || !l.Raised || slices.Contains(l.Lines, 8) || !slices.Contains(l.Lines, 6) {
		t.Fatalf("%+v, %v", l, err)
	}
	want := "import datetime\ndatetime.datetime.strptime('2024x', '%Y')\n"
	if !slices.ContainsFunc(l.Lifts, func(f Lift) bool { return f.Own && f.Text == want }) {
		t.Errorf("no lift says %q: %+v", want, l.Lifts)
	}
	if last := l.Frames[len(l.Frames)-1]; last.Func != "read" || last.Line != 6 || last.Locals["text"] != "'2024x'" {
		t.Errorf("%+v", last)
	}
	l, err = LookAt(t.Context(), LookFor{Text: "a = 2 * 3\nfor i in range(a):\n    b = i\n", What: "values",
		Patience: 0}, syntaxtest.Bare(t))
	if err != nil || !slices.Contains(l.Values, Value{4, 9, "6", "builtins.int"}) ||
		!slices.ContainsFunc(l.Values, func(v Value) bool { return v.Text == "" && v.Type == "builtins.int" }) {
		t.Errorf("%+v, %v", l, err)
	}
}

// A program that does not end, or that dies, is looked at all the same.
func TestLookAtTheDead(t *testing.T) {
	l, err := LookAt(t.Context(), LookFor{Text: "def f(n):\n    while True:\n        n = n\nf(7)\n", What: "frames",
		Patience: 200 * time.Millisecond}, syntaxtest.Bare(t))
	if err != nil || len(l.Frames) != 2 || l.Frames[1].Locals["n"] != "7" {
		t.Errorf("%+v, %v", l, err)
	}
	l, err = LookAt(t.Context(), LookFor{Text: "import os\nif False:\n    pass\nos.kill(os.getpid(), 11)\n",
		What: "frames", Patience: 0}, syntaxtest.Bare(t))
	if err != nil || !slices.Contains(l.Lines, 4) || slices.Contains(l.Lines, 3) || len(l.Frames) != 1 ||
		l.Frames[0].Line != 4 {
		t.Errorf("%+v, %v", l, err)
	}
}

// A list may hold itself.
func TestReadEndless(t *testing.T) {
	if _, err := Read(t.Context(), "import os\na = []\na.append(a)\nos.system(a)\n", syntaxtest.Bare(t)); err != nil {
		t.Error(err)
	}
}

// What is imported while a program runs is told however it ends.
func TestImported(t *testing.T) {
	for _, end := range []string{"", "1 / 0\n", "raise SystemExit(3)\n"} {
		got, err := Imported(t.Context(), "def f():\n    import wave\n    print('hello')\nf()\n"+end, syntaxtest.Bare(t))
		if err != nil || !slices.Contains(got, "wave") || slices.Contains(got, "__main__") {
			t.Errorf("%q: %v, %v", end, got, err)
		}
	}
}

// A sample says where a program is, from its own functions on, whether it works or waits.
func TestSample(t *testing.T) {
	work := "import textwrap\ndef go():\n    for _ in range(60):\n        textwrap.wrap('a b ' * 2000, 20)\ngo()\n"
	wait := "import threading\ndef go():\n    threading.Event().wait(0.4)\ngo()\n"
	for text, want := range map[string]string{work: "textwrap.wrap", wait: "threading.wait"} {
		s, err := Sample(t.Context(), text, samplesBare(t))
		if err != nil || len(s.Stacks) < 3 {
			t.Fatalf("%d looks, %v: %+v", len(s.Stacks), err, s.Outcome)
		}
		seen := 0
		for _, f := range s.Stacks {
			if !f[0].Own || f[0].Func != "<module>" {
				t.Fatalf("it begins outside of the program: %+v", f)
			}
			if slices.ContainsFunc(f, func(f Frame) bool { return !f.Own && f.Func == want }) {
				seen++
			}
		}
		if 2*seen < len(s.Stacks) {
			t.Errorf("%d of %d looks see %s", seen, len(s.Stacks), want)
		}
	}
}

// samplesBare runs without a box, where the program has another path.
func samplesBare(t *testing.T) bug.Runner {
	run := syntaxtest.Bare(t)
	path := regexp.MustCompile(`File ".*/subject\.py"`)
	return func(ctx context.Context, r bug.Repro) (bug.Outcome, error) {
		o, err := run(ctx, r)
		o.Stdout = path.ReplaceAllString(o.Stdout, `File "/box/subject.py"`)
		return o, err
	}
}
