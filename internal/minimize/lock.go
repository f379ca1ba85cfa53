package minimize

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/fanout"
	"github.com/scrub-dev/scrub/internal/minimize/poverty"
	"github.com/scrub-dev/scrub/internal/probe"
	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/reduce/pass"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// firstRuns is how often a program runs before it is cut, to know how sure its
// symptom is.
const firstRuns = 3

// lock finds out what must stay the same while the program is cut, and
// returns the program to cut: one in which an assertion shows its values.
func (o *holder) lock(ctx context.Context, text string) (string, error) {
	o.limits, o.symptom, o.text, o.times = o.Limits, o.Symptom, text, 1
	t, err := o.first(ctx, text)
	if err != nil {
		return text, err
	}
	shown := t.Outcomes[slices.IndexFunc(t.Outcomes,
		func(out bug.Outcome) bool { return o.symptom.In(out) == bug.Yes })]
	if rate, _, _ := t.Rate(); rate < 1 {
		if t, err = o.measured(ctx, text, t); err != nil {
			return text, err
		}
		rate, low, high := t.Rate()
		o.times = min(probe.AtMost, probe.Needed(low, missing))
		o.rate = &Rate{Shows: t.Yes, Runs: t.Runs(), Low: low, High: high, Times: o.times, Missed: math.Pow(1-rate, float64(o.times))}
	}
	o.shows = o.symptom
	o.original, _ = shown.Exception()
	o.cost(shown.Cost.CPU)
	if err := o.warmer(ctx, text, &shown); err != nil {
		return text, err
	}
	o.bound(shown)
	if err := o.placed(ctx, text, shown); err != nil {
		return text, err
	}
	if o.PassesOn != nil {
		if v, _, err := o.try(ctx, "first", o.Box, o.job(bug.Program(text))); err != nil || v.Answer != bug.Yes {
			return text, cmp.Or(err, fmt.Errorf("%w on one interpreter only: %s", ErrNotShown, v.Words))
		}
	}
	trees, err := o.trees(ctx, []string{text}, false)
	if err != nil {
		return text, err
	}
	if trees[0].Broken != "" {
		return text, fmt.Errorf("the program cannot be read: %s", trees[0].Broken)
	}
	o.fresh = trees[0].Unbound
	for _, line := range strings.Split(text, "\n") {
		if slices.ContainsFunc(o.Keep, func(k *regexp.Regexp) bool { return k.MatchString(line) }) {
			o.keep = append(o.keep, bug.Squeeze(line))
		}
	}
	locked, err := o.expose(ctx, text, trees[0].Root)
	if err == nil {
		o.known(ctx, locked)
	}
	return locked, err
}

// moreRuns is how often a program runs in all that does not always show its symptom.
const moreRuns = 12

// missing is how likely a candidate may be missed that shows the symptom as often as the program does.
const missing = 0.05

// measured runs a flaky program more often, to know how flaky it is.
func (o *holder) measured(ctx context.Context, text string, t probe.Tally) (probe.Tally, error) {
	outcomes := slices.Clone(t.Outcomes)
	more := make([]bug.Outcome, moreRuns-len(outcomes))
	errs := fanout.Each(len(more), o.Workers, func(i int) (err error) {
		more[i], err = o.run(ctx, "first", o.Box, o.job(bug.Program(text)))
		return err
	})
	return probe.Count(o.symptom, append(outcomes, more...)...), errors.Join(errs...)
}

// first runs the program and takes its symptom from what it does, if nobody
// has said what to look for.
func (o *holder) first(ctx context.Context, text string) (probe.Tally, error) {
	job := o.job(bug.Program(text))
	times := firstRuns
	if o.symptom.Kind == bug.Hangs {
		job.Limits.Time = min(cmp.Or(job.Limits.Time, endless), endless) // it would cost all of the time each time
		times = 2
	}
	// All at once, so that as many warm interpreters start at the same time.
	outcomes := make([]bug.Outcome, times)
	errs := fanout.Each(times, o.Workers, func(i int) (err error) {
		outcomes[i], err = o.run(ctx, "first", o.Box, job)
		return err
	})
	if err := errors.Join(errs...); err != nil {
		return probe.Tally{}, err
	}
	if o.symptom.Kind == bug.Unsaid {
		if err := poverty.Of(text, outcomes[0]); err != nil {
			return probe.Tally{}, err
		}
		o.symptom = commonest(outcomes)
	}
	t := probe.Count(o.symptom, outcomes...)
	if t.Yes == 0 {
		return t, fmt.Errorf("%w: looked for %s; it %s", ErrNotShown, o.symptom, outcomes[0].Words())
	}
	return t, nil
}

// commonest is the symptom that most runs show, and of those that are as common the first.
func commonest(outcomes []bug.Outcome) bug.Symptom {
	var best bug.Symptom
	most := 0
	for _, out := range outcomes {
		s := out.Symptom()
		if n := probe.Count(s, outcomes...).Yes; s.Kind != bug.Unsaid && n > most {
			best, most = s, n
		}
	}
	return best
}

// dear is how much work a run may be before it is worth a look at what it imports late.
const dear = time.Second

// warmer has the warm interpreter import also what the program imports while it runs, if that makes runs
// cheaper and they end as they did.
func (o *holder) warmer(ctx context.Context, text string, shown *bug.Outcome) error {
	if !shown.Warm || shown.Cost.CPU < dear || o.symptom.Kind == bug.Hangs {
		return nil
	}
	late, err := syntax.Imported(ctx, text, func(ctx context.Context, repro bug.Repro) (bug.Outcome, error) {
		return o.run(ctx, "look for imports", o.Box, o.job(repro))
	})
	if err != nil || len(late) == 0 {
		return err
	}
	before := o.Preload
	o.Preload = slices.Concat(before, late)
	out, err := o.run(ctx, "first", o.Box, o.job(bug.Program(text)))
	if err != nil {
		return err
	}
	if o.symptom.In(out) != bug.Yes || !out.Warm || out.Cost.CPU > shown.Cost.CPU {
		o.Preload = before
		return nil
	}
	*shown = out
	o.cost(out.Cost.CPU)
	return nil
}

// placed finds out where a program crashes, or where it stays that does not end.
func (o *holder) placed(ctx context.Context, text string, shown bug.Outcome) error {
	switch o.symptom.Kind {
	case bug.Hangs:
		err := o.settled(ctx, text)
		if o.stay == nil {
			o.limits.Time = min(o.limits.Time, time.Second) // each candidate that hangs costs all of it
		}
		return err
	case bug.Crashes:
		if p, ok := died(shown, text); ok {
			o.crash = &p
		}
	}
	return nil
}

// bound sets how long a candidate may take: many times what the program
// took, but never more than was said.
func (o *holder) bound(shown bug.Outcome) {
	limit := 10*shown.Cost.Wall + time.Second
	o.idle = 3*shown.Cost.Wall + time.Second/5
	if o.symptom.Kind == bug.Hangs {
		limit = endless
	}
	if o.limits.Time == 0 || limit < o.limits.Time {
		o.limits.Time = limit
	}
}

// expose locks what the program itself says is wrong: the words of its error,
// and the values that an assertion compares, which it is made to show. A wrong
// result is wrong in one way only.
func (o *holder) expose(ctx context.Context, text string, root *syntax.Node) (string, error) {
	if !o.userRaised() || o.PassesOn != nil {
		return text, nil // where it passes on another interpreter, that is proof enough
	}
	if m := o.original.Message; steady(m) {
		o.strict = m
	}
	failed := o.failing(text, root)
	if failed == nil {
		return text, nil
	}
	o.said = text[failed.Start:failed.End]
	o.keep = append(o.keep, bug.Squeeze(o.said))
	if failed.Kind == "Raise" {
		return text, nil
	}
	values := operands(text, failed.In("test")[0])
	if len(values) == 0 {
		return text, nil
	}
	for _, form := range []string{"%s", "vars(%s)"} {
		shown := showing(text, failed, values, form)
		out, err := o.run(ctx, "first", o.Box, o.job(bug.Program(shown)))
		if err != nil {
			return text, err
		}
		e, ok := out.Exception()
		if !ok || e.Name() != o.original.Name() || e.Message == "" || !steady(e.Message) {
			continue
		}
		o.strict, o.original, o.text, o.exposed = e.Message, e, shown, true
		o.symptom = bug.Symptom{Kind: bug.Raises, Class: e.Name()}
		o.keep[len(o.keep)-1] = bug.Squeeze(shown[failed.Start : failed.End+len(shown)-len(text)])
		o.literals = literal.FindAllString(e.Message, -1)
		return shown, nil
	}
	return text, nil
}

// failing is the statement of the program's own that says that something is wrong.
func (o *holder) failing(text string, root *syntax.Node) *syntax.Node {
	line := o.original.Frames[len(o.original.Frames)-1].Line
	var failed *syntax.Node
	root.Walk(func(n *syntax.Node) {
		there := n.Line <= line && line <= n.Line+strings.Count(text[n.Start:n.End], "\n")
		if there && (n.Kind == "Assert" || n.Kind == "Raise") {
			failed = n
		}
	})
	return failed
}

// showing is the program with an assertion that says with which values it failed.
func showing(text string, failed *syntax.Node, values []string, form string) string {
	var message strings.Builder
	for _, v := range values {
		fmt.Fprintf(&message, form+", ", v)
	}
	for _, m := range failed.In("msg") {
		message.WriteString(text[m.Start:m.End] + ", ")
	}
	test := failed.In("test")[0]
	return text[:test.End] + ", (" + strings.TrimSuffix(message.String(), " ") + ")" + text[failed.End:]
}

// steady reports whether a message says the same in every run.
func steady(message string) bool { return len(message) <= longest && !unsteady.MatchString(message) }

// longest is how many bytes of a message are still compared.
const longest = 4000

var (
	unsteady = regexp.MustCompile(`\b0x[0-9a-f]{6,}|<.* object at`)
	literal  = regexp.MustCompile(`-?\d+\.?\d*(?:e[-+]?\d+)?|'[^']*'`)
)

// operands are the texts of what an assertion compares.
func operands(text string, test *syntax.Node) []string {
	var all []string
	switch test.Kind {
	case "Compare":
		for _, k := range test.Kids {
			all = append(all, text[k.Start:k.End])
		}
	case "Call":
		for _, k := range test.Kids[1:] {
			if k.Kind == "keyword" || k.Kind == "Starred" || k.Kind == "GeneratorExp" {
				continue
			}
			all = append(all, text[k.Start:k.End])
		}
	case "UnaryOp":
		return operands(text, test.Kids[0])
	case "Name":
		return nil
	}
	return all
}

// plain takes back what expose added.
func (o *holder) plain(ctx context.Context, text string) (string, error) {
	if !o.exposed {
		return text, nil
	}
	trees, err := o.trees(ctx, []string{text}, false)
	if err != nil {
		return text, err
	}
	at := text
	trees[0].Root.Walk(func(n *syntax.Node) {
		if n.Kind == "Assert" && bug.Squeeze(text[n.Start:n.End]) == o.keep[len(o.keep)-1] {
			at = text[:n.Start] + o.said + text[n.End:]
		}
	})
	return at, nil
}

// confirmed asks about a program cold, with all the time that a run may take.
func (o *holder) confirmed(ctx context.Context, text string) (bool, error) {
	if o.sure == text {
		return true, nil
	}
	job := o.job(bug.Program(text))
	job.Preload, job.Limits = nil, o.Limits
	if o.symptom.Kind == bug.Hangs {
		job.Limits.Time = min(cmp.Or(job.Limits.Time, endless), endless)
	}
	v, _, err := o.try(ctx, "cold", o.Cold, job)
	if v.Answer == bug.Yes && err == nil {
		o.sure = text
	}
	return v.Answer == bug.Yes, err
}

// proof says of every statement and argument of a program what becomes of it
// without that. At the end of a reduction nearly all of it is on record.
func (o *holder) proof(ctx context.Context, text string) ([]Needed, error) {
	files := bug.Files{bug.Script: text}
	p, err := o.view(ctx, files)
	if err != nil {
		return nil, err
	}
	var parts []string
	var without []bug.Files
	for e := range pass.Parts(p) {
		parts = append(parts, strings.Trim(text[e[0].Start:e[0].End], ", \n\t"))
		without = append(without, e.Apply(files))
	}
	if len(parts) == 0 {
		return nil, nil
	}
	why, err := o.useless(ctx, without)
	if err != nil {
		return nil, err
	}
	all := make([]Needed, len(parts))
	for i, part := range parts {
		v := reduce.Judgement{Answer: bug.No, Words: why[i]}
		if why[i] == "" {
			if v, err = o.ask(ctx, without[i]); err != nil {
				return nil, err
			}
		}
		all[i] = Needed{Part: part, Without: "it " + v.Words, Shows: v.Answer == bug.Yes}
	}
	return all, nil
}
