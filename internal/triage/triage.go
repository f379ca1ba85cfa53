// Package triage decides whether a report can be acted on, and ranks the
// programs worth trying.
package triage

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/rule"
)

// A Finding is why a report needs no run.
type Finding struct {
	Rule    string   `json:"rule"`
	Verdict string   `json:"verdict"`
	Reason  string   `json:"reason"`
	Words   []string `json:"matched,omitempty"` // in the report, that decided it
	Add     []string `json:"add,omitempty"`
	Remove  []string `json:"remove,omitempty"`
	Close   bool     `json:"close,omitempty"`        // it is old and nobody is at it: close as not planned
	Off     bool     `json:"do_not_touch,omitempty"` // nothing may be proposed
	Forum   bool     `json:"forum,omitempty"`        // it belongs where people ask one another
	ByWords bool     `json:"by_words,omitempty"`     // a program that stands on its own is run all the same
}

// Belongs is the forum where a report belongs, if that is elsewhere and it is still open.
func (f Finding) Belongs(p profile.Profile, r bug.Report) string {
	if !f.Forum || r.State != bug.Open {
		return ""
	}
	return p.Forum
}

// Recent is how long a confirmation by somebody holds.
const Recent = 183 * 24 * time.Hour

// facts are the values that triage rules speak of.
func facts(p profile.Profile, r bug.Report, t intake.Thread, ranked []Candidate, now time.Time) rule.Facts {
	var links, code []string
	for _, l := range t.Links {
		links = append(links, string(l.Kind)+" "+l.URL)
	}
	for _, p := range t.Programs {
		code = append(code, p.Text)
	}
	over := standing(t.Talk, p.Says["revived"])
	var pick Candidate
	if len(ranked) > 0 {
		pick = ranked[0]
	}
	all := rule.Facts{
		"title":      rule.Text(r.Title),
		"body":       rule.Text(ends(r.Body)),
		"prose":      rule.Text(ends(t.Prose)),
		"thread":     rule.Text(conditional.ReplaceAllString(ends(strings.Join(t.Talk, "\n")), "")),
		"standing":   rule.List(over),
		"ending":     rule.List(over[max(0, len(over)-3):]),
		"closing":    rule.List(closing(over)),
		"last":       rule.Text(strings.Join(t.Talk[max(0, len(t.Talk)-1):], "\n")),
		"recent":     rule.Text(strings.Join(recent(r, t, now), "\n")),
		"code":       rule.Text(ends(strings.Join(code, "\n"))),
		"output":     rule.Text(ends(t.Output)),
		"system":     rule.Text(t.System),
		"author":     rule.Text(r.Author),
		"state":      rule.Text(string(r.State)),
		"labels":     rule.List(r.Labels),
		"headings":   rule.List(t.Headings),
		"links":      rule.List(links),
		"size":       rule.Text(string(pick.Size)),
		"needs":      rule.List(pick.Needs),
		"lines":      rule.Count(pick.Lines()),
		"programs":   rule.Count(len(t.Programs)),
		"alone":      rule.Count(Alone(t.Programs)),
		"images":     rule.Count(t.Images),
		"gpus":       rule.Count(len(t.GPUs)),
		"tracebacks": rule.Count(len(t.Exceptions)),
		"comments":   rule.Count(len(r.Comments)),
		"assignees":  rule.Count(len(r.Assignees)),
		"days":       rule.Number(days(r.Created, now)),
	}
	for group, forms := range p.Says {
		all[group] = rule.Phrases(forms)
	}
	return all
}

// mostRead is how much of a text rules read, half of it from its end. No
// report that people write is longer; logs that they paste are.
const mostRead = 128 << 10

func ends(s string) string {
	if len(s) <= mostRead {
		return s
	}
	return s[:mostRead/2] + "\n" + s[len(s)-mostRead/2:]
}

func days(since, now time.Time) float64 {
	if since.IsZero() {
		return 0
	}
	return now.Sub(since).Hours() / 24
}

// conditional is what somebody says of what may be: "reopen it if it still fails".
var conditional = regexp.MustCompile(`(?i)(\b(please |feel free to )+re-?open( it| this)? )?\b(if|unless|in case|whether)\b[^.!?\n]*`)

// standing are the comments that were made after the last one which says
// that it is not over.
func standing(talk []string, revives []profile.Saying) []string {
	talk = slices.Clone(talk)
	for i, said := range slices.Backward(talk) {
		talk[i] = conditional.ReplaceAllString(said, "")
		said = talk[i]
		if slices.ContainsFunc(revives, func(s profile.Saying) bool { return s.MatchString(said) }) {
			return talk[i+1:]
		}
	}
	return talk
}

// closing are the short ones among the last of the comments: who settles a
// matter needs few words for it.
func closing(talk []string) []string {
	last := slices.Clone(talk[max(0, len(talk)-3):])
	return slices.DeleteFunc(last, func(said string) bool { return len(said) > 400 })
}

// Alone counts the programs that stand on their own.
func Alone(programs []intake.Program) int {
	n := 0
	for _, p := range programs {
		n += boolean(standsAlone(p))
	}
	return n
}

// recent is what was said not long ago.
func recent(r bug.Report, t intake.Thread, now time.Time) []string {
	var all []string
	for i, c := range r.Comments {
		if !c.Created.IsZero() && now.Sub(c.Created) < Recent {
			all = append(all, t.Talk[i])
		}
	}
	return all
}

// Stop returns the first rule of p that holds of a report: why it needs no
// run. Rules that a person has set aside are not asked.
func Stop(p profile.Profile, r bug.Report, t intake.Thread, ranked []Candidate, now time.Time,
	aside ...string) (*Finding, error) {
	about := facts(p, r, t, ranked, now)
	for _, k := range p.Triage {
		if slices.Contains(aside, k.Name) {
			continue
		}
		yes, words, err := holds(k, about)
		if err != nil {
			return nil, fmt.Errorf("triage rule %s: %w", k.Name, err)
		}
		if !yes {
			continue
		}
		f := &Finding{Rule: k.Name, Verdict: k.Verdict, Reason: k.Reason, Words: words, Off: k.Hands == "off", Forum: k.Forum,
			ByWords: k.Words}
		f.Add = slices.DeleteFunc(slices.Clone(k.Add),
			func(l string) bool { return slices.Contains(r.Labels, l) || p.Labels.Forbids(l) })
		f.Remove = slices.DeleteFunc(slices.Clone(k.Remove),
			func(l string) bool { return !slices.Contains(r.Labels, l) })
		f.Close = k.Stale == "close" && Stale(p, r, now)
		return f, nil
	}
	return nil, nil
}

// holds asks the conditions of one rule, and returns the words that decided it.
func holds(k profile.Triage, about rule.Facts) (bool, []string, error) {
	for _, c := range k.Any {
		yes, words, err := c.Holds(about)
		if err != nil {
			return false, nil, err
		}
		if !yes {
			continue
		}
		for _, u := range k.Unless {
			if no, _, err := u.Holds(about); no || err != nil {
				return false, nil, err
			}
		}
		return true, words, nil
	}
	return false, nil, nil
}

// Stale reports whether r is old, nobody is at it and nobody has said
// anything for long.
func Stale(p profile.Profile, r bug.Report, now time.Time) bool {
	last := r.Created
	for _, c := range r.Comments {
		if c.Created.After(last) {
			last = c.Created
		}
	}
	return p.Stale.Days > 0 && len(r.Assignees) == 0 && days(r.Created, now) > p.Stale.Days &&
		days(last, now) > p.Stale.Quiet
}

// Check reports what is wrong with the rules of a profile: values that do
// not exist, and comparisons of things that cannot be compared.
func Check(p profile.Profile, verdicts []string) error {
	known := facts(p, bug.Report{}, intake.Thread{}, nil, time.Time{})
	for _, k := range p.Triage {
		for _, c := range slices.Concat(k.Any, k.Unless) {
			for _, name := range c.Names() {
				if _, ok := known[name]; !ok {
					return fmt.Errorf("triage rule %s: unknown name %s", k.Name, name)
				}
			}
			if _, _, err := c.Holds(known); err != nil {
				return fmt.Errorf("triage rule %s: %w", k.Name, err)
			}
		}
		switch {
		case len(k.Any) == 0:
			return fmt.Errorf("triage rule %s: it has no condition", k.Name)
		case !slices.Contains(verdicts, k.Verdict):
			return fmt.Errorf("triage rule %s: %q is no verdict: want one of %s", k.Name, k.Verdict,
				strings.Join(verdicts, ", "))
		case k.Hands != "" && k.Hands != "off":
			return fmt.Errorf(`triage rule %s: hands can only be "off"`, k.Name)
		case k.Stale != "" && k.Stale != "close":
			return fmt.Errorf(`triage rule %s: stale can only be "close"`, k.Name)
		}
	}
	return nil
}
