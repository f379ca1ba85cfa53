package minimize

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// A place is where a program dies, or where it stays that does not end.
type place struct {
	Way   []string `json:",omitempty"` // the functions of libraries that it is in, the innermost last
	Own   string   `json:",omitempty"` // the function of the program that asked for them
	Calls []string `json:",omitempty"` // what it asks for there, where that is Python's own or changes
	Waits bool     `json:",omitempty"` // it does not work meanwhile
}

// elsewhere says why another place is not the same, or nothing.
func (p place) elsewhere(now place) string {
	switch {
	case p.Waits != now.Waits:
		return "is stuck in another way"
	case len(p.Way) > 0 && !(len(now.Way) > 0 && sameWay(now.Way, p.Way)):
		return "is not in " + last(p.Way)
	case len(p.Way) > 0:
		return ""
	case len(p.Calls) > 0 && !slices.ContainsFunc(p.Calls, func(c string) bool { return slices.Contains(now.Calls, c) }):
		return "is not in " + strings.Join(p.Calls, ", ")
	case len(p.Calls) == 0 && p.Own != now.Own && p.Own != "<module>":
		return "is not in " + p.Own + " of the program"
	}
	return ""
}

// sameFunction says why another place is not in the same function of the program.
func (p place) sameFunction(now place) string {
	if p.Own != now.Own {
		return "is not in " + p.Own + " of the program"
	}
	return ""
}

// words says in words what is held.
func (p place) words() []string {
	switch {
	case len(p.Way) > 0:
		return []string{"it happens in " + bug.Code(last(p.Way))}
	case len(p.Calls) > 0:
		return []string{"it happens while the program asks for " + bug.Code(strings.Join(p.Calls, ", "))}
	case p.Own != "<module>":
		return []string{"it happens in " + bug.Code(p.Own) + " of the program"}
	}
	return nil
}

// split parts a stack where the program asks a library for something.
func split(f syntax.Frames) (own syntax.Frame, way []string) {
	at := len(f) - 1
	for ; at > 0 && !f[at].Own; at-- {
	}
	for _, x := range f[at+1:] {
		way = append(way, x.Func)
	}
	return f[at], way
}

// called are the names that a line calls.
var called = regexp.MustCompile(`([A-Za-z_]\w*)\s*\(`)

// died is where a program was when it crashed, as its interpreter says.
func died(out bug.Outcome, text string) (place, bool) {
	stack := syntax.Crashed(out.Stderr, sandbox.Scratch+"/"+bug.Script)
	if len(stack) == 0 {
		return place{}, false
	}
	own, way := split(stack)
	p := place{Way: way, Own: own.Func}
	lines := strings.Split(text, "\n")
	if len(way) == 0 && 0 < own.Line && own.Line <= len(lines) {
		for _, m := range called.FindAllStringSubmatch(lines[own.Line-1], -1) {
			if !strings.Contains(text, "def "+m[1]+"(") && !strings.Contains(text, "class "+m[1]) {
				p.Calls = append(p.Calls, m[1])
			}
		}
	}
	return p, true
}

// fewest is how many looks at a program tell where it stays.
const fewest = 5

// stays says where a program stays, by the later half of the looks at it. It is false if
// there are too few.
func stays(all []syntax.Frames) (p place, ok bool) {
	later := all[len(all)/2:]
	if len(later) < fewest {
		return p, false
	}
	same := func(a, b syntax.Frame) bool { return a.Own == b.Own && a.Func == b.Func }
	common := later[0]
	for _, s := range later {
		n := 0
		for n < min(len(common), len(s)) && same(common[n], s[n]) {
			n++
		}
		common = common[:n]
	}
	if len(common) == 0 {
		return p, false
	}
	own, way := split(common)
	p = place{Way: way, Own: own.Func}
	if len(way) == 0 {
		p.Calls = asks(later, len(common))
	}
	return p, true
}

// before is how many looks at a program did not yet see it where it stays.
func (p place) before(all []syntax.Frames) int {
	there := func(f syntax.Frame) bool { return f.Own && f.Func == p.Own }
	if len(p.Way) > 0 {
		there = func(f syntax.Frame) bool { return !f.Own && f.Func == last(p.Way) }
	}
	looks := len(all)
	for looks > 0 && slices.ContainsFunc(all[looks-1], there) {
		looks--
	}
	return looks
}

// asks are the functions of libraries that a loop of the program asks for, as long as a
// tenth of the looks see them.
func asks(looks []syntax.Frames, below int) []string {
	times := map[string]int{}
	for _, s := range looks {
		if i := slices.IndexFunc(s[below:], func(f syntax.Frame) bool { return !f.Own }); i >= 0 {
			times[s[below+i].Func]++
		}
	}
	var all []string
	for name, n := range times {
		if 10*n >= len(looks) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// A stay is where a program that does not end was seen to stay, and what it takes to get there.
type stay struct {
	place
	byWork   bool          // that is counted in CPU, and not by the clock
	patience time.Duration // how long it must stay there
	there    atomic.Int64  // nanoseconds until it was there, of the quickest candidate so far
}

// limits are those of a candidate: it may take twice as long to get there.
func (s *stay) limits(l sandbox.Limits) sandbox.Limits {
	there := time.Duration(s.there.Load())
	if s.byWork {
		l.CPU, l.Time = 2*there+s.patience, min(l.Time, endless)
		return l
	}
	l.Time = min(l.Time, 3*there+time.Second/2+s.patience)
	if s.Waits {
		l.Idle, l.CPU = time.Second/4+s.patience, time.Second
	}
	return l
}

// arrived notes how long a candidate took to get there.
func (s *stay) arrived(there time.Duration) {
	for was := s.there.Load(); int64(there) < was; was = s.there.Load() {
		if s.there.CompareAndSwap(was, int64(there)) {
			return
		}
	}
}

// took is how long a program took until it was where it stays, which so many looks did not see there.
func (s *stay) took(now syntax.Sampled, looks int) time.Duration {
	share := float64(looks) / float64(len(now.Stacks))
	if s.byWork {
		return now.Began + time.Duration(share*float64(now.Outcome.Cost.CPU-now.Began))
	}
	return time.Duration(share * float64(now.Outcome.Cost.Wall))
}

// Patience with what does not end: at first, and how long a program must not end to be taken for
// one that never does.
const (
	impatient = 50 * time.Millisecond
	endless   = 3 * time.Second
)

// settled finds out where a program stays that does not end.
func (o *holder) settled(ctx context.Context, text string) error {
	limits := o.limits
	limits.CPU, limits.Idle, limits.Time = time.Second, time.Second, min(limits.Time, endless)
	s, err := o.sample(ctx, text, limits)
	if err != nil {
		return err
	}
	p, ok := stays(s.Stacks)
	if !ok || s.Outcome.End != bug.TimedOut {
		return nil // it is held by that it does not end
	}
	p.Waits = waits(s.Outcome)
	o.stay = &stay{place: p, patience: impatient, byWork: s.Outcome.Warm && !p.Waits}
	o.stay.there.Store(int64(o.stay.took(s, p.before(s.Stacks))))
	return nil
}

// waits reports whether a program was ended because it did nothing. Only a warm box can tell.
func waits(out bug.Outcome) bool { return out.Limit == "idle" }

func (o *holder) sample(ctx context.Context, text string, limits sandbox.Limits) (syntax.Sampled, error) {
	return syntax.Sample(ctx, text, func(ctx context.Context, repro bug.Repro) (bug.Outcome, error) {
		job := o.job(repro)
		job.Limits = limits
		job.Limits.Output = 8 << 20
		return o.run(ctx, "candidates", o.Box, job)
	})
}

// stuck answers whether a candidate stays where the program does: it must get there with
// about as much work, and then not leave for a while.
func (o *holder) stuck(ctx context.Context, text string) (reduce.Judgement, error) {
	type question struct {
		asked
		Place    place
		Patience time.Duration
		OwnPath  bool
	}
	in := question{asked{Program: text, Symptom: o.symptom, Runtime: o.Runtime, Preload: o.Preload, Limits: o.Limits},
		o.stay.place, o.stay.patience, o.ownPath}
	return journal.Do(ctx, o.Log, "stuck/2", in, func(ctx context.Context, q question) (reduce.Judgement, error) {
		s, err := o.sample(ctx, q.Program, o.stay.limits(o.limits))
		if err != nil || s.Outcome.End != bug.TimedOut {
			return reduce.Judgement{Answer: bug.No, Words: s.Outcome.Words()}, err
		}
		now, ok := stays(s.Stacks)
		now.Waits = waits(s.Outcome)
		if !ok {
			return reduce.Judgement{Answer: bug.No, Words: "is never at one place"}, nil
		}
		why := q.Place.elsewhere(now)
		if q.OwnPath && why == "" {
			why = q.Place.sameFunction(now)
		}
		if why != "" {
			return reduce.Judgement{Answer: bug.No, Words: why}, nil
		}
		o.stay.arrived(o.stay.took(s, q.Place.before(s.Stacks)))
		return reduce.Judgement{Answer: bug.Yes, Words: s.Outcome.Words()}, nil
	})
}

// reduced makes a program small. One that must not end was watched for a moment only: if
// it ends after all, the last step that does not is where it goes on, with more patience.
func (o *holder) reduced(ctx context.Context, r *reduce.Reducer, text string) (reduce.Result, error) {
	got, err := r.Reduce(ctx, bug.Files{bug.Script: text})
	for err == nil && o.stay != nil && o.stay.patience < endless && ctx.Err() == nil {
		var sure bool
		if sure, err = o.confirmed(ctx, got.Files[bug.Script]); err != nil || sure {
			break
		}
		var from int
		if from, err = o.lastEndless(ctx, got.Steps); err != nil {
			break
		}
		start := text
		if from > 0 {
			start = got.Steps[from-1].Files[bug.Script]
		}
		o.stay.patience *= 8
		var again reduce.Result
		again, err = r.Reduce(ctx, bug.Files{bug.Script: start})
		again.Spared, again.Asked = again.Spared+got.Spared, again.Asked+got.Asked
		for name, n := range got.ByPass {
			again.ByPass[name] += n
		}
		again.Steps = append(got.Steps[:from:from], again.Steps...)
		got = again
	}
	return got, err
}

// lastEndless is how many steps lead to the last program that does not end, which is
// searched for as if there were none behind the first that does.
func (o *holder) lastEndless(ctx context.Context, steps []reduce.Step) (int, error) {
	low, high := 0, len(steps)-1 // the first low ones do not end; one more than high does
	for low < high {
		mid := (low + high + 1) / 2
		sure, err := o.confirmed(ctx, steps[mid-1].Files[bug.Script])
		if err != nil {
			return 0, fmt.Errorf("find the last step that hangs: %w", err)
		}
		if sure {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low, nil
}
