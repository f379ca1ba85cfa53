package pipeline_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/pipeline"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// snail is a package that was put right between 1.0 and 2.0.
const snail = `
import os, signal, warnings
class SnailError(Exception): pass
new = VERSION >= 2
def race(n):
    if new: return n
    raise ValueError("cannot race %d snails at once" % n)
def total(): return 811 if new else 711
def name(): return "Gary the Snail" if new else "Gary Gary Snail"
def check(x):
    if new and x < 0: raise TypeError("speed must not be negative")
def crash():
    if not new: os.kill(os.getpid(), signal.SIGSEGV)
    raise ValueError("there is no such snail")
def clear(x):
    raise ValueError("speed must be a number, not a text" if new else "bad operand for slime")
def fast(): return new
def twist(): return "a straight shell" if os.environ.get("SNAIL_PLAIN") else "a shell with a twist"
def broken(): raise SnailError("the shell is broken again")
def names(): return ["Gary", "Turbo", "Theo" if new else "Theodore Tugboat"]
`

// with is an environment that has a version of snail.
func with(t *testing.T, version string) bug.Runtime {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "snail-"+version)
	if out, err := exec.CommandContext(t.Context(), "python3", "-m", "venv", "--without-pip",
		dir).CombinedOutput(); err != nil {
		t.Skipf("this Python cannot make environments: %v %s", err, out)
	}
	sites, err := filepath.Glob(filepath.Join(dir, "lib", "python3*", "site-packages"))
	if err != nil || len(sites) != 1 {
		t.Fatal(sites, err)
	}
	text := strings.Replace(snail, "VERSION", version, 1)
	if err := os.WriteFile(filepath.Join(sites[0], "snail.py"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	found, err := runtimes.Places{Venv: dir}.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	found[0].Packages = map[string]string{"snail": version}
	return found[0]
}

// What the program does is looked for in the words, wherever they are and however
// they are put.
func TestWhatIsObservedIsFoundInTheWords(t *testing.T) {
	versions := []bug.Runtime{with(t, "1.0"), with(t, "2.0")}
	prof, err := profile.Load(profile.Generic)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, title, body string
		want              casefile.Verdict
		says              string // in the reason
	}{
		{"error in a comment", "Racing", "```python\nimport snail\nsnail.race(3)  # ValueError: cannot race 3 snails " +
			"at once\n```\n",
			casefile.Fixed, "cannot race 3 snails at once"},
		{"error in the title", "race: ValueError: cannot race 3 snails at once",
			"```python\nimport snail\nsnail.race(3)\n```\n",
			casefile.Fixed, "cannot race 3 snails at once"},
		{"error in backticks", "Racing", "```python\nimport snail\nsnail.race(3)\n```\nGives `ValueError: cannot " +
			"race 3 snails at once`.\n",
			casefile.Fixed, "cannot race 3 snails at once"},
		{"value as comment", "Wrong total", "```python\nimport snail\nsnail.total()  # 711, should be 811\n```\n",
			casefile.Fixed, "711"},
		{"prints", "Wrong name", "```python\nimport snail\nprint(snail.name())\n```\nPrints Gary Gary Snail, not " +
			"Gary the Snail.\n",
			casefile.Fixed, "Gary Gary Snail"},
		{"will get", "Wrong name", "```python\nimport snail\nprint(snail.name())\n```\nWill get:\n```\nGary Gary " +
			"Snail\n```\n",
			casefile.Fixed, "Gary Gary Snail"},
		{"error logs", "It breaks", "### Code\n```python\nimport snail\nsnail.race(7)\n```\n### Error " +
			"logs\n```\nbuiltins.ValueError: cannot race 7 snails at once\n```\n",
			casefile.Fixed, "cannot race 7 snails at once"},
		{"own assert", "Snails are slow", "```python\nimport snail\nassert snail.fast()\n```\n", casefile.Fixed,
			"assert snail.fast()"},
		{"uncalled", "Racing", "```python\nimport snail\ndef repro():\n    snail.race(3)\n```\nValueError: cannot " +
			"race 3 snails at once\n",
			casefile.Fixed, "cannot race 3 snails at once"},
		{"underscore", "Wrong name", "```\n>>> import snail\n>>> snail.name()\n'Gary Gary Snail'\n>>> " +
			"_.split()\n['Gary', 'Gary', 'Snail']\n```\n",
			casefile.Fixed, "Gary Gary Snail"},
		{"several values", "Wrong names", "```\n>>> import snail\n>>> snail.fast.__name__\n'fast'\n>>> " +
			"snail.names()\n['Gary', 'Turbo', 'Theodore Tugboat']\n```\nIt should be Theo.\n",
			casefile.Fixed, "Theodore Tugboat"},
		{"crash to error", "Segmentation fault in crash()", "```python\nimport snail\nsnail.crash()\n```\n",
			casefile.Fixed, "crashes"},
		{"silence to error", "No error for a negative speed",
			"```python\nimport snail\nsnail.check(-1)\n```\nIt should raise `TypeError: speed must not be negative`.\n",
			casefile.Fixed, "speed must not be negative"},
		{"message made clear", "Unclear message: bad operand for slime",
			"```python\nimport snail\nsnail.clear('x')\n```\n```\nValueError: bad operand for slime\n```\n",
			casefile.Fixed, "bad operand for slime"},
		{"the right output under the complaint", "Wrong name",
			"```python\nimport snail\nprint(snail.name())\n```\nIt prints `Gary Gary Snail`.\n\n### " +
				"Expected\n```\nGary the Snail\n```\n",
			casefile.Fixed, "Gary"},
		{"still there", "The shell", "```python\nimport snail\nsnail.broken()\n```\n```\nTraceback (most recent call " +
			"last):\n" +
			"  File \"a.py\", line 2, in <module>\n    snail.broken()\nsnail.SnailError: the shell is broken " +
			"again\n```\n",
			casefile.Reproduces, "the shell is broken again"},
		{"versions printed", "The shell",
			"```python\nimport snail\nprint('snail', 1.0)\nsnail.broken()\n```\n```\nTraceback (most recent call " +
				"last):\n" +
				"snail.SnailError: the shell is broken again\n```\n", casefile.Reproduces, "the shell is broken again"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := observed(t, prof, versions, tt.title, tt.body)
			verdict, why := c.Verdict()
			if verdict != tt.want || !strings.Contains(why, tt.says) {
				t.Errorf("%s: %s\nwant %s and %q; observed: %+v", verdict, why, tt.want, tt.says, c.Observed)
			}
		})
	}
}

// observed takes a report about snail through all steps.
func observed(t *testing.T, prof profile.Profile, versions []bug.Runtime, title, body string) casefile.Case {
	t.Helper()
	p := &pipeline.Pipeline{
		Profile: prof, Box: sandbox.Native{}, Log: new(journal.Mem), Times: 2, Workers: 1, Now: time.Now,
		Tell: func(event.Event) {}, Limits: sandbox.Limits{Time: time.Minute},
		Decide: func(context.Context, casefile.Subject) (casefile.Consent, error) {
			return casefile.Consent{Decision: casefile.Proceed, By: "the test"}, nil
		},
		Runtimes: func(context.Context, []string) ([]bug.Runtime, error) {
			return versions, nil
		},
	}
	c, err := p.Issue(t.Context(), bug.Report{Ref: bug.Ref{Repo: "octo/snail", Number: 1}, Title: title, Body: body})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Where the profile names a plain and a special way to run, one version is
// enough to see what the special one does wrong.
func TestAPlainAndASpecialWay(t *testing.T) {
	prof, err := profile.Load(profile.Generic)
	if err != nil {
		t.Fatal(err)
	}
	speaks := profile.Pattern{Regexp: regexp.MustCompile(`snail\.twist`)}
	prof.Plain = profile.Plain{Name: "plain", Special: "twisted", Set: map[string]string{"SNAIL_PLAIN": "1"}, Speaks: &speaks}
	c := observed(t, prof, []bug.Runtime{with(t, "2.0")}, "Shells are not straight", "```python\nimport snail\n"+
		"a = 1\nprint(snail.twist())\n```\nThis prints `a shell with a twist`, it should be `a straight shell`.\n")
	verdict, why := c.Verdict()
	if verdict != casefile.Reproduces || !strings.Contains(why, `When twisted, `+"`print(snail.twist())`") ||
		!strings.Contains(why, `when plain, it gives "a straight shell"`) {
		t.Errorf("%s: %s\n%+v", verdict, why, c.Observed)
	}
}
