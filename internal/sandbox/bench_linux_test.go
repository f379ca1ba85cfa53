package sandbox_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// A benched is a program that the bench runs, and how often.
type benched struct {
	name, code string
	preload    []string
	ready      string // a file with what a warm interpreter does first
	cold, warm int
}

// compiled is another program for every number, so that no answer is in a cache.
const compiled = `import os, torch
n = int.from_bytes(os.urandom(4), "big") / 7
def f(x, y):
    return torch.where(x > n, x * n, torch.sin(y) + n).sum(-1)
assert torch.compile(f)(torch.ones(8, 8), torch.ones(8, 8)).shape == (8,)
`

var programs = []benched{
	{"stdlib", "import json, datetime\nassert json.loads(json.dumps([1])) == [1]\n", []string{"json", "datetime"}, "",
		12, 100},
	{"numpy", "import numpy\nassert numpy.ones((2, 3)).sum() == 6\n", []string{"numpy"}, "", 12, 100},
	{"torch", "import torch\nassert (torch.ones(2, 3) @ torch.ones(3, 2)).sum() == 12\n", []string{"torch"}, "", 12, 100},
	{"compile", compiled, []string{"torch", "torch._dynamo", "torch._inductor.compile_fx"},
		"../profile/data/pytorch/compile_once.py", 3, 10},
	{"again", strings.Replace(compiled, `int.from_bytes(os.urandom(4), "big") / 7`, "3", 1),
		[]string{"torch", "torch._dynamo", "torch._inductor.compile_fx"}, "../profile/data/pytorch/compile_once.py", 3, 10},
}

// BenchmarkBox prints, in one table, what a run costs: bare, in the box, and
// warm. Everything that is compared is measured in turn, in the same minute.
func BenchmarkBox(b *testing.B) {
	r := named(b)
	var table strings.Builder
	fmt.Fprintf(&table, "%-8s %10s %10s %10s %9s %11s %13s %13s %7s\n", "program", "bare ms", "box ms", "over ms",
		"warm ms", "cold/warm", "1 worker /s", "2 workers /s", "ratio")
	trueBare, trueBox := pair(40, func() { bare(b, "/bin/true") },
		func() { boxed(b, bug.Repro{Command: []string{"/bin/true"}}, r) })
	fmt.Fprintf(&table, "%-8s %10.1f %10.1f %10.1f\n", "true", ms(trueBare), ms(trueBox), ms(trueBox-trueBare))
	for _, p := range programs {
		if exec.Command(r.Path, "-c", p.code).Run() != nil {
			fmt.Fprintf(&table, "%-8s not installed\n", p.name)
			continue
		}
		fmt.Fprint(&table, benchProgram(b, r, p))
	}
	b.Logf("\n%s", table.String())
}

// named is the interpreter that SCRUB_TEST_PYTHON names, or the usual one.
func named(b testing.TB) bug.Runtime {
	path := os.Getenv("SCRUB_TEST_PYTHON")
	if path == "" {
		return python(b)
	}
	out, err := exec.Command(path, "-c", "import sys; print(sys.prefix, sys.base_prefix)").Output()
	if err != nil {
		b.Fatal(err)
	}
	return bug.Runtime{Path: path, Folders: strings.Fields(string(out))}
}

func benchProgram(b *testing.B, r bug.Runtime, p benched) string {
	ready := []byte{}
	if p.ready != "" {
		var err error
		if ready, err = os.ReadFile(p.ready); err != nil {
			b.Fatal(err)
		}
	}
	w := &sandbox.Warm{Caches: []string{"/tmp/torchinductor_scrub"}, Ready: string(ready)}
	defer w.Close()
	warm := sandbox.Job{Repro: bug.Program(p.code), Runtime: r, Preload: p.preload}
	outside, inside := pair(p.cold, func() { bare(b, r.Path, "-c", p.code) }, func() { boxed(b, warm.Repro, r) })
	one := func() {
		if o, err := w.Run(b.Context(), warm); err != nil || o.Failed() || !o.Warm {
			b.Fatalf("%+v, %v, %v", o, err, w.Refused())
		}
	}
	one()
	hot, _ := pair(p.warm, one, func() {})
	single, double := rate(2*p.warm, 1, one), rate(4*p.warm, 2, one)
	return fmt.Sprintf("%-8s %10.1f %10.1f %10.1f %9.1f %10.1fx %13.1f %13.1f %6.2fx\n",
		p.name, ms(outside), ms(inside), ms(inside-outside), ms(hot), float64(inside)/float64(hot), single, double, double/single)
}

func bare(b *testing.B, argv ...string) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = "/", []string{"PATH=/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE=1"}
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
}

func boxed(b *testing.B, repro bug.Repro, r bug.Runtime) {
	if o, err := (sandbox.Native{}).Run(b.Context(), sandbox.Job{Repro: repro, Runtime: r}); err != nil || o.Failed() {
		b.Fatalf("%+v, %v", o, err)
	}
}

// pair runs f and g in turn, n times, and returns the median of each.
func pair(n int, f, g func()) (time.Duration, time.Duration) {
	times := [2][]time.Duration{}
	for range n {
		for i, h := range []func(){f, g} {
			began := time.Now()
			h()
			times[i] = append(times[i], time.Since(began))
		}
	}
	slices.Sort(times[0])
	slices.Sort(times[1])
	return times[0][n/2], times[1][n/2]
}

// rate runs f n times with so many workers and returns how many that were a second.
func rate(n, workers int, f func()) float64 {
	began := time.Now()
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range n / workers {
				f()
			}
		})
	}
	wg.Wait()
	return float64(n) / time.Since(began).Seconds()
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
