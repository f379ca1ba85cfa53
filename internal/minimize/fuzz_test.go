package minimize_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/minimize"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// planted is a random program with a bug that comes and goes as statements are
// taken away: it depends on how many of them there are, and on what they add up to.
func planted(rng *rand.Rand) string {
	var b strings.Builder
	b.WriteString("import json\nlog = []\ntotal = 0\n")
	for i := range 2 + rng.IntN(3) {
		fmt.Fprintf(&b, "def f%d(x):\n    log.append(x)\n    return x * %d + %d\n", i, 1+rng.IntN(5), rng.IntN(7))
	}
	for i := range 4 + rng.IntN(8) {
		switch rng.IntN(5) {
		case 0:
			fmt.Fprintf(&b, "total += f%d(%d)\n", rng.IntN(2), rng.IntN(20))
		case 1:
			fmt.Fprintf(&b, "for i in range(%d):\n    total += i\n    log.append(i)\n", 1+rng.IntN(4))
		case 2:
			fmt.Fprintf(&b, "if total %% %d == %d:\n    log.append(%d)\nelse:\n    total -= %d\n", 2+rng.IntN(3), rng.IntN(2),
				rng.IntN(9), rng.IntN(4))
		case 3:
			fmt.Fprintf(&b, "data%d = json.loads('[%d, %d]')\ntotal += data%d[%d]\n", i, rng.IntN(9), rng.IntN(9), i, rng.IntN(2))
		case 4:
			fmt.Fprintf(&b, "try:\n    log.pop()\nexcept IndexError:\n    total ^= %d\n", 1+rng.IntN(7))
		}
	}
	// Whatever it adds up to, it fails; a different sum or another length may not.
	fmt.Fprintf(&b, "ok = {'even': len(log) %% 2 == 0, 'low': total %% 3}\n")
	switch rng.IntN(3) {
	case 0:
		b.WriteString("if len(log) % 2 == PARITY:\n    json.loads('[' * (1 + total % 3))\n")
	case 1:
		b.WriteString("if (total + len(log)) % 3 != (LEFT + 1) % 3:\n    int('x' * (len(log) + 1))\n")
	case 2:
		b.WriteString("if len(log) % 2 == PARITY:\n    assert ok['low'] == LEFT + 1, 'wrong sum'\n")
	}
	return b.String()
}

// complete fills in what the program does at the end, so that it fails.
func complete(text string, log, total int) string {
	text = strings.ReplaceAll(text, "PARITY", strconv.Itoa(log%2))
	if strings.Contains(text, "LEFT + 1)") {
		return strings.ReplaceAll(text, "LEFT", strconv.Itoa(((total+log)%3+3)%3))
	}
	return strings.ReplaceAll(text, "LEFT", strconv.Itoa((total%3+3)%3))
}

// fromEnvironment is a number that somebody has set, or another.
func fromEnvironment(t *testing.T, name string, otherwise int) int {
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What comes out shows the bug when it is run cold, whatever comes and goes on
// the way. SCRUB_FUZZ says how many programs to try, and SCRUB_FUZZ_SEED which is the first.
func TestWhatComesOutShowsTheBug(t *testing.T) {
	usual := 4
	if testing.Short() {
		usual = 2
	}
	n, first := fromEnvironment(t, "SCRUB_FUZZ", usual), fromEnvironment(t, "SCRUB_FUZZ_SEED", 1)
	python, err := runtimes.Places{}.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	warm := &sandbox.Warm{Tools: syntax.Tools()}
	defer warm.Close()
	run := func(text string) bug.Outcome {
		o, err := sandbox.Native{}.Run(t.Context(), sandbox.Job{Repro: bug.Program(text), Runtime: python[0]})
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	tried := 0
	for seed := uint64(first); tried < n; seed++ {
		text := planted(rand.New(rand.NewPCG(seed, 7)))
		end := strings.LastIndex(text, "ok = ")
		var log, total int
		if _, err := fmt.Sscan(run(text[:end]+"print(len(log), total)\n").Stdout, &log, &total); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		text = complete(text, log, total)
		if !run(text).Failed() {
			t.Fatalf("seed %d does not fail:\n%s", seed, text)
		}
		tried++
		m := minimize.Minimizer{Box: warm, Cold: sandbox.Native{}, Log: new(journal.Mem), Runtime: python[0], Parser: python[0],
			Workers: 2, Budget: 120}
		small, err := m.Minimize(t.Context(), text)
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
			continue
		}
		if out := run(small.Program); small.Symptom.In(out) != bug.Yes {
			t.Errorf("seed %d: what came out %s, and should show %s:\n%s\nof\n%s", seed, out.Words(), small.Symptom, small.Program, text)
		}
	}
	t.Logf("%d programs", tried)
}
