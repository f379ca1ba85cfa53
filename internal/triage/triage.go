// Package triage decides whether a report can be acted on, and ranks the
// programs worth trying.
package triage

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"scrub/internal/bug"
	"scrub/internal/intake"
	"scrub/internal/profile"
	"scrub/internal/rule"
)

// A Finding is why a report needs no run.
type Finding struct {
	Rule    string   `json:"rule"`
	Verdict string   `json:"verdict"`
	Reason  string   `json:"reason"`
	Words   []string `json:"words,omitempty"` // in the report, that decided it
	Add     []string `json:"add,omitempty"`
	Remove  []string `json:"remove,omitempty"`
	Off     bool     `json:"hands_off,omitempty"` // nothing may be proposed
}

// facts are the values that triage rules speak of.
func facts(r bug.Report, t intake.Thread, now time.Time) rule.Facts {
	days := 0.0
	if !r.Created.IsZero() {
		days = now.Sub(r.Created).Hours() / 24
	}
	return rule.Facts{
		"title":      rule.Text(r.Title),
		"body":       rule.Text(r.Body),
		"prose":      rule.Text(t.Prose),
		"thread":     rule.Text(t.Talk),
		"author":     rule.Text(r.Author),
		"state":      rule.Text(string(r.State)),
		"labels":     rule.List(r.Labels),
		"headings":   rule.List(t.Headings),
		"programs":   rule.Count(len(t.Programs)),
		"images":     rule.Count(t.Images),
		"tracebacks": rule.Count(len(t.Exceptions)),
		"comments":   rule.Count(len(r.Comments)),
		"assignees":  rule.Count(len(r.Assignees)),
		"days":       rule.Number(days),
	}
}

// Stop returns the first of rules that holds of a report: why it needs no run.
func Stop(rules []profile.Triage, r bug.Report, t intake.Thread, now time.Time) (*Finding, error) {
	about := facts(r, t, now)
	for _, k := range rules {
		yes, words, err := k.When.Holds(about)
		if err != nil {
			return nil, fmt.Errorf("triage rule %s: %w", k.Name, err)
		}
		if !yes {
			continue
		}
		f := &Finding{Rule: k.Name, Verdict: k.Verdict, Reason: k.Reason, Words: words, Off: k.Hands == "off"}
		f.Add = slices.DeleteFunc(slices.Clone(k.Add), func(l string) bool { return slices.Contains(r.Labels, l) })
		f.Remove = slices.DeleteFunc(slices.Clone(k.Remove), func(l string) bool { return !slices.Contains(r.Labels, l) })
		return f, nil
	}
	return nil, nil
}

// Check reports what is wrong with the rules of a profile: values that do
// not exist, and comparisons of things that cannot be compared.
func Check(rules []profile.Triage, verdicts []string) error {
	known := facts(bug.Report{}, intake.Thread{}, time.Time{})
	for _, k := range rules {
		for _, name := range k.When.Names() {
			if _, ok := known[name]; !ok {
				return fmt.Errorf("triage rule %s: nothing is known by the name %s", k.Name, name)
			}
		}
		if _, _, err := k.When.Holds(known); err != nil {
			return fmt.Errorf("triage rule %s: %w", k.Name, err)
		}
		if !slices.Contains(verdicts, k.Verdict) {
			return fmt.Errorf("triage rule %s: %q is no verdict: want one of %s", k.Name, k.Verdict, strings.Join(verdicts, ", "))
		}
		if k.Hands != "" && k.Hands != "off" {
			return fmt.Errorf(`triage rule %s: hands can only be "off"`, k.Name)
		}
	}
	return nil
}
