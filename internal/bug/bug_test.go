package bug

import (
	"encoding/json"
	"testing"
)

func TestParseRef(t *testing.T) {
	want := Ref{Repo: "pytorch/pytorch", Number: 123}
	for _, s := range []string{
		"pytorch/pytorch#123", "https://github.com/pytorch/pytorch/issues/123",
		"https://github.com/pytorch/pytorch/issues/123#issuecomment-1",
		"https://github.com/pytorch/pytorch/issues/123?x=1",
	} {
		if got, err := ParseRef(s); got != want || err != nil {
			t.Errorf("ParseRef(%q) = %v, %v, want %v", s, got, err, want)
		}
	}
	if got, err := ParseRef("https://git.example.org/a/b/issues/7"); err != nil || got.Host != "git.example.org" {
		t.Errorf("an enterprise host is lost: %+v, %v", got, err)
	}
	for _, s := range []string{"", "123", "pytorch#1", "a/b/c#1", "a/b#0", "https://github.com/a/b/pull/1",
		"a/b#99999999999999999999"} {
		if got, err := ParseRef(s); err == nil {
			t.Errorf("ParseRef(%q) = %v, want error", s, got)
		}
	}
}

func TestExceptions(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"plain", "Traceback (most recent call last):\n  File \"x.py\", line 3, in f\n    g()\nValueError: no\n",
			[]string{"ValueError: no"}},
		{"no message", "Traceback (most recent call last):\n  File \"x.py\", line 3, in f\n    assert " +
			"0\nAssertionError\n", []string{"AssertionError"}},
		{"chained", "Traceback (most recent call last):\n  File \"x.py\", line 3, in f\n    g()\nKeyError: " +
			"'a'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent " +
			"call last):\n  File \"x.py\", line 5, in f\n    h()\nRuntimeError: b\n", []string{"KeyError: 'a'",
			"RuntimeError: b"}},
		{"syntax error", "  File \"x.py\", line 1\n    x = (1\n        ^\nSyntaxError: '(' was never closed\n",
			[]string{"SyntaxError: '(' was never closed"}},
		{"with carets", "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n    1/0\n    " +
			"~^~\nZeroDivisionError: division by zero\n", []string{"ZeroDivisionError: division by zero"}},
		{"quoted reply", "> Traceback (most recent call last):\n>   File \"x.py\", line 1, in <module>\n>     1/0\n> " +
			"ZeroDivisionError: division by zero\n", []string{"ZeroDivisionError: division by zero"}},
		{"cut off", "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n    1/0\n", nil},
		{"notebook", "---------\nValueError                                Traceback (most recent call " +
			"last)\n<ipython-input-3-5f> in <module>()\n      4 f = 1\n----> 5 g(f)\n\nValueError: no way\n",
			[]string{"ValueError: no way"}},
		{"pytest", ">       assert f(1) == 2\nE       AssertionError: assert 1 == 2\n\nt.py:3: AssertionError\n",
			[]string{"AssertionError: assert 1 == 2"}},
		{"module's own name", "Traceback (most recent call last):\n  File \"x.py\", line 3, in f\n    g()\nre.error: " +
			"bad\n", []string{"re.error: bad"}},
		{"cut in the middle", "Traceback (most recent call last):\n  File \"x.py\", line 3, in f\nd: tokens = lex(\n",
			nil},
		{"group", "  + Exception Group Traceback (most recent call last):\n  |   File \"g.py\", line 4, in " +
			"<module>\n  |     raise ExceptionGroup(\"many\", [e, f])\n  | ExceptionGroup: many (3 sub-exceptions)\n " +
			" +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n    |   File " +
			"\"g.py\", line 2, in <module>\n    |     raise ValueError(\"one\")\n    | ValueError: one\n    " +
			"| a note\n    +---------------- 2 ----------------\n    | TypeError: two\n    " +
			"+------------------------------------\nbye\n", []string{"ValueError: one",
			"ExceptionGroup: many (3 sub-exceptions)"}},
		{"of one process of several", "[rank0]: Traceback (most recent call last):\n[rank0]:   File \"x.py\", line 3, in f\n" +
			"[rank0]:     g()\n[rank0]: RuntimeError: no\n", []string{"RuntimeError: no"}},
		{"prose", "It raises ValueError: no, sometimes", nil},
		{"windows", "Traceback (most recent call last):\r\n  File \"x.py\", line 3, in f\r\n    g()\r\na.b.C: no\r\n",
			[]string{"a.b.C: no"}},
	} {
		var got []string
		for _, e := range Exceptions(tt.text) {
			got = append(got, e.String())
		}
		if Digest(got) != Digest(tt.want) {
			t.Errorf("%s: Exceptions = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestSymptomIn(t *testing.T) {
	raised := func(last string) Outcome {
		return Outcome{End: Exited, Code: 1,
			Stderr: "Traceback (most recent call last):\n  File \"r.py\", line 1, in <module>\n    f(x)\n" + last +
				"\n"}
	}
	expect := func(s string) Symptom {
		t.Helper()
		sym, err := ParseSymptom(s)
		if err != nil {
			t.Fatal(err)
		}
		return sym
	}
	shape := expect("RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)")
	for _, tt := range []struct {
		name string
		s    Symptom
		o    Outcome
		want Answer
	}{
		{"same", shape, raised("RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x3 and 4x9)"), Yes},
		{"another message", shape, raised("RuntimeError: out of memory"), No},
		{"another class", shape, raised("ValueError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"), No},
		{"class with its module", expect("Unsupported: call"), raised("torch._dynamo.exc.Unsupported: call"), Yes},
		{"passes", shape, Outcome{End: Exited}, No},
		{"no start", shape, Outcome{End: NoStart}, Unknown},
		{"our memory limit", expect("SIGKILL"), Outcome{End: Killed, Signal: "SIGKILL", Limit: "memory"}, Unknown},
		{"segfault", expect("SIGSEGV"), Outcome{End: Killed, Signal: "SIGSEGV"}, Yes},
		{"segfault through a shell", expect("SIGSEGV"), Outcome{End: Exited, Code: 139}, Yes},
		{"exit code 200 is no signal", expect("crash"), Outcome{End: Exited, Code: 200}, No},
		{"hang", expect("hang"), Outcome{End: TimedOut, Limit: "time"}, Yes},
		{"hangs", expect("hangs"), Outcome{End: TimedOut, Limit: "time"}, Yes},
		{"error instead of hang", expect("hang"), raised("ValueError: no"), No},
		{"prints", expect("prints: 2.67"), Outcome{End: Exited, Stdout: "a\n2.67\n"}, Yes},
		{"prints more", expect("prints: 2.67"), Outcome{End: Exited, Stdout: "2.675\n"}, No},
		{"bare assertion elsewhere", Symptom{Kind: Raises, Class: "AssertionError", At: "assert a"},
			raised("AssertionError"), No},
		{"nothing said", Symptom{}, raised("ValueError: no"), Unknown},
	} {
		if got := tt.s.In(tt.o); got != tt.want {
			t.Errorf("%s: In = %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestAnswerKeepsItsWord(t *testing.T) {
	for _, a := range []Answer{Unknown, No, Yes} {
		data, err := json.Marshal(a)
		var back Answer
		if err != nil || json.Unmarshal(data, &back) != nil || back != a {
			t.Errorf("%v became %s became %v (%v)", a, data, back, err)
		}
	}
}

func FuzzExceptions(f *testing.F) {
	f.Add("Traceback (most recent call last):\n  File \"x\", line 1, in f\n    g\nE: m\n\n")
	f.Fuzz(func(_ *testing.T, text string) { Exceptions(text) })
}

func TestExpectReadsBack(t *testing.T) {
	for _, s := range []Symptom{
		{Kind: Raises, Class: "ValueError", Message: "no"}, {Kind: Raises,
			Class: "KeyError"}, {Kind: Crashes}, {Kind: Crashes, Signal: "SIGSEGV"},
		{Kind: Hangs}, {Kind: Prints, Output: "4"}, {Kind: Lacks, Wanted: "5"},
		{Kind: Slower, Factor: 1.5, Than: "python3.11"}, {Kind: Hungry, Factor: 2},
	} {
		if got, err := ParseSymptom(s.Expect()); err != nil || got != s {
			t.Errorf("%q is read as %+v, %v", s.Expect(), got, err)
		}
	}
}

func TestCostsAreReadAsPeopleSayThem(t *testing.T) {
	for text, want := range map[string]Symptom{
		"slower: 1.5x than /opt/py/bin/python": {Kind: Slower, Factor: 1.5, Than: "/opt/py/bin/python"},
		"slower: 3 times":                      {Kind: Slower, Factor: 3},
		"memory: > 2x":                         {Kind: Hungry, Factor: 2},
		"compile: 2x":                          {Kind: Compiles, Factor: 2},
	} {
		if got, err := ParseSymptom(text); err != nil || got != want {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"slower: 1x", "slower: much", "memory: 0.5x", "slower:"} {
		if got, err := ParseSymptom(text); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
	if (Symptom{Kind: Slower, Factor: 2}).In(Outcome{End: Exited}) != Unknown {
		t.Error("one run tells nothing of how long others take")
	}
}
