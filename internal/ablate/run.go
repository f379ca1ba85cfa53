package ablate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/classify"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/fanout"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/probe"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/rule"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/shim"
)

// An Ablation finds out what a bug of one program depends on.
type Ablation struct {
	Box     sandbox.Box
	Warm    sandbox.Box // where the shim's knobs can be turned in a fork; nil if there is none
	Preload []string    // what Warm has imported
	Log     journal.Log
	Profile profile.Profile
	Repro   bug.Repro
	Runtime bug.Runtime
	Symptom bug.Symptom // unsaid: whatever goes wrong as it is
	Limits  sandbox.Limits
	Times   int // runs for each cell
	Workers int
	Deeper  bool
	Only    []string // knobs; all that apply if it names none
	Round   string   // what was seen in another round is seen anew
	Tell    event.Listener

	own   []Turn      // what the program sets itself
	warm  bool        // Warm has been seen to show the bug
	early probe.Tally // what the unmodified program did there
}

// ErrNothingWrong is that a program, as it is, does not show what its knobs
// are to be turned for.
var ErrNothingWrong = errors.New("the unmodified program does not show the symptom, so there is nothing to ablate")

// Run asks as it is first, and then with every knob turned.
func (a *Ablation) Run(ctx context.Context) (Why, error) {
	var why Why
	a.Times = max(1, a.Times)
	a.say("unmodified")
	asIs, err := a.asItIs(ctx)
	if err != nil {
		return why, err
	}
	if a.Symptom.Kind == bug.Unsaid {
		a.Symptom = symptomOf(worst(asIs.Outcomes))
		asIs = probe.Count(a.Symptom, asIs.Outcomes...)
	}
	if asIs.Yes == 0 {
		return why, fmt.Errorf("%w: it %s", ErrNothingWrong, asIs.Outcomes[len(asIs.Outcomes)-1].Words())
	}
	shown := asIs.Outcomes[slices.IndexFunc(asIs.Outcomes,
		func(o bug.Outcome) bool { return a.Symptom.In(o) == bug.Yes })]
	if why.Class, err = classify.Outcome(a.Profile, shown); err != nil {
		return why, err
	}
	if _, low, _ := asIs.Rate(); asIs.No > 0 {
		a.Times = max(a.Times, min(probe.AtMost, probe.Needed(low, chance)))
	}
	if why.Class.Setup {
		why.Component = why.Class.Component
		return why, nil
	}
	// A warm interpreter, which has imported everything before the program says how, may not show it.
	a.warm = slices.ContainsFunc(a.early.Outcomes, func(o bug.Outcome) bool { return a.Symptom.In(o) == bug.Yes })
	knobs, err := a.knobs()
	if err != nil {
		return why, err
	}
	search := Search{Workers: a.Workers, Ask: a.seen}
	for _, k := range knobs {
		search.Knobs = append(search.Knobs, Knob{Name: k.Name, Staged: k.Stages, After: k.After, Plain: k.Plain,
			Open: k.Open && asIs.No == 0 && len(a.Only) == 0, Values: names(k.Value)})
	}
	r, err := search.Run(ctx)
	if err != nil {
		return why, err
	}
	why.Ablation = &r
	if a.Deeper && r.Stage != nil {
		if why.Depth, err = a.deeper(ctx, r.Stage.Value); err != nil {
			return why, err
		}
	}
	why.Own = a.own
	a.conclude(&why)
	return why, nil
}

// chance is how likely it may be that a cell of a flaky bug shows nothing of
// it by luck.
const chance = 0.05

// worst is the first outcome that went wrong, or the last.
func worst(all []bug.Outcome) bug.Outcome {
	if i := slices.IndexFunc(all, bug.Outcome.Failed); i >= 0 {
		return all[i]
	}
	return all[len(all)-1]
}

// asItIs runs the unmodified program, and at the same time in a warm interpreter,
// which takes as long to start.
func (a *Ablation) asItIs(ctx context.Context) (cold probe.Tally, err error) {
	unmodified := cell{a.Repro, nil, map[string]string{}}
	if a.Warm == nil || a.Profile.Knobs.Shim == "" {
		return a.ask(ctx, unmodified)
	}
	warm := *a
	warm.warm = true
	errs := fanout.Each(2, 2, func(i int) (err error) {
		if i == 0 {
			cold, err = a.ask(ctx, unmodified)
			return err
		}
		a.early, err = warm.ask(ctx, unmodified)
		return err
	})
	return cold, errors.Join(errs...)
}

// symptomOf is what went wrong in o.
func symptomOf(o bug.Outcome) bug.Symptom {
	if e, failed := o.Exception(); failed {
		return bug.SymptomOf(e)
	}
	if signal, crashed := o.Crash(); crashed {
		return bug.Symptom{Kind: bug.Crashes, Signal: signal}
	}
	if o.End == bug.TimedOut {
		return bug.Symptom{Kind: bug.Hangs}
	}
	return bug.Symptom{}
}

func names(values []profile.Value) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = v.Name
	}
	return all
}

// knobs are those of the profile that mean something for this program.
func (a *Ablation) knobs() ([]profile.Knob, error) {
	facts := rule.Facts{"program": rule.Text(a.Repro.Files[bug.Script]),
		"symptom": rule.Text(string(a.Symptom.Kind) + ": " + a.Symptom.String())}
	var all []profile.Knob
	for _, k := range a.Profile.Knobs.Knob {
		if len(a.Only) > 0 && !slices.Contains(a.Only, k.Name) {
			continue
		}
		if k.When.String() != "" {
			yes, _, err := k.When.Holds(facts)
			if err != nil {
				return nil, fmt.Errorf("knob %s: %w", k.Name, err)
			}
			if !yes {
				continue
			}
		}
		all = append(all, a.honoured(k))
	}
	return all, nil
}

// honoured is a knob as the program leaves it: of stages none beyond the one that it asks for itself.
func (a *Ablation) honoured(k profile.Knob) profile.Knob {
	if k.Said == nil {
		return k
	}
	m := k.Said.FindStringSubmatch(a.Repro.Files[bug.Script])
	if len(m) < 2 {
		return k
	}
	a.own = append(a.own, Turn{k.Name, m[1]})
	at := slices.IndexFunc(k.Value, func(v profile.Value) bool { return v.Name == m[1] })
	if k.Stages && at >= 0 {
		k.Value = k.Value[:at+1]
	}
	return k
}

// A cell is a program with some knobs turned.
type cell struct {
	repro bug.Repro
	set   map[string]string // environment variables
	shim  map[string]string // what the shim is told
}

// seen asks with some knobs turned.
func (a *Ablation) seen(ctx context.Context, turns []Turn) (Seen, error) {
	c := cell{a.Repro, map[string]string{}, map[string]string{}}
	for _, t := range turns {
		v := a.value(t)
		maps.Copy(c.set, v.Set)
		maps.Copy(c.shim, v.Shim)
		rewritten := rewrittenBy(c.repro, v.Rewrite)
		if len(v.Rewrite) > 0 && rewritten.Digest() == c.repro.Digest() {
			return Seen{Words: "does not apply to this program"}, nil
		}
		c.repro = rewritten
	}
	a.say(fmt.Sprintf("with %v", turns))
	t, err := a.ask(ctx, c)
	if err != nil {
		return Seen{}, err
	}
	return a.judged(t), nil
}

func (a *Ablation) value(t Turn) profile.Value {
	for _, k := range a.Profile.Knobs.Knob {
		for _, v := range k.Value {
			if k.Name == t.Knob && v.Name == t.Value {
				return v
			}
		}
	}
	panic("a knob of the profile: " + t.String())
}

func rewrittenBy(r bug.Repro, swaps []profile.Swap) bug.Repro {
	if len(swaps) == 0 {
		return r
	}
	files := maps.Clone(r.Files)
	for _, s := range swaps {
		files[bug.Script] = s.From.ReplaceAllString(files[bug.Script], s.To)
	}
	return bug.Repro{Files: files, Command: r.Command}
}

// ask runs a cell: warm if no variable must be set before the interpreter
// starts and a warm one has been seen to show the bug, too.
func (a *Ablation) ask(ctx context.Context, c cell) (probe.Tally, error) {
	q := probe.Question{Repro: c.repro, Runtime: a.Runtime, Symptom: a.Symptom, Limits: a.Limits, Times: a.Times,
		Setting: bug.Setting{Factors: c.set}}
	if a.Profile.Knobs.Shim != "" {
		told, err := json.Marshal(c.shim)
		if err != nil {
			return probe.Tally{}, err
		}
		q.Repro = shim.Around(c.repro, "scrub_knobs", "TURNED = "+string(told)+"\n"+a.Profile.Knobs.Shim)
	}
	p := probe.Prober{Box: a.Box, Log: a.Log, Round: a.Round}
	if a.warm && len(c.set) == 0 {
		p.Box, q.Preload = a.Warm, a.Preload
	}
	return p.Ask(ctx, q)
}

// judged is what runs with some knobs turned say of the bug. One that fails
// in another way does not say that it is gone.
func (a *Ablation) judged(t probe.Tally) Seen {
	last := t.Outcomes[len(t.Outcomes)-1]
	s := Seen{Answer: t.Answer(), Words: last.Words()}
	switch {
	case t.Yes > 0:
		s.Words = "the bug"
	case slices.ContainsFunc(t.Outcomes, a.alike):
		s.Answer, s.Words = bug.Yes, "a similar error: "+last.Words()
	case t.No > 0 && last.Failed():
		s.Answer = bug.Unknown
	}
	if t.Runs() > 1 && t.Yes > 0 {
		s.Words += fmt.Sprintf(", %d of %d", t.Yes, t.Runs())
	}
	return s
}

// deeper looks into the stage that showed the bug first, if the profile knows how.
func (a *Ablation) deeper(ctx context.Context, stage string) (*Depth, error) {
	for _, d := range a.Profile.Knobs.Deeper {
		if d.Stage != stage {
			continue
		}
		var parts []Part
		for _, name := range d.Parts {
			parts = append(parts, Part{Name: name, Ask: func(ctx context.Context, n int) (Seen, string, error) {
				a.say(fmt.Sprintf("only the first %d %s", n+1, name))
				return a.limited(ctx, d, name, n)
			}})
		}
		return Deeper(ctx, parts)
	}
	return nil, nil
}

// limited asks with only the first n things that a part does.
func (a *Ablation) limited(ctx context.Context, d profile.Deeper, part string, n int) (Seen, string, error) {
	told := map[string]string{}
	for name, value := range d.Shim {
		told[name] = strings.NewReplacer("{part}", part, "{n}", strconv.Itoa(n)).Replace(value)
	}
	t, err := a.ask(ctx, cell{a.Repro, nil, told})
	if err != nil {
		return Seen{}, "", err
	}
	what := ""
	if m := d.What.FindStringSubmatch(t.Outcomes[len(t.Outcomes)-1].Stderr); len(m) > 2 && m[1] == strconv.Itoa(n) {
		what = bug.Short(m[2], 200)
	}
	return a.judged(t), what, nil
}

// conclude names the component and what follows.
func (a *Ablation) conclude(why *Why) {
	r := why.Ablation
	why.Component, why.Labels = why.Class.Component, why.Class.Labels
	if r.Stage != nil && r.Sure && a.value(*r.Stage).Component != "" {
		stage := a.value(*r.Stage).Component
		why.Measured = true
		if part, ok := classify.Component(a.Profile, why.Component); !ok || !slices.Contains(part.Within, stage) {
			why.Component = stage
		}
		// What was printed named another part: its labels do not fit.
		if why.Component != why.Class.Component {
			if c, ok := classify.Component(a.Profile, why.Class.Component); ok {
				why.Labels = slices.DeleteFunc(slices.Clone(why.Labels),
					func(l string) bool { return slices.Contains(c.Labels, l) })
			}
		}
		if c, ok := classify.Component(a.Profile, why.Component); ok {
			why.Labels = append(slices.Clone(why.Labels), c.Labels...)
		}
	}
	for _, t := range r.Gone {
		v := a.value(t)
		why.Means = append(why.Means, v.Gone)
		why.Labels = append(why.Labels, v.Labels...)
	}
	slices.Sort(why.Labels)
	why.Labels = slices.DeleteFunc(slices.Compact(why.Labels), a.Profile.Labels.Forbids)
}

// alike reports whether a run failed in nearly the same words.
func (a *Ablation) alike(o bug.Outcome) bool {
	var varies []*regexp.Regexp
	for _, v := range a.Profile.Knobs.Varies {
		varies = append(varies, v.Regexp)
	}
	return a.Symptom.Worded(o, varies...)
}

func (a *Ablation) say(text string) {
	a.Tell(event.Event{Step: "why", State: event.Going, Text: text})
}
