// Package profile is what scrub knows about a project. It is all data:
// a folder of TOML files, strictly decoded. A profile can extend another
// and then says only what is different.
package profile

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/rule"
)

// A Profile is what scrub knows about one project.
type Profile struct {
	Project
	Triage   []Triage
	Sayings  Sayings
	Says     map[string][]Saying // by group: what people say
	Symptoms []Phrase
	Tails    []Pattern // ends of messages that every error of the project has
	Aspects  []Aspect
	Names    []Name
	Rewrites []Rewrite
	Launch   *Launch // how several processes are started; nil if nobody knows
	Seeds    []Seed
	Vet      []Danger
	Exempt   []Exempt
	Usual    []Usual
	Outside  []string // calls that give what is not in the program, be it a file or input
	Innocent []string // names by which no program reaches out of itself; a * stands for anything
	Classes  Classes
	Knobs    Knobs
	Test     Test
	Logs     []Logs
	Simpler  []Simpler
	Instead  []Script // Python that says what could stand in the place of a program that is made small: programs that do the same
	Warm     Warm
	Alive    string            // Python that fails where a process that used a GPU is of no more use
	OnGPU    map[string]string // environment variables of programs that use one and are made small
	Shows    map[string]string // Python that writes down values of a package, by its name: show_NAME.py
	Views    map[string]string // Python that shows them as its users do: view_NAME.py
	Tells    map[string]string // Python that has the project tell what a run cost, by the kind of symptom: tells_KIND.py
}

// TellsOf is what has the project tell what a run cost, as a symptom counts it; empty if it need not.
func (p Profile) TellsOf(s bug.Symptom) string { return p.Tells[string(s.Kind)] }

// Simpler is a way to write something plainer, for programs that are made small.
type Simpler struct {
	About string  `toml:"about"`
	From  Pattern `toml:"from"`
	To    string  `toml:"to"` // with $1 for what a group matched
}

// Device is how to tell that a process is still of use, and the environment variables, of programs that use a GPU.
func (p Profile) Device(gpu bool) (alive string, set map[string]string) {
	if !gpu {
		return "", nil
	}
	return p.Alive, p.OnGPU
}

// A Project is the file profile.toml.
type Project struct {
	Name    string    `toml:"name"`
	Extends string    `toml:"extends"` // the profile that says the rest
	About   string    `toml:"about"`
	Title   string    `toml:"title"`   // what to call it in a sentence
	Repos   []string  `toml:"repos"`   // where its issues live
	Package string    `toml:"package"` // whose version matters; empty for the interpreter alone
	Commit  string    `toml:"commit"`  // what a build of the package says it was made from, in Python
	Form    []Pattern `toml:"form"`    // hidden remarks of the form for reports, which nobody wrote
	Has     []string  `toml:"has"`     // modules that a program may expect to be there
	Called  []string  `toml:"called"`  // methods that calling an object runs, besides __call__
	Drift   []Pattern `toml:"drift"`   // errors of an environment that does not fit, where the bug has not been reached
	// names that one exception has had over time, and wrappers of one another: the error within decides
	SameErrors [][]string `toml:"same_errors"`
	Plain      Plain      `toml:"plain"`
	// packages by the names that they are imported by, where that is another one
	Modules map[string]string `toml:"modules"`
	Needs   Needs             `toml:"needs"`
	Run     Run               `toml:"run"`
	Labels  Labels            `toml:"labels"`
	Consent map[string]string `toml:"consent"` // by kind of action: auto, ask or never; ask if it does not say
	Hourly  int               `toml:"hourly"`  // writes in an hour
	Forum   string            `toml:"forum"`   // where people ask one another
	// of issues on which people objected to what was done, above which only comments are written
	MostWrong float64 `toml:"most_wrong"`
	Stale     Stale   `toml:"stale"`
}

// Needs are the signs of a program that needs more than is in the report.
type Needs struct {
	Own    []Pattern `toml:"own"`    // modules that are files of the author's own
	Reads  []string  `toml:"reads"`  // functions that read the file they are given
	Writes []string  `toml:"writes"` // functions that write one, which it may then read
}

// Labels is how the project uses labels.
type Labels struct {
	Triaged string    `toml:"triaged"` // renewed when an issue was looked at and nothing else is changed
	Repro   string    `toml:"repro"`   // says that a program is missing; taken away when there is one
	Never   []Pattern `toml:"never"`   // those that are never proposed
}

// Stale is when an issue that cannot be acted on may be closed as not planned.
type Stale struct {
	Days  float64 `toml:"days"`  // since it was opened
	Quiet float64 `toml:"quiet"` // since anybody said anything
}

// Run is how a program is run.
type Run struct {
	Timeout Duration `toml:"timeout"`
	Times   int      `toml:"times"`
	Memory  Bytes    `toml:"memory"`
	// Interfaces match programs whose processes look for network interfaces to talk to each other.
	Interfaces *Pattern `toml:"interfaces"`
}

// onTopOf returns r with what it leaves unsaid taken from parent.
func (r Run) onTopOf(parent Run) Run {
	return Run{Timeout: or(r.Timeout, parent.Timeout), Times: or(r.Times, parent.Times),
		Memory: or(r.Memory, parent.Memory), Interfaces: or(r.Interfaces, parent.Interfaces)}
}

// Talks reports whether the processes of a program talk to each other.
func (p Profile) Talks(program string) bool {
	return p.Run.Interfaces != nil && p.Run.Interfaces.MatchString(program)
}

// Triage is one reason why a report needs no run, in the file triage.toml.
// The first that holds is taken. It holds if any of its conditions does and
// none of the others.
type Triage struct {
	Name    string      `toml:"name"`
	Any     []rule.Rule `toml:"any"`
	Unless  []rule.Rule `toml:"unless"`
	Verdict string      `toml:"verdict"`
	Reason  string      `toml:"reason"` // one sentence
	Add     []string    `toml:"add"`    // labels to propose
	Remove  []string    `toml:"remove"` // labels to propose to take away
	Stale   string      `toml:"stale"`  // "close": propose to close it when it is old and nobody is at it
	Hands   string      `toml:"hands"`  // "off": nothing at all may be proposed
	Forum   bool        `toml:"forum"`  // it belongs where people ask one another, if the project says where that is
	Words   bool        `toml:"words"`  // it rests on words: a program that stands on its own is run all the same
}

// onTopOf returns t with parent's conditions added and what t leaves unsaid
// taken from parent.
func (t Triage) onTopOf(parent Triage) Triage {
	parent.Any = append(t.Any, parent.Any...)
	parent.Unless = append(t.Unless, parent.Unless...)
	parent.Verdict = or(t.Verdict, parent.Verdict)
	parent.Reason = or(t.Reason, parent.Reason)
	parent.Stale = or(t.Stale, parent.Stale)
	parent.Hands = or(t.Hands, parent.Hands)
	parent.Words, parent.Forum = t.Words || parent.Words, t.Forum || parent.Forum
	parent.Add = append(t.Add, parent.Add...)
	parent.Remove = append(t.Remove, parent.Remove...)
	return parent
}

// A Name is what people mean by a name that their program gives no meaning,
// in the file mends.toml.
type Name struct {
	Match Pattern `toml:"match"`
	Add   string  `toml:"add"` // a line for the top of the program; {name} is the name
}

// A Rewrite mends a program that a newer version cannot run for a reason
// that has nothing to do with the bug, in the file mends.toml.
type Rewrite struct {
	Name   string   `toml:"name"`
	Error  Pattern  `toml:"error"`  // what goes wrong without it
	Output *Pattern `toml:"output"` // instead of an error: what the report shows that it prints
	From   Pattern  `toml:"from"`
	To     string   `toml:"to"`
	Unless *Pattern `toml:"unless"` // what a report says that is about the very thing which this takes away
}

// A Launch starts a program that waits for others of its kind as a launcher of
// several processes does, in the file mends.toml.
type Launch struct {
	Name   string  `toml:"name"`
	Error  Pattern `toml:"error"` // how it fails alone
	With   string  `toml:"with"`  // a Python file of the profile, which is given the program's name
	Script string  `toml:"-"`     // its text
}

// A Seed makes what a module draws at random the same every time, in the
// file mends.toml.
type Seed struct {
	Module string `toml:"module"`
	Call   string `toml:"call"`
}

// An Aspect is something that a program makes use of and that is worth
// knowing before it is tried, in the file aspects.toml.
type Aspect struct {
	Name  string  `toml:"name"`
	Match Pattern `toml:"match"`
}

// Uses are the aspects that a program makes use of.
func (p Profile) Uses(program string) []string {
	var all []string
	for _, a := range p.Aspects {
		if a.Match.MatchString(program) {
			all = append(all, a.Name)
		}
	}
	return all
}

// Lost are the aspects of a program that a smaller one does without.
func (p Profile) Lost(program, smaller string) []string {
	kept := p.Uses(smaller)
	return slices.DeleteFunc(p.Uses(program), func(a string) bool { return slices.Contains(kept, a) })
}

// A Phrase is how people say that a program crashed or hung without a
// traceback to show for it, in the file symptoms.toml.
type Phrase struct {
	Match  Pattern  `toml:"match"`
	Kind   bug.Kind `toml:"kind"`
	Signal string   `toml:"signal"`
}

// A Duration is written as in "120s".
type Duration time.Duration

// MarshalText writes what UnmarshalText reads.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err == nil && v <= 0 {
		err = fmt.Errorf("%q: must be positive", text)
	}
	*d = Duration(v)
	return err
}

// Bytes is a number of them, written as in "4GiB".
type Bytes int64

var units = map[string]int64{"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}

// UnmarshalText reads a size.
func (s *Bytes) UnmarshalText(text []byte) error {
	var n int64
	var unit string
	if _, err := fmt.Sscanf(string(text), "%d%s", &n, &unit); err != nil || units[unit] == 0 || n <= 0 {
		return fmt.Errorf("%q is no size: want a number and B, KiB, MiB or GiB", text)
	}
	*s = Bytes(n * units[unit])
	return nil
}

// A Pattern is a regular expression.
type Pattern struct{ *regexp.Regexp }

// UnmarshalText compiles a pattern.
func (p *Pattern) UnmarshalText(text []byte) (err error) {
	p.Regexp, err = regexp.Compile(string(text))
	return err
}

// onTopOf returns p with what it leaves unsaid taken from parent. Rules of
// one name become one, in the parent's place; the child's others come first.
func (p Profile) onTopOf(parent Profile) Profile {
	p.Title = or(p.Title, parent.Title)
	p.Package, p.Commit = or(p.Package, parent.Package), or(p.Commit, parent.Commit)
	p.Launch = or(p.Launch, parent.Launch)
	p.Run = p.Run.onTopOf(parent.Run)
	p.Has = append(p.Has, parent.Has...)
	p.Called = append(p.Called, parent.Called...)
	p.Drift = append(p.Drift, parent.Drift...)
	if p.Plain.Name == "" {
		p.Plain = parent.Plain
	}
	p.Simpler = append(p.Simpler, parent.Simpler...)
	p.Instead = append(p.Instead, parent.Instead...)
	p.Warm = p.Warm.onTopOf(parent.Warm)
	p.Alive = or(p.Alive, parent.Alive)
	if p.OnGPU == nil {
		p.OnGPU = parent.OnGPU
	}
	p.SameErrors = append(p.SameErrors, parent.SameErrors...)
	p.Needs.Own = append(p.Needs.Own, parent.Needs.Own...)
	p.Needs.Reads = append(p.Needs.Reads, parent.Needs.Reads...)
	p.Needs.Writes = append(p.Needs.Writes, parent.Needs.Writes...)
	p.Modules, p.Shows = both(parent.Modules, p.Modules), both(parent.Shows, p.Shows)
	p.Views, p.Tells = both(parent.Views, p.Views), both(parent.Tells, p.Tells)
	p.Form = append(p.Form, parent.Form...)
	p.Tails = append(p.Tails, parent.Tails...)
	p.Labels.Triaged = or(p.Labels.Triaged, parent.Labels.Triaged)
	p.Labels.Repro = or(p.Labels.Repro, parent.Labels.Repro)
	p.Labels.Never = append(p.Labels.Never, parent.Labels.Never...)
	p.Stale.Days = or(p.Stale.Days, parent.Stale.Days)
	p.Hourly, p.Forum = or(p.Hourly, parent.Hourly), or(p.Forum, parent.Forum)
	p.MostWrong = or(p.MostWrong, parent.MostWrong)
	if p.Consent == nil {
		p.Consent = parent.Consent
	}
	p.Stale.Quiet = or(p.Stale.Quiet, parent.Stale.Quiet)
	p.Triage = merged(p.Triage, parent.Triage)
	p.Sayings = p.Sayings.onTopOf(parent.Sayings)
	p.Aspects = append(p.Aspects, parent.Aspects...)
	p.Names = append(p.Names, parent.Names...)
	p.Rewrites = append(p.Rewrites, parent.Rewrites...)
	p.Seeds = append(p.Seeds, parent.Seeds...)
	p.Symptoms = append(p.Symptoms, parent.Symptoms...)
	p.vetOnTopOf(parent)
	p.Classes = p.Classes.onTopOf(parent.Classes)
	p.Knobs = p.Knobs.onTopOf(parent.Knobs)
	p.Test = p.Test.onTopOf(parent.Test)
	p.Logs = append(p.Logs, parent.Logs...)
	return p
}

// both is what parent knows, and what own knows in the place of it.
func both(parent, own map[string]string) map[string]string {
	all := map[string]string{}
	maps.Copy(all, parent)
	maps.Copy(all, own)
	return all
}

func merged(own, parent []Triage) []Triage {
	parent = slices.Clone(parent)
	var first []Triage
	for _, t := range own {
		at := slices.IndexFunc(parent, func(p Triage) bool { return p.Name == t.Name })
		if at < 0 {
			first = append(first, t)
			continue
		}
		parent[at] = t.onTopOf(parent[at])
	}
	return append(first, parent...)
}

func or[T comparable](a, b T) T {
	var zero T
	if a != zero {
		return a
	}
	return b
}

// AlsoCalled are the other names of an exception.
func (p Project) AlsoCalled(class string) []string {
	for _, names := range p.SameErrors {
		if slices.Contains(names, class) {
			return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == class })
		}
	}
	return nil
}

// Recorded are the packages whose versions belong on record with a verdict on a program that imports some.
func (p Profile) Recorded(imports ...string) []string {
	all := slices.DeleteFunc(append(slices.Clone(imports), p.Package), func(name string) bool { return name == "" })
	slices.Sort(all)
	return slices.Compact(all)
}
