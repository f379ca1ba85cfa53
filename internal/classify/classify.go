// Package classify names the kind of a failure and the part of the project
// that it is in, by what was printed. What there is to recognize is data of
// the profile.
package classify

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/rule"
)

// A Class is what a failure is.
type Class struct {
	Category  string   `json:"category"`            // empty if nothing is known of it
	Rule      string   `json:"rule,omitempty"`      // that said so
	Means     string   `json:"meaning,omitempty"`   // in one sentence
	Setup     bool     `json:"setup,omitempty"`     // this machine lacks something, and nothing can be said of the bug
	Component string   `json:"component,omitempty"` // whose code it is in
	Phase     string   `json:"phase,omitempty"`     // when it happens
	Mode      string   `json:"mode,omitempty"`      // in which mode of the project
	Next      []string `json:"next,omitempty"`      // what to do next
	Files     []string `json:"files,omitempty"`     // where to look in the project
	Labels    []string `json:"labels,omitempty"`
	Seen      []string `json:"seen_labels,omitempty"` // those that hold as soon as a run showed it
	Evidence  string   `json:"evidence,omitempty"`    // the line that says what happened
}

// Unknown reports whether nothing was recognized.
func (c Class) Unknown() bool { return c.Category == "" }

// Telling reports whether the kind says more than that something went wrong.
func (c Class) Telling() bool { return c.Category != "" && c.Category != "error" }

// Outcome classifies how a program ended.
func Outcome(p profile.Profile, o bug.Outcome) (Class, error) {
	log := o.Stderr
	if _, failed := o.Exception(); !failed {
		log = o.Stdout + "\n" + o.Stderr
	}
	signal, _ := o.Crash()
	l := read(log)
	l.signal, l.limit = signal, o.Limit
	if o.End == bug.TimedOut {
		l.limit = "time"
	}
	return decide(p, l)
}

// Log classifies what somebody pasted.
func Log(p profile.Profile, text string) (Class, error) { return decide(p, read(text)) }

// loose is an exception in a line of its own, as people quote it.
var loose = regexp.MustCompile(`(?m)^[\s#>*` + "`" +
	`]*((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Failed|Unsupported|Exit|Interrupt|Warning|Exceeded|Hit|SymNode|OutOfResources)):[ \t]*(.*(?:\n[^\n]*\S[^\n]*){0,8})`)

// terminal are the colours and moves of a terminal in a log.
var terminal = regexp.MustCompile(`\x1b?\[[0-9;]*m|\r`)

// A log is what was printed, taken apart.
type log struct {
	text          string
	all           []bug.Exception // the last one reached the top
	signal, limit string
}

func read(text string) log {
	l := log{text: terminal.ReplaceAllString(text, "")}
	l.all = bug.Exceptions(l.text)
	if len(l.all) > 0 {
		return l
	}
	for _, m := range loose.FindAllStringSubmatch(l.text, -1) {
		l.all = append(l.all, bug.Exception{Class: m[1], Message: strings.TrimSpace(m[2])})
	}
	return l
}

func (l log) last() bug.Exception {
	if len(l.all) == 0 {
		return bug.Exception{}
	}
	return l.all[len(l.all)-1]
}

// facts are what rules speak of.
func (l log) facts() rule.Facts {
	var classes, frames []string
	for _, e := range l.all {
		classes = append(classes, e.Name())
		for _, f := range e.Frames {
			frames = append(frames, f.File+" "+f.Func+" "+f.Code)
		}
	}
	last, raised := l.last(), ""
	if n := len(last.Frames); n > 0 {
		raised = last.Frames[n-1].File + " " + last.Frames[n-1].Func
	}
	return rule.Facts{
		"class": rule.Text(last.Name()), "message": rule.Text(last.Message), "classes": rule.List(classes),
		"frames": rule.List(frames), "raised": rule.Text(raised), "at": rule.Text(last.At()),
		"signal": rule.Text(l.signal), "limit": rule.Text(l.limit), "text": rule.Text(l.text),
	}
}

// decide asks the rules of p in their order.
func decide(p profile.Profile, l log) (Class, error) {
	var c Class
	f := l.facts()
	kind, words, err := first(p.Classes.Category, f)
	if err != nil || kind == nil {
		return c, err
	}
	c.Category, c.Rule, c.Means, c.Setup = kind.Category, kind.Name, kind.Means, kind.Setup
	c.Evidence = l.evidence(words)
	if kind.Seen {
		c.Seen = slices.DeleteFunc(unique(kind.Labels), p.Labels.Forbids)
	}
	whole := []*profile.Class{kind}
	part := named(p.Classes.Component, kind.Component)
	if part == nil {
		if part, _, err = first(p.Classes.Component, f); err != nil {
			return c, err
		}
	}
	if part != nil {
		c.Component = part.Name
		whole = append(whole, part)
	}
	for _, w := range whole {
		c.Next = append(c.Next, w.Next...)
		c.Files = append(c.Files, w.Files...)
		c.Labels = append(c.Labels, w.Labels...)
	}
	c.Labels = slices.DeleteFunc(unique(c.Labels), p.Labels.Forbids)
	c.Files = unique(c.Files)
	for _, s := range []struct {
		from []profile.Class
		to   *string
	}{{p.Classes.Phase, &c.Phase}, {p.Classes.Mode, &c.Mode}} {
		k, _, err := first(s.from, f)
		if err != nil {
			return c, err
		}
		if k != nil {
			*s.to = k.Name
		}
	}
	return c, nil
}

// Uses is the part of the project that a program makes use of, where what it printed does not tell.
func Uses(p profile.Profile, program string) (profile.Class, bool, error) {
	k, _, err := first(p.Classes.Component, log{text: program}.facts())
	if err != nil || k == nil {
		return profile.Class{}, false, err
	}
	return *k, true, nil
}

// Component is what the profile says of a part of the project by its name.
func Component(p profile.Profile, name string) (profile.Class, bool) {
	k := named(p.Classes.Component, name)
	if k == nil {
		return profile.Class{}, false
	}
	return *k, true
}

func first(all []profile.Class, f rule.Facts) (*profile.Class, []string, error) {
	for i := range all {
		yes, words, err := all[i].When.Holds(f)
		if err != nil {
			return nil, nil, fmt.Errorf("class %s: %w", all[i].Name, err)
		}
		if yes {
			return &all[i], words, nil
		}
	}
	return nil, nil, nil
}

// named is what is called so. Of several it is the last: those before it say more of a case of it than its name does.
func named(all []profile.Class, name string) *profile.Class {
	for i := range slices.Backward(all) {
		if all[i].Name == name && name != "" {
			return &all[i]
		}
	}
	return nil
}

// evidence is the line of the log that a reader should look at first: what
// was raised, or the line that decided.
func (l log) evidence(words []string) string {
	if e := l.last(); e.Class != "" {
		return bug.Short(bug.Squeeze(e.Name()+": "+strings.ReplaceAll(e.Message, "\n", " ")), 160)
	}
	for _, w := range words {
		for line := range strings.Lines(l.text) {
			if strings.Contains(line, strings.TrimSpace(w)) {
				return bug.Short(bug.Squeeze(line), 160)
			}
		}
	}
	return l.signal
}

func unique(all []string) []string {
	var once []string
	for _, s := range all {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	return once
}

// Check reports what is wrong with the rules of p that shows only when they
// are asked.
func Check(p profile.Profile) error {
	f := read("").facts()
	for _, list := range [][]profile.Class{p.Classes.Category, p.Classes.Component, p.Classes.Phase, p.Classes.Mode} {
		for _, k := range list {
			if _, _, err := k.When.Holds(f); err != nil {
				return fmt.Errorf("class %s: %w", k.Name, err)
			}
			if k.Component != "" && named(p.Classes.Component, k.Component) == nil {
				return fmt.Errorf("class %s: there is no component %s", k.Name, k.Component)
			}
		}
	}
	return nil
}
