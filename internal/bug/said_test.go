package bug

import "testing"

func failed(stderr string) Outcome { return Outcome{End: Exited, Code: 1, Stderr: stderr} }

const head = "Traceback (most recent call last):\n"

// A report that has the words of a failure is about it.
func TestAFailureIsFoundInTheWords(t *testing.T) {
	refused := failed(head + "  File \"repro.py\", line 1, in <module>\n    f()\nmine.Unsupported: call_method of dict_items\n")
	for text, want := range map[string]bool{
		"Dynamo Unsupported: call_method of dict_items":           true,
		"Unsupported: something else altogether goes wrong there": false,
		"call_method of dict_items, they say":                     false, // nobody says that it is raised
	} {
		if got := refused.SaidIn(text) != ""; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if got := (Outcome{End: Killed, Signal: "SIGFPE"}).SaidIn("It dies with a Floating point exception."); got == "" {
		t.Error("what a shell says of a signal is not found")
	}
}

// A check of the program's own is one that no library has called.
func TestAChecksOwnFailure(t *testing.T) {
	for stderr, want := range map[string]bool{
		head + "  File \"/box/repro.py\", line 3, in <module>\n    check()\n  File \"/box/repro.py\", line 2, in check\n" +
			"    assert a == b\nAssertionError\n": true,
		head + "  File \"/box/repro.py\", line 3, in <module>\n    torch.testing.assert_close(a, b)\n" +
			"  File \"/x/torch/testing.py\", line 9, in assert_close\n    raise e\nAssertionError: not close\n": true,
		head + "  File \"/box/repro.py\", line 3, in <module>\n    run(f)\n  File \"/x/torch/run.py\", line 9, in run\n" +
			"    f()\n  File \"/box/repro.py\", line 2, in f\n    assert x > 4\nAssertionError\n": false,
		head + "  File \"/box/repro.py\", line 3, in <module>\n    assert_all()\nValueError: x\n": false,
	} {
		if got := failed(stderr).FailsItsCheck(); got != want {
			t.Errorf("%s: %v", stderr, got)
		}
	}
}

// What a program prints of versions is another with each release and says nothing of a bug.
func TestVersionsAreNotCompared(t *testing.T) {
	const shown, printed = "2.4.1+cu121\nout=tensor([inf+nanj])", "2.6.0\nout=tensor([inf+nanj])"
	for _, claimed := range []bool{false, true} {
		s := Symptom{Kind: Prints, Output: shown, Claimed: claimed}
		for text, want := range map[string]Answer{printed: Yes, "2.6.0\nout=tensor([inf+0j])": No} {
			if got := s.In(Outcome{End: Exited, Stdout: text}); got != want {
				t.Errorf("%v: %q: %v, want %v", claimed, text, got, want)
			}
		}
	}
	if got := (Symptom{Kind: Prints, Output: "1.2.3"}).In(Outcome{End: Exited, Stdout: "1.2.4"}); got != No {
		t.Errorf("a version that is all there is: %v", got)
	}
}
