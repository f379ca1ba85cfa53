// Package guide finds out what somebody who works on a project for the first time should know, as a coding
// agent does each time: what goes together, and which commands there are. All it says is counted, was tried
// on history that it was not made from, and can be checked again.
package guide

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/guide/checkout"
	"github.com/scrub-dev/scrub/internal/guide/watched"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/llm"
)

// Request asks for a guide.
type Request struct {
	Dir  string // the clone
	Work string // where what is needed to read it is kept
	Most int    // changes to look at, the newest; 0 for 4,000
	// Sessions are files and folders with sessions of agents, besides those that the clone itself keeps.
	Sessions []string
	Found    []string    // the same, of which only those of this clone are read
	Log      journal.Log // what was found out before
	Model    llm.Model   // finds words for rules; nil for fixed sentences
}

// A Guide is what was found out.
type Guide struct {
	Schema   string    `json:"schema"`
	Project  string    `json:"project"`
	Commit   string    `json:"commit"`
	Changes  int       `json:"changes"` // that were looked at
	From     time.Time `json:"from"`
	To       time.Time `json:"to"`
	Newest   int       `json:"newest_changes"` // of these, which nothing was chosen by
	Measured []Level   `json:"measured"`
	Lines    []Line    `json:"lines"`
	Left     []Line    `json:"left_out"` // with the reason
	Skills   []Skill   `json:"skills"`
	// how often the steps of skills were followed in the newest changes, those of skills that were then left out included
	Steps    cochange.Count     `json:"skill_steps"`
	Commands []checkout.Command `json:"commands"`
	Sessions *watched.Sessions  `json:"sessions,omitempty"`
	LedTo    *watched.LedTo     `json:"led_to,omitempty"`
	Effects  []watched.Effect   `json:"effects"`
	Agents   string             `json:"agents_md"` // the section for AGENTS.md
	Themes   Themes             `json:"themes"`
	Nested   []Nested           `json:"nested,omitempty"` // those for AGENTS.md of folders
	// rules for which a model found no words that could be used
	Unworded int `json:"not_worded,omitempty"`
}

// A Level is how often rules were followed in the newest changes whose older history speaks for at least a share.
type Level struct {
	Bound float64        `json:"bound"`
	Right cochange.Count `json:"right"`
}

// A Line is one thing to know.
type Line struct {
	Say  string         `json:"say"`
	Rule *cochange.Rule `json:"rule,omitempty"`
	Why  string         `json:"why,omitempty"`       // it is left out
	By   string         `json:"worded_by,omitempty"` // the model whose words these are
}

// A Skill is what goes with one kind of change.
type Skill struct {
	Name  string          `json:"name"`
	When  cochange.Part   `json:"when"`
	Steps []cochange.Rule `json:"steps"`
	Text  string          `json:"text"` // SKILL.md
}

// A Mined is what the history of a project says.
type Mined struct {
	Commit   string
	Changes  int
	From, To time.Time
	Newest   int
	Measured []Level
	Rules    []cochange.Rule
	Themes   Themes
}

// mine finds the rules. It is done once for each commit.
func mine(ctx context.Context, p checkout.Checkout, r Request) (Mined, error) {
	head, err := p.Resolve(ctx, "HEAD")
	if err != nil {
		return Mined{}, err
	}
	type question struct {
		Commit string
		Most   int
	}
	return journal.Do(ctx, r.Log, "guide-rules/2", question{head, cmp.Or(r.Most, checkout.Window)},
		func(ctx context.Context, q question) (Mined, error) {
			all, mined, err := p.Recent(ctx, q.Most)
			if err != nil {
				return Mined{}, err
			}
			cut := cochange.Slice(mined)
			m := Mined{Commit: head, Changes: len(all), Newest: len(cut.Confirm), Rules: cut.Rules(p.Speaks)}
			if len(all) > 0 {
				m.From, m.To = all[0].When, all[len(all)-1].When
			}
			m.Themes = themes(mined[len(mined)-len(mined)/5:], m.Rules)
			for _, bound := range []float64{0.6, 0.7, 0.8} {
				m.Measured = append(m.Measured, Level{bound, cut.Right(m.Rules, bound)})
			}
			return m, nil
		})
}

// Make makes the guide of a project.
func Make(ctx context.Context, r Request) (Guide, error) {
	p, err := checkout.Open(ctx, r.Dir, r.Work)
	if err != nil {
		return Guide{}, err
	}
	m, err := mine(ctx, p, r)
	if err != nil {
		return Guide{}, err
	}
	g := Guide{Schema: "guide/1", Project: p.Name, Commit: m.Commit, Changes: m.Changes, From: m.From, To: m.To,
		Newest: m.Newest, Measured: m.Measured, Themes: m.Themes, Lines: []Line{}, Left: []Line{}, Skills: []Skill{}}
	said, err := says(ctx, p)
	if err != nil {
		return g, err
	}
	if g.Commands, err = p.Commands(ctx); err != nil {
		return g, err
	}
	seen, err := watched.Clone{Checkout: p}.Watch(ctx, watched.Asked{Sessions: r.Sessions, Found: r.Found,
		Log: r.Log}, m.Commit)
	if err != nil {
		return g, err
	}
	g.Sessions, g.LedTo, g.Effects = seen.Sessions, seen.LedTo, seen.Effects
	g.Skills, g.Steps = skills(p.Name, m.Rules)
	g.sort(m.Rules, said)
	if r.Model != nil {
		if err := g.word(ctx, r.Model, r.Log); err != nil {
			return g, err
		}
	}
	g.Agents, g.Nested = g.section(said)
	return g, nil
}

// sort parts the rules that are worth a line from the others.
func (g *Guide) sort(rules []cochange.Rule, said map[string]string) {
	for _, r := range rules {
		line := Line{Say: Sentence(r), Rule: &r}
		switch {
		case r.Newest.Of < 3:
			line.Why = "it hardly came up among the newest changes"
		case r.Newest.Share() < 0.5:
			line.Why = "the newest changes do not follow it"
		case inSkill(g.Skills, r):
			line.Why = "a skill says it"
		case already(said, r) != "":
			line.Why = already(said, r) + " says it"
		}
		if line.Why != "" {
			g.Left = append(g.Left, line)
		} else {
			g.Lines = append(g.Lines, line)
		}
	}
}

func inSkill(all []Skill, r cochange.Rule) bool {
	return slices.ContainsFunc(all, func(s Skill) bool { return s.When == r.When })
}

// readers are the files that somebody new is told to read.
var readers = []string{"AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md", "CONTRIBUTING.rst", "README.md", "README.rst"}

// says is what these files say, without what a guide has put there.
func says(ctx context.Context, p checkout.Checkout) (map[string]string, error) {
	all := map[string]string{}
	for _, f := range p.Files {
		if !slices.Contains(readers, path.Base(f)) {
			continue
		}
		text, err := p.Text(ctx, f)
		if err != nil {
			return nil, err
		}
		before, rest, ok := strings.Cut(text, begin)
		if ok {
			_, after, _ := strings.Cut(rest, end)
			text = before + after
		}
		all[f] = text
	}
	return all, nil
}

// already is the file that names both sides of a rule in one paragraph, or nothing.
func already(said map[string]string, r cochange.Rule) string {
	var names []string
	for name := range said {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for paragraph := range strings.SplitSeq(said[name], "\n\n") {
			if strings.Contains(paragraph, strings.TrimSuffix(r.When.Path, "/")) &&
				strings.Contains(paragraph, strings.TrimSuffix(r.Then.Path, "/")) {
				return name
			}
		}
	}
	return ""
}
