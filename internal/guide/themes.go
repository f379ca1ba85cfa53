package guide

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/cochange"
)

// Themes are what is often said to coding agents, as far as a history can tell whether it is so here. They are about
// the newest fifth of the changes.
type Themes struct {
	Tested    cochange.Count `json:"source_with_tests"`    // changes of source that also change a test
	Files     int            `json:"median_files"`         // of a change
	Layers    int            `json:"rules_over_languages"` // rules from source in one language to another
	Registers int            `json:"rules_of_new_files"`   // rules of what a new file, class or function comes with
	Tests     int            `json:"rules_to_tests"`
}

func themes(newest []cochange.Change, rules []cochange.Rule) Themes {
	var t Themes
	var sizes []int
	for _, c := range newest {
		roles := map[cochange.Role]bool{}
		for _, f := range c {
			roles[cochange.RoleOf(f.Path)] = true
		}
		if len(c) > 0 {
			sizes = append(sizes, len(c))
		}
		if roles[cochange.Source] {
			t.Tested.Of++
			if roles[cochange.Test] {
				t.Tested.Followed++
			}
		}
	}
	slices.Sort(sizes)
	if len(sizes) > 0 {
		t.Files = sizes[len(sizes)/2]
	}
	for _, r := range rules {
		from, to := path.Ext(r.When.Path), path.Ext(r.Then.Path)
		switch {
		case cochange.RoleOf(r.Then.Path) == cochange.Test:
			t.Tests++
		case cochange.RoleOf(r.When.Path) == cochange.Source && cochange.RoleOf(r.Then.Path) == cochange.Source &&
			from != "" && to != "" && from != to:
			t.Layers++
		}
		if r.When.Does != "" {
			t.Registers++
		}
	}
	return t
}

// words say of each theme what the data says, or that they do not.
func (t Themes) words(sessions bool) string {
	var b strings.Builder
	b.WriteString("## What is often said to agents, and what the data says here\n\n| | |\n|---|---|\n")
	row := func(theme, form string, args ...any) {
		fmt.Fprintf(&b, "| %s | %s |\n", theme, fmt.Sprintf(form, args...))
	}
	row("tests go with source", "%d of the newest %d changes of source also change a test; %d rules say where", t.Tested.Followed,
		t.Tested.Of, t.Tests)
	row("small changes", "half of the newest changes have at most %d files; whether smaller ones are better cannot be told", t.Files)
	row("layers in several languages", "%s", some(t.Layers, "rules lead from one language to another"))
	row("registration in several places", "%s", some(t.Registers, "rules are about what something new comes with"))
	row("deletion rather than defence", "not in which files were changed; `scrub guide replay` counts what an agent and people add and remove")
	row("the cause and not the symptom", "cannot be counted, so nothing is said of it")
	row("marks that expect a bug", "whether one can go is seen by running it: `scrub regress`")
	if !sessions {
		row("what agents do wrong here", "no sessions were read, so nothing is said of it")
	}
	return b.String()
}

// some says how many there are, or that there is no support.
func some(n int, what string) string {
	if n == 0 {
		return "the history does not show it: no rule held"
	}
	return fmt.Sprintf("%d %s", n, what)
}
