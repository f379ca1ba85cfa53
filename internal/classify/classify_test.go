package classify

import (
	"regexp"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/profile"
)

// How a run ended is a fact like what it printed.
func TestHowARunEndsSaysWhatItIs(t *testing.T) {
	p, err := profile.Load("python")
	if err != nil {
		t.Fatal(err)
	}
	trace := "Traceback (most recent call last):\n  File \"x\", line 1, in <module>\n"
	for want, o := range map[string]bug.Outcome{
		"hang":   {End: bug.TimedOut, Stderr: "still waiting\n"},
		"memory": {End: bug.Killed, Limit: "memory"},
		"crash":  {End: bug.Killed, Signal: "SIGSEGV"},
		"":       {End: bug.Exited, Stdout: "ok"},
	} {
		if c, err := Outcome(p, o); err != nil || c.Category != want {
			t.Errorf("%+v is %q, want %q (%v)", o, c.Category, want, err)
		}
	}
	c, err := Outcome(p, bug.Outcome{End: bug.Exited, Code: 1, Stderr: trace + "MemoryError: no room\n"})
	if err != nil || c.Category != "memory" || c.Evidence != "MemoryError: no room" {
		t.Errorf("%+v, %v", c, err)
	}
}

// A component's labels never include what the project forbids.
func TestForbiddenLabelsAreNotProposed(t *testing.T) {
	p, err := profile.Load("pytorch")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range p.Classes.Component {
		for _, l := range k.Labels {
			p.Labels.Never = append(p.Labels.Never,
				profile.Pattern{Regexp: regexp.MustCompile("^" + regexp.QuoteMeta(l) + "$")})
		}
	}
	c, err := Log(p, "Traceback (most recent call last):\n  File \"/x/torch/_dynamo/symbolic_convert.py\", line 1, "+
		"in step\n"+
		"torch._dynamo.exc.Unsupported: call_function in skip_files\n")
	if err != nil || c.Unknown() {
		t.Fatalf("%+v, %v", c, err)
	}
	for _, l := range c.Labels {
		if p.Labels.Forbids(l) {
			t.Errorf("%q is proposed", l)
		}
	}
}
