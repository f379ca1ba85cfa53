package bug

import (
	"fmt"
	"strings"
	"time"
)

// An Outcome is what one run showed. Whatever the program did is an
// Outcome; an error always means that scrub, not the program, failed.
type Outcome struct {
	End    End    `json:"end"`
	Code   int    `json:"code"`             // if End is Exited
	Signal string `json:"signal,omitempty"` // if End is Killed, as in "SIGSEGV"
	Limit  string `json:"limit,omitempty"`  // the limit of ours that ended it, if one did
	// Within is the time in which it did not end, if End is TimedOut and that was a box's limit for one run.
	Within time.Duration `json:"within_ns,omitempty"`
	Stdout string        `json:"stdout"`
	Stderr string        `json:"stderr"`
	Cost   Cost          `json:"cost"`
	// Reached is what it reached for outside of itself that nobody had foreseen, a line each, as far as somebody listened.
	Reached string `json:"reached,omitempty"`
	Warm    bool   `json:"warm,omitempty"` // it was a fork of an interpreter that had imported modules before
}

// An End is how a run ended.
type End string

const (
	Exited   End = "exited"
	Killed   End = "killed"
	TimedOut End = "timed-out"
	NoStart  End = "no-start" // the setting itself could not be built; Stderr says why
)

// Cost is what a run took.
type Cost struct {
	Wall   time.Duration `json:"wall_ns"`
	CPU    time.Duration `json:"cpu_ns"`
	Memory int64         `json:"peak_bytes"` // of the largest process
}

// signals are the ones a crash shows, by number, as Linux numbers them.
var signals = map[int]string{
	1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS",
	8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM",
	24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
}

// SignalName spells a signal's number.
func SignalName(n int) string {
	if name, ok := signals[n]; ok {
		return name
	}
	return fmt.Sprintf("signal %d", n)
}

// Crash returns the signal that ended the program. An exit code above 128
// is how a shell passes on that its child was killed by one.
func (o Outcome) Crash() (signal string, ok bool) {
	switch {
	case o.Limit != "":
		return "", false
	case o.End == Killed:
		return o.Signal, true
	case o.End == Exited && o.Code > 128:
		name, ok := signals[o.Code-128]
		return name, ok
	}
	return "", false
}

// Failed reports whether the program ended in any way but the good one.
func (o Outcome) Failed() bool { return o.End != Exited || o.Code != 0 }

// Words says in a few words how the run ended.
func (o Outcome) Words() string {
	if sig, ok := o.Crash(); ok {
		return "was killed by " + sig
	}
	switch o.End {
	case NoStart:
		return "could not be started: " + firstLine(o.Stderr)
	case TimedOut:
		return "timed out" + strings.Replace(o.Limited(), "within", "after", 1)
	case Killed:
		return "was killed at the " + o.Limit + " limit"
	}
	if e, ok := o.Exception(); ok {
		return "raised " + e.String()
	}
	if o.Code != 0 {
		return fmt.Sprintf("ended with exit code %d", o.Code)
	}
	return "ended normally"
}

// Limited says how long somebody waited for the end.
func (o Outcome) Limited() string {
	if o.Within == 0 {
		return ""
	}
	return " within " + o.Within.String()
}

// Symptom is how the run failed. It is zero for one that did not, or that
// says nothing but an exit code.
func (o Outcome) Symptom() Symptom {
	if e, ok := o.Exception(); ok {
		return SymptomOf(e)
	}
	if sig, ok := o.Crash(); ok {
		return Symptom{Kind: Crashes, Signal: sig}
	}
	if o.End == TimedOut {
		return Symptom{Kind: Hangs}
	}
	return Symptom{}
}

// Exception returns the exception that ended the program, if one did.
func (o Outcome) Exception() (Exception, bool) {
	if o.End != Exited || o.Code == 0 {
		return Exception{}, false
	}
	all := Exceptions(o.Stderr)
	if len(all) == 0 {
		return Exception{}, false
	}
	return all[len(all)-1], true
}
