package guide

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/guide/checkout"
)

// What stands around the section of a guide.
const (
	begin = "<!-- scrub guide: begin. Made by `scrub guide`; changes here are lost. -->"
	end   = "<!-- scrub guide: end -->"
)

// about is a part as what a change is about.
func about(p cochange.Part) string {
	switch {
	case p.Does == cochange.NoFunction:
		return "taking a public function out of `" + p.Path + "`"
	case p.Does == cochange.NewFunction:
		return "a new public function in `" + p.Path + "`"
	case p.Does != "":
		return "a " + string(p.Does) + " in `" + p.Path + "`"
	case p.Folder():
		return "changes in `" + p.Path + "`"
	}
	return "changes to `" + p.Path + "`"
}

// upper begins a sentence.
func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// usually is the verb for what a change is about.
func usually(p cochange.Part) string {
	if p.Does != "" {
		return "usually comes with"
	}
	return "usually come with"
}

// Sentence says a rule.
func Sentence(r cochange.Rule) string {
	return fmt.Sprintf("%s %s %s (%d of the %d newest).", upper(about(r.When)), usually(r.When), about(r.Then),
		r.Newest.Followed, r.Newest.Of)
}

// A said is a sentence about what is done in some folder.
type said struct{ text, folder string }

// sentences say rules, those with the same consequence in one.
func sentences(lines []Line) []said {
	by := map[cochange.Part][]cochange.Rule{}
	for _, l := range lines {
		by[l.Rule.Then] = append(by[l.Rule.Then], *l.Rule)
	}
	var all []said
	for _, l := range lines {
		same := by[l.Rule.Then]
		switch {
		case len(same) < 3 || l.By != "":
			folder := l.Rule.When.Path
			if !l.Rule.When.Folder() {
				folder = path.Dir(folder) + "/"
			}
			all = append(all, said{"- " + l.Say, folder})
		case same[0] == *l.Rule:
			var parts []string
			for _, r := range same {
				name := "`" + r.When.Path + "`"
				if r.When.Does != "" {
					name = about(r.When)
				}
				parts = append(parts, fmt.Sprintf("%s (%d of %d)", name, r.Newest.Followed, r.Newest.Of))
			}
			all = append(all, said{fmt.Sprintf("- Changes to these usually come with %s: %s.", about(l.Rule.Then),
				strings.Join(parts, ", ")), ""})
		}
	}
	return all
}

// mostLines is how long the section may be: what is read every time must be short.
const mostLines = 40

// A Nested is the section for the AGENTS.md of a folder, which is read by who works there.
type Nested struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// section is what goes into AGENTS.md, and what there is no room for there and goes into those of folders.
func (g Guide) section(texts map[string]string) (string, []Nested) {
	var lines []string
	add := func(title string, some []string) {
		if len(some) > 0 {
			lines = append(append(lines, "", "### "+title, ""), some...)
		}
	}
	var commands, skills []string
	for _, c := range g.Commands {
		if c.Wanted() && !c.SaidIn(texts) {
			commands = append(commands, fmt.Sprintf("- `%s` (from `%s`)", c.Run, c.From))
		}
	}
	for _, s := range g.Skills {
		skills = append(skills, fmt.Sprintf("- %s: see the skill `%s`.", upper(about(s.When)), s.Name))
	}
	add("Ask first", g.Sessions.Asks())
	add("Where things are", g.Sessions.Places())
	add("What the linter stops", g.Sessions.Stops())
	add("Commands", commands)
	add("Kinds of change that have a recipe", skills)
	head := []string{begin, "## Project conventions, from its history", "", g.counted()}
	const title = 3 // with the empty lines around it
	room := max(0, mostLines-len(head)-1-len(lines)-title)
	rules, rest := sentences(g.Lines), []said(nil) // the surest first
	if len(rules) > room {
		rules, rest = rules[:room], rules[room:]
	}
	var some []string
	for _, s := range rules {
		some = append(some, s.text)
	}
	add("What goes together", some)
	if len(lines) == 0 {
		return "", nil
	}
	lines = lines[:min(len(lines), mostLines-len(head)-1)]
	for lines[len(lines)-1] == "" || strings.HasPrefix(lines[len(lines)-1], "###") {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(append(append(head, lines...), end), "\n") + "\n", g.nested(rest)
}

func (g Guide) counted() string {
	return fmt.Sprintf("Counted over the newest %d of %d changes, which took no part in choosing the rules.",
		g.Newest, g.Changes)
}

// leastNested is how many rules a folder must have for a file of its own.
const leastNested = 2

// nested are the sections of folders: of each, what is about it or what is in it.
func (g Guide) nested(rest []said) []Nested {
	by := map[string][]string{}
	for _, s := range rest {
		if s.folder != "" && s.folder != "./" {
			by[s.folder] = append(by[s.folder], s.text)
		}
	}
	var all []Nested
	for _, folder := range slices.Sorted(maps.Keys(by)) {
		if lines := by[folder]; len(lines) >= leastNested {
			text := []string{begin, "## Project conventions, from its history", "", g.counted(), ""}
			text = append(append(text, lines[:min(len(lines), mostLines-len(text)-1)]...), end)
			all = append(all, Nested{folder + "AGENTS.md", strings.Join(text, "\n") + "\n"})
		}
	}
	return all
}

var notInName = regexp.MustCompile(`[^a-z0-9]+`)

// skills are the changes with three companions or more, of two roles at least, and how often the steps of all
// that older history chose were followed: also of those that the newest changes do not bear out, which are
// left out.
func skills(project string, rules []cochange.Rule) (all []Skill, right cochange.Count) {
	by := map[cochange.Part][]cochange.Rule{}
	var order []cochange.Part
	for _, r := range rules {
		// Only what older history is sure of, and what the newest has seen at all.
		if r.Newest.Of > 0 {
			if by[r.When] == nil {
				order = append(order, r.When)
			}
			by[r.When] = append(by[r.When], r)
		}
	}
	all = []Skill{}
	for _, when := range order {
		steps := by[when]
		roles := map[cochange.Role]bool{}
		holds := true
		for _, r := range steps {
			roles[cochange.RoleOf(r.Then.Path)] = true
			holds = holds && r.Newest.Share() >= 0.5
		}
		if len(steps) < 3 || len(roles) < 2 {
			continue
		}
		for _, r := range steps {
			right = right.Plus(r.Newest)
		}
		if !holds {
			continue
		}
		base := notInName.ReplaceAllString(strings.ToLower(project+"-"+strings.Trim(when.Path, "/")), "-")
		s := Skill{Name: strings.Trim(base[:min(len(base), 60)], "-"), When: when, Steps: steps}
		s.Text = s.markdown()
		all = append(all, s)
	}
	return all, right
}

func (s Skill) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\nname: %s\ndescription: Use for %s. Lists what such changes have in common.\n---\n\n",
		s.Name, about(s.When))
	fmt.Fprintf(&b, "# What goes with %s\n\nCounted over the %d newest such changes, which took no part in choosing the steps.\n\n",
		about(s.When), s.Steps[0].Newest.Of)
	for i, r := range s.Steps {
		fmt.Fprintf(&b, "%d. %s: %d of %d.\n", i+1, upper(about(r.Then)), r.Newest.Followed, r.Newest.Of)
	}
	b.WriteString("\nBefore you are done: each of these is done, or you can say why not.\n")
	return b.String()
}

// Insert puts a section into a text, in the place of the one that is there. One that does not end is left as it is.
func Insert(text, section string) string {
	before, rest, ok := strings.Cut(text, begin)
	_, after, ends := strings.Cut(rest, end)
	if !ok || !ends {
		if text != "" {
			text = strings.TrimRight(text, "\n") + "\n\n"
		}
		return text + section
	}
	return before + strings.TrimSuffix(section, "\n") + after
}

// Files are those of the newest commit that the guide changes, as they shall be.
func (g Guide) Files(ctx context.Context, r Request) (map[string]string, error) {
	p, err := checkout.Open(ctx, r.Dir, r.Work)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	var links error
	put := func(name, text string) {
		if link, err := p.IsLink(ctx, g.Commit, name); link || err != nil {
			links = errors.Join(links, err, fmt.Errorf("%s is a link: its file must be changed by hand", name))
			return
		}
		old, err := p.TextAt(ctx, g.Commit, name)
		if text != "" && (err != nil || Insert(old, text) != old) {
			all[name] = Insert(old, text)
		}
	}
	put("AGENTS.md", g.Agents)
	for _, n := range g.Nested {
		put(n.Path, n.Text)
	}
	for _, s := range g.Skills {
		name := ".claude/skills/" + s.Name + "/SKILL.md"
		if old, err := p.TextAt(ctx, g.Commit, name); err != nil || old != s.Text {
			all[name] = s.Text
		}
	}
	return all, errors.Join(links, ctx.Err())
}

// Words say to a person what a pull request with the guide is.
func (g Guide) Words() string {
	return "What goes together in this project, counted on its own merged changes.\n\n" + g.Figures() +
		"\nEvery count is from changes that took no part in choosing the rule."
}

// Figures says in a few lines what the guide rests on.
func (g Guide) Figures() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d changes, the newest %d to try the rules on.", g.Changes, g.Newest)
	for _, l := range g.Measured {
		if l.Right.Of > 0 {
			fmt.Fprintf(&b, " Rules that older history speaks for with %.1f and more were followed %d of %d times (%.0f %%).", l.Bound,
				l.Right.Followed, l.Right.Of, 100*l.Right.Share())
		}
	}
	if g.Steps.Of > 0 {
		fmt.Fprintf(&b, " Steps of skills: %d of %d.", g.Steps.Followed, g.Steps.Of)
	}
	fmt.Fprintf(&b, " %d rules, %d left out, %d skills, %d commands.\n", len(g.Lines), len(g.Left), len(g.Skills),
		len(g.Commands))
	return b.String()
}

// Report is the guide as a page, with what was left out and why.
func (g Guide) Report() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# What history says about %s\n\nCommit %.12s, changes from %s to %s.\n\n%s\n", g.Project, g.Commit,
		g.From.Format("2006-01-02"), g.To.Format("2006-01-02"), g.Figures())
	table := func(title string, lines []Line) {
		if len(lines) == 0 {
			return
		}
		fmt.Fprintf(&b, "## %s\n\n| when | then | oldest, found | next, chosen | newest | |\n|---|---|---|---|---|---|\n", title)
		for _, l := range lines {
			r := l.Rule
			fmt.Fprintf(&b, "| %s | %s | %d of %d | %d of %d | **%d of %d** | %s |\n", about(r.When), about(r.Then),
				r.Mined.Followed, r.Mined.Of, r.Chosen.Followed, r.Chosen.Of, r.Newest.Followed, r.Newest.Of, l.Why)
		}
		b.WriteString("\n")
	}
	table("Rules", g.Lines)
	table("Left out", g.Left)
	for _, s := range g.Skills {
		fmt.Fprintf(&b, "## Skill `%s`\n\n", s.Name)
		for i, r := range s.Steps {
			fmt.Fprintf(&b, "%d. %s: %d of %d\n", i+1, about(r.Then), r.Newest.Followed, r.Newest.Of)
		}
		b.WriteString("\n")
	}
	b.WriteString("## Sessions of agents\n\n" + g.Sessions.Words() + "\n" + g.Sessions.Tables() + g.LedTo.Words())
	if len(g.Effects) > 0 {
		b.WriteString("### Did a written rule change anything?\n\nCounted before it was written and since; that they go together proves " +
			"nothing.\n\n| rule | written | counted | before | since |\n|---|---|---|---|---|\n")
		for _, e := range g.Effects {
			b.WriteString(e.Words())
		}
		b.WriteString("\n")
	}
	b.WriteString(g.Themes.words(g.Sessions != nil))
	return b.String()
}
