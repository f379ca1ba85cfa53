package sandbox_test

import (
	"regexp"
	"testing"

	"scrub/internal/bug"
	"scrub/internal/sandbox"
	"scrub/internal/sandbox/sandboxtest"
)

// addresses, and the thread and process ids that crash reports name, are
// never the same twice.
var chance = regexp.MustCompile(`0x[0-9a-f]+|pid \d+|tests? in \d+\.\d+s`)

// Warm and cold agree on every program: how it ends, what it raises, and
// every byte it writes.
func TestWarmIsLikeCold(t *testing.T) {
	w := new(sandbox.Warm)
	defer w.Close()
	for _, p := range sandboxtest.Corpus() {
		t.Run(p.Name, func(t *testing.T) {
			job := sandbox.Job{Repro: bug.Program(p.Code), Runtime: python(t), Preload: []string{}}
			warm, err := w.Run(t.Context(), job)
			if err != nil {
				t.Fatal(err)
			}
			if !warm.Warm {
				t.Fatalf("it did not run warm: %v", w.Refused())
			}
			cold, err := sandbox.Native{}.Run(t.Context(), job)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range []*bug.Outcome{&warm, &cold} {
				o.Cost, o.Warm = bug.Cost{}, false
				o.Stdout, o.Stderr = chance.ReplaceAllString(o.Stdout, "~"), chance.ReplaceAllString(o.Stderr, "~")
			}
			if warm != cold {
				t.Errorf("warm: %s\n%s%s\ncold: %s\n%s%s", warm.Words(), warm.Stdout, warm.Stderr, cold.Words(),
					cold.Stdout, cold.Stderr)
			}
		})
	}
}

// An interpreter that cannot be a server is no reason to wait.
func TestNoServer(t *testing.T) {
	w := new(sandbox.Warm)
	defer w.Close()
	job := sandbox.Job{Repro: bug.Program("print(1)"), Runtime: bug.Runtime{Path: "/bin/echo"}, Preload: []string{}}
	o, err := w.Run(t.Context(), job)
	if err != nil || o.Warm || o.Stdout != "repro.py\n" || len(w.Refused()) != 1 {
		t.Errorf("%+v, %v, refused: %v", o, err, w.Refused())
	}
}
