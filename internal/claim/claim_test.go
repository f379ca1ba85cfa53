package claim_test

import (
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/claim"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/syntax"
	"github.com/scrub-dev/scrub/internal/syntax/syntaxtest"
)

// What a report shows of its program's output is found by what the program prints, and compared by where it stands.
func TestShown(t *testing.T) {
	for _, c := range []struct {
		name, program, words, out string
		want                      bug.Answer
	}{
		{"the same lines", "print(f'eager: {a}')\nprint(f'fast: {b}')\n", "### Logs\n```\neager: 6\nfast: 1\n```\n",
			"eager: 6\nfast: 1\n", bug.Yes},
		{"another number now", "print(f'eager: {a}')\nprint(f'fast: {b}')\n", "### Logs\n```\neager: 6\nfast: 1\n```\n",
			"eager: 6\nfast: 6\n", bug.No},
		{"about as much", "print('error:', e)\n", "```\nerror: 1.85e-05\n```\n", "error: 2.1e-05\n", bug.Yes},
		{"nothing is left of it", "print('error:', e)\n", "```\nerror: 1.85\n```\n", "error: 0.0\n", bug.No},
		{"a statement that prints no more", "if ok:\n    print('PASSED', n)\nelse:\n    print('FAILED', n, why)\n",
			"```\nFAILED one: 1 is not 2\n```\n", "PASSED one\n", bug.No},
		{"what was left out", "for x in y: print(x)\n", "+++ Output +++\n```\ntensor([0, 2])\n... delay ...\ntensor([1, 3])\n```\n",
			"tensor([0, 2])\ntensor([1, 3])\n", bug.Yes},
		{"a block that is something else", "print('error:', e)\n", "```\npip install it\n```\n", "error: 1\n", bug.Unknown},
		{"remarks", "print('one:', a)  # 1\nprint('two:', b)  # 3, should it not be 2?\n", "", "one: 1\ntwo: 3\n", bug.Yes},
		{"remarks that hold no more", "print('one:', a)  # 1\nprint('two:', b)  # 3\n", "", "one: 1\ntwo: 2\n", bug.No},
		{"remarks with a label", "print(y)  # Output: tensor([-inf])\n", "", "tensor([-inf])\n", bug.Yes},
		{"remarks behind values", "f(1)  # tensor(nan) ❌\nf(2)  # tensor(0) ✅\n", "", "tensor(0.5)\ntensor(0)\n", bug.No},
		{"remarks below an empty line", "print('a', x)\n\n# a 3\n", "", "a 3\n", bug.Unknown},
		{"remarks with words below an empty line", "print('sum of it:', x)\n\n# 3\n", "", "sum of it: 3\n", bug.Yes},
		{"remarks that are sentences", "print(a)  # this is wrong\n", "", "3\n", bug.Unknown},
		{"what should come", "print('sum:', a)\n", "I expect:\n```\nsum: 3\n```\n", "sum: 4\n", bug.Yes},
		{"what should come has come", "print('sum:', a)\n", "I expect:\n```\nsum: 3\n```\n", "sum: 3\n", bug.No},
	} {
		read, err := syntax.Read(t.Context(), c.program, syntaxtest.Bare(t))
		if err != nil {
			t.Fatal(err)
		}
		thread := intake.Read(bug.Report{Title: "It is wrong", Body: "```python\n" + c.program + "```\n\n" + c.words})
		out := bug.Outcome{End: bug.Exited, Stdout: c.out}
		got := bug.Unknown
		if s, _, ok := claim.Of(thread, c.program, read, []bug.Outcome{out, out}); ok {
			got = s.In(out)
		}
		if got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// What is printed with another value each time says nothing.
func TestDrawnAnewIsNoClaim(t *testing.T) {
	thread := intake.Read(bug.Report{Title: "x", Body: "```python\nprint('mean:', m)\n```\n\n```\nmean: 0.71\n```\n"})
	read, err := syntax.Read(t.Context(), "print('mean:', m)\n", syntaxtest.Bare(t))
	if err != nil {
		t.Fatal(err)
	}
	var all []bug.Outcome
	for _, out := range []string{"mean: 0.12\n", "mean: 12.5\n", "mean: -3\n"} {
		all = append(all, bug.Outcome{End: bug.Exited, Stdout: out})
	}
	if s, _, ok := claim.Of(thread, "print('mean:', m)\n", read, all); ok {
		t.Errorf("%+v", s)
	}
}

// Values in sentences count where the sentence says what comes and what should come.
func TestSaid(t *testing.T) {
	for _, c := range []struct {
		words, out string
		want       bug.Answer
	}{
		{"This prints -128. By the formula it has to be 127.", "tensor([-128.])\n", bug.Yes},
		{"This prints -128. By the formula it has to be 127.", "tensor([127.])\n", bug.No},
		{"This prints -128. By the formula it has to be 127.", "tensor([5.])\n", bug.Unknown},
		{"### What I expect\n\nA sum of 0: nothing else may come.", "tensor(0)\n", bug.No},
		{"It gives `NaN` for all of these.", "tensor(nan)\n", bug.Yes},
		{"There are 3 of them, and it is slow.", "3\n", bug.Unknown},
		{"I use version 2 of it.", "2\n", bug.Unknown},
	} {
		thread := intake.Read(bug.Report{Title: "It is wrong", Body: c.words})
		out := bug.Outcome{End: bug.Exited, Stdout: c.out}
		got := bug.Unknown
		if s, _, ok := claim.Said(thread, []bug.Outcome{out, out}); ok {
			got = s.In(out)
		}
		if got != c.want {
			t.Errorf("%q, %q: %v, want %v", c.words, c.out, got, c.want)
		}
	}
}
