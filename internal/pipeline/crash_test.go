package pipeline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/forge/issuefile"
	"github.com/scrub-dev/scrub/internal/pipeline"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/store"
)

// The test starts itself again as a process that works on a case with the
// real store and the real box, and kills itself at a journal write.
const crashVar = "SCRUB_TEST_CRASH" // "DIR before|after N"

func TestMain(m *testing.M) {
	sandbox.Main()
	if how := os.Getenv(crashVar); how != "" {
		if err := victim(how); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const flakyReport = "# Odd\n\n```python\nimport time\nassert time.time_ns() % 2, 'even'\n```\n\nAssertionError: even\n"

// victim runs the pipeline and writes the case file to DIR/case.json.
func victim(how string) error {
	var dir, when string
	var n int
	if _, err := fmt.Sscan(how, &dir, &when, &n); err != nil {
		return err
	}
	ctx := context.Background()
	s, err := store.Open(ctx, filepath.Join(dir, "s.db"))
	if err != nil {
		return err
	}
	prof, err := profile.Load(profile.Generic)
	if err != nil {
		return err
	}
	r, err := issuefile.Parse([]byte(flakyReport))
	if err != nil {
		return err
	}
	p := pipeline.Pipeline{
		Profile: prof, Box: countedBox{filepath.Join(dir, "runs")}, Log: &deadlyLog{Store: s, when: when, n: n},
		Runtimes: runtimes.Places{}.Find, Times: 5, Now: time.Now, Tell: func(event.Event) {},
		Decide: func(context.Context, casefile.Subject) (casefile.Consent, error) {
			return casefile.Consent{Decision: casefile.Proceed, By: "test"}, nil
		},
	}
	c, err := p.Issue(ctx, r)
	if err != nil {
		return err
	}
	data, err := json.Marshal(c.Document())
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "case.json"), data, 0o600)
}

// A deadlyLog kills its process before or after the nth write.
type deadlyLog struct {
	*store.Store
	when string
	n    int
}

func (l *deadlyLog) Put(ctx context.Context, key string, value []byte) ([]byte, error) {
	if l.n--; l.n == 0 && l.when == "before" {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	got, err := l.Store.Put(ctx, key, value)
	if l.n == 0 && l.when == "after" {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	return got, err
}

// A countedBox is the native box, with every run on file.
type countedBox struct{ file string }

func (b countedBox) Run(ctx context.Context, job sandbox.Job) (bug.Outcome, error) {
	f, err := os.OpenFile(b.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return bug.Outcome{}, err
	}
	defer f.Close()
	if _, err := f.WriteString("run\n"); err != nil {
		return bug.Outcome{}, err
	}
	return sandbox.Native{}.Run(ctx, job)
}

func start(t *testing.T, how string) error {
	t.Helper()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), crashVar+"="+how)
	out, err := cmd.CombinedOutput()
	if err != nil && len(bytes.TrimSpace(out)) > 0 {
		t.Fatalf("%s: %v: %s", how, err, out)
	}
	return err
}

func lines(t *testing.T, file string) int {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(data, []byte("\n"))
}

// Killed at every write in turn, before it and after it: the next call ends
// with the same case as if nothing had happened, and no run is repeated that
// was on record. The program is flaky, so a repeated run would show.
func TestCrashAnywhere(t *testing.T) {
	const writes = 6 // one reading and at least five runs; more if their answers are mixed
	for _, when := range []string{"before", "after"} {
		for n := 1; n <= writes; n++ {
			t.Run(fmt.Sprintf("%s %d", when, n), func(t *testing.T) {
				dir := t.TempDir()
				if err := start(t, fmt.Sprintf("%s %s %d", dir, when, n)); err == nil ||
					!strings.Contains(err.Error(), "killed") {
					t.Fatalf("the victim ended with %v", err)
				}
				if _, err := os.Stat(filepath.Join(dir, "case.json")); err == nil {
					t.Fatal("the victim finished before it died")
				}
				if err := start(t, dir+" never 0"); err != nil {
					t.Fatal(err)
				}
				first, err := os.ReadFile(filepath.Join(dir, "case.json"))
				if err != nil {
					t.Fatal(err)
				}
				// Only a run whose result had not been written is made again.
				var c casefile.Case
				if err := json.Unmarshal(first, &c); err != nil {
					t.Fatal(err)
				}
				want := 1 + len(c.Asked[0].Tally.Outcomes)
				for _, s := range c.Asked[0].Tried {
					want += len(s.Tally.Outcomes)
				}
				if when == "before" {
					want++
				}
				if got := lines(t, filepath.Join(dir, "runs")); got != want {
					t.Errorf("%d runs in all, want %d", got, want)
				}
				if err := start(t, dir+" never 0"); err != nil {
					t.Fatal(err)
				}
				again, err := os.ReadFile(filepath.Join(dir, "case.json"))
				if err != nil || !bytes.Equal(first, again) {
					t.Errorf("the case is another the second time (%v)", err)
				}
				if got := lines(t, filepath.Join(dir, "runs")); got != want {
					t.Errorf("asked again, it made %d more runs", got-want)
				}
			})
		}
	}
}

// Two processes on one state file, on the same case at once: both finish
// and both have the same case.
func TestTwoAtOnce(t *testing.T) {
	dir := t.TempDir()
	errs := make(chan error, 2)
	for range 2 {
		go func() {
			cmd := exec.Command("/proc/self/exe")
			cmd.Env = append(os.Environ(), crashVar+"="+dir+" never 0")
			out, err := cmd.CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%w: %s", err, out)
			}
			errs <- err
		}()
	}
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	first, err := os.ReadFile(filepath.Join(dir, "case.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := start(t, dir+" never 0"); err != nil {
		t.Fatal(err)
	}
	again, err := os.ReadFile(filepath.Join(dir, "case.json"))
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("what the two agreed on is not what is on record (%v)", err)
	}
}
