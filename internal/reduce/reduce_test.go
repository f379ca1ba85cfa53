package reduce_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/reduce/textpass"
)

// A problem is a random program and a random bug in it: lines that are
// needed, some of which have others that would do as well, perhaps one without
// which it does not start at all, and some that are needed only as long as others
// are there, so that what could not go at first can go later.
type problem struct {
	files bug.Files
	need  [][]string
	start string
	shut  [][2]string // the first is needed only as long as the second is there

	mu   sync.Mutex
	seen map[string]int // how often a text was asked about
}

func randomProblem(seed uint64) *problem {
	r := rand.New(rand.NewPCG(seed, 0))
	lines := make([]string, 1+r.IntN(60))
	for i := range lines {
		lines[i] = fmt.Sprintf("%scall_%d(%d, [x, %d]);\n", strings.Repeat("  ", r.IntN(3)), i, r.IntN(1000), i)
	}
	p := &problem{files: bug.Files{"a.txt": strings.Join(lines, "")}, seen: map[string]int{}}
	if r.IntN(4) == 0 {
		p.files["b.txt"] = "more_0(1)\nmore_1(2)\n"
		p.need = append(p.need, []string{"more_1"})
	}
	some := func() string { return fmt.Sprintf("call_%d", r.IntN(len(lines))) }
	for range 1 + r.IntN(4) {
		or := []string{some()}
		for r.IntN(3) == 0 {
			or = append(or, some())
		}
		p.need = append(p.need, or)
	}
	if r.IntN(2) == 0 {
		p.start = some()
	}
	for r.IntN(2) == 0 {
		p.shut = append(p.shut, [2]string{some(), some()})
	}
	return p
}

func (p *problem) shows(files bug.Files) bool {
	words := map[string]bool{}
	for _, text := range files {
		for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \n()[],;", r) }) {
			words[w] = true
		}
	}
	if p.start != "" && !words[p.start] {
		return false
	}
	for _, pair := range p.shut {
		if !words[pair[0]] && words[pair[1]] {
			return false
		}
	}
	for _, or := range p.need {
		found := false
		for _, w := range or {
			found = found || words[w]
		}
		if !found {
			return false
		}
	}
	return true
}

func (p *problem) reducer(workers int) *reduce.Reducer {
	return &reduce.Reducer{
		Passes:  textpass.All,
		Workers: workers,
		View: func(_ context.Context, files bug.Files) (reduce.Program, error) {
			return reduce.Program{Files: files}, nil
		},
		Ask: func(_ context.Context, files bug.Files) (reduce.Judgement, error) {
			p.mu.Lock()
			p.seen[files["a.txt"]+"\x00"+files["b.txt"]]++
			p.mu.Unlock()
			if p.shows(files) {
				return reduce.Judgement{Answer: bug.Yes}, nil
			}
			return reduce.Judgement{Answer: bug.No, Words: "passed"}, nil
		},
	}
}

const problems = 1000

// Every result keeps the bug, and no pass can improve it. Nothing is asked twice.
func TestReduce(t *testing.T) {
	asked := 0
	for seed := range uint64(problems) {
		p := randomProblem(seed)
		got, err := p.reducer(2).Reduce(t.Context(), p.files)
		if err != nil || !got.Minimal {
			t.Fatalf("seed %d: minimal %v, %v", seed, got.Minimal, err)
		}
		if !p.shows(got.Files) {
			t.Errorf("seed %d: lost the bug: %q", seed, got.Files)
		}
		for text, n := range p.seen {
			if n > 1 {
				t.Errorf("seed %d: asked %d times about %q", seed, n, text)
			}
		}
		for _, pass := range textpass.All {
			for e := range pass.Propose(reduce.Program{Files: got.Files, Last: true}) {
				if next := e.Apply(got.Files); p.shows(next) &&
					reduce.SizeOf(next).Tokens < reduce.SizeOf(got.Files).Tokens {
					t.Errorf("seed %d: %s still works on %q", seed, pass.Name, got.Files)
				}
			}
		}
		asked += got.Asked
	}
	t.Logf("%.0f questions a program", float64(asked)/problems)
}

// What could not go while something else was there goes when that has gone, though
// nothing around it has changed.
func TestWhatCouldNotGoAtFirstGoesLater(t *testing.T) {
	p := &problem{
		files: bug.Files{"a.txt": "keep_1()\nshut()\nkeep_2()\nkeep_3()\nopen()\n"}, seen: map[string]int{},
		need: [][]string{{"keep_1"}, {"keep_2"}, {"keep_3"}}, shut: [][2]string{{"shut", "open"}},
	}
	r := p.reducer(1)
	r.Passes = []reduce.Pass{textpass.Lines}
	got, err := r.Reduce(t.Context(), p.files)
	if err != nil || !got.Minimal || strings.Contains(got.Files["a.txt"], "shut") {
		t.Errorf("%q, minimal %v, %v", got.Files["a.txt"], got.Minimal, err)
	}
}

// Idle workers ask ahead where that pays, and no result depends on it.
func TestWorkersDoNotMatter(t *testing.T) {
	ahead := 0
	for seed := range uint64(problems / 5) {
		p := randomProblem(seed)
		one, err := p.reducer(1).Reduce(t.Context(), p.files)
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{2, 8} {
			clear(p.seen)
			r := p.reducer(workers)
			r.Dear = func() bool { return true }
			many, err := r.Reduce(t.Context(), p.files)
			ahead += len(p.seen) - many.Asked
			if err != nil || !maps.Equal(one.Files, many.Files) || one.Asked != many.Asked {
				t.Errorf("seed %d: one worker asked %d for %q, %d asked %d for %q (%v)", seed, one.Asked, one.Files,
					workers, many.Asked, many.Files, err)
			}
		}
	}
	if ahead == 0 {
		t.Error("nobody asked ahead")
	}
	t.Logf("%d questions were asked ahead and never came", ahead)
}

// Budget, deadline and size end it; what there is by then is kept and shows the bug.
func TestEnds(t *testing.T) {
	for seed := range uint64(100) {
		p := randomProblem(seed)
		r := p.reducer(2)
		r.Budget = 1 + int(seed%20)
		got, err := r.Reduce(t.Context(), p.files)
		if err != nil || got.Asked > r.Budget || !p.shows(got.Files) {
			t.Errorf("seed %d: %d of %d asked, %v", seed, got.Asked, r.Budget, err)
		}
		r = p.reducer(2)
		r.Enough = 5
		if got, err = r.Reduce(t.Context(), p.files); err != nil || !p.shows(got.Files) || !got.Minimal &&
			reduce.SizeOf(got.Files).Lines > 5 {
			t.Errorf("seed %d: stopped at %d lines, %v", seed, reduce.SizeOf(got.Files).Lines, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		r = p.reducer(2)
		ask, left := r.Ask, 1+int(seed%30)
		var mu sync.Mutex
		r.Ask = func(ctx context.Context, files bug.Files) (reduce.Judgement, error) {
			mu.Lock()
			if left--; left == 0 {
				cancel()
			}
			mu.Unlock()
			if ctx.Err() != nil {
				return reduce.Judgement{}, ctx.Err()
			}
			return ask(ctx, files)
		}
		if got, err = r.Reduce(ctx, p.files); err != nil || !p.shows(got.Files) {
			t.Errorf("seed %d: cut short, %v", seed, err)
		}
		cancel()
	}
}

// A failure of the oracle is no answer.
func TestOracleFails(t *testing.T) {
	broken := errors.New("broken")
	p := randomProblem(1)
	r := p.reducer(2)
	r.Ask = func(context.Context, bug.Files) (reduce.Judgement, error) { return reduce.Judgement{}, broken }
	if _, err := r.Reduce(t.Context(), p.files); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// Cut short anywhere and begun again over what was answered, it ends with the
// same program, and asks only what had not been answered.
func TestResumes(t *testing.T) {
	for seed := range uint64(20) {
		p := randomProblem(seed)
		want, err := p.reducer(1).Reduce(t.Context(), p.files)
		if err != nil {
			t.Fatal(err)
		}
		for cut := 1; cut < want.Asked; cut += 1 + want.Asked/10 {
			known := map[string]reduce.Judgement{}
			fresh := 0
			remember := func(limit int) *reduce.Reducer {
				r := p.reducer(1)
				ask := r.Ask
				r.Ask = func(ctx context.Context, files bug.Files) (reduce.Judgement, error) {
					key := files["a.txt"] + "\x00" + files["b.txt"]
					if v, ok := known[key]; ok {
						return v, nil
					}
					if limit > 0 && len(known) == limit {
						return reduce.Judgement{}, errors.New("killed")
					}
					fresh++
					v, err := ask(ctx, files)
					known[key] = v
					return v, err
				}
				return r
			}
			if _, err := remember(cut).Reduce(t.Context(), p.files); err == nil {
				t.Fatal("it was not killed")
			}
			got, err := remember(0).Reduce(t.Context(), p.files)
			if err != nil || !maps.Equal(got.Files, want.Files) || fresh != want.Asked {
				t.Errorf("seed %d, cut at %d: %d asked in all, want %d (%v)", seed, cut, fresh, want.Asked, err)
			}
		}
	}
}

// BenchmarkReduce prints what a reduction costs the reducer itself.
func BenchmarkReduce(b *testing.B) {
	began, asked := time.Now(), 0
	for i := range b.N {
		p := randomProblem(uint64(i))
		got, err := p.reducer(1).Reduce(b.Context(), p.files)
		if err != nil {
			b.Fatal(err)
		}
		asked += got.Asked
	}
	b.ReportMetric(float64(time.Since(began).Microseconds())/float64(asked), "µs/question")
}
