package bug

import "testing"

// How a run ended is said in a few words, and which of these ends are crashes.
func TestHowARunEnded(t *testing.T) {
	trace := "Traceback (most recent call last):\n  File \"x\", line 1, in <module>\nValueError: no\n"
	for _, tt := range []struct {
		o      Outcome
		words  string
		crash  string
		failed bool
		kind   Kind
	}{
		{Outcome{End: Exited}, "ended normally", "", false, Unsaid},
		{Outcome{End: Exited, Code: 3}, "ended with exit code 3", "", true, Unsaid},
		{Outcome{End: Exited, Code: 1, Stderr: trace}, "raised ValueError: no", "", true, Raises},
		{Outcome{End: Exited, Code: 139}, "was killed by SIGSEGV", "SIGSEGV", true, Crashes},
		{Outcome{End: Exited, Code: 128}, "ended with exit code 128", "", true, Unsaid},
		{Outcome{End: Exited, Code: 129}, "was killed by SIGHUP", "SIGHUP", true, Crashes},
		{Outcome{End: Exited, Code: 255}, "ended with exit code 255", "", true, Unsaid},
		{Outcome{End: Killed, Signal: "SIGABRT"}, "was killed by SIGABRT", "SIGABRT", true, Crashes},
		{Outcome{End: Killed, Signal: "SIGKILL", Limit: "memory"}, "was killed at the memory limit", "", true, Unsaid},
		{Outcome{End: TimedOut, Limit: "time"}, "timed out", "", true, Hangs},
		{Outcome{End: NoStart, Stderr: "no such\nfile"}, "could not be started: no such", "", true, Unsaid},
	} {
		crash, crashed := tt.o.Crash()
		if tt.o.Words() != tt.words || crash != tt.crash || crashed != (tt.crash != "") || tt.o.Failed() != tt.failed {
			t.Errorf("%+v: %q, crash %q %v, failed %v", tt.o, tt.o.Words(), crash, crashed, tt.o.Failed())
		}
		if got := tt.o.Symptom().Kind; got != tt.kind {
			t.Errorf("%+v shows %v, want %v", tt.o, got, tt.kind)
		}
	}
}

// Near is not the same: nearly the same words, or the same function, of the same
// class.
func TestLikeIsNotTheSame(t *testing.T) {
	trace := func(last string) Outcome {
		return Outcome{End: Exited, Code: 1, Stderr: "Traceback (most recent call last):\n  File \"x\", line 9, in <module>\n    f()\n" +
			"  File \"x\", line 1, in f\n    g()\n" + last}
	}
	s := Symptom{Kind: Raises, Class: "TypeError", Message: "_sum() got an unexpected keyword argument 'm'"}
	for last, want := range map[string]bool{
		"TypeError: _sum() got an unexpected keyword argument 'm'\n": false, // the same
		"TypeError: sum() got an unexpected keyword argument 'm'\n":  true,
		"TypeError: unhashable type\n":                               false,
		"ValueError: _sum() got an unexpected keyword argument\n":    false,
	} {
		if got := s.Like(trace(last)); got != want {
			t.Errorf("%q: %v", last, got)
		}
	}
	if s.Like(Outcome{End: Exited}) || (Symptom{Kind: Hangs}).Like(trace("TypeError: x\n")) {
		t.Error("what does not fail, or is no error, is like nothing")
	}
	at := Symptom{Kind: Raises, Class: "TypeError", Message: "unhashable type", Func: "f"}
	if !at.Like(trace("TypeError: quite other words here\n")) {
		t.Error("the same function of the same class is near")
	}
}
