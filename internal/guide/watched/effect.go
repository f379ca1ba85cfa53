package watched

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/guide/checkout"
	"github.com/scrub-dev/scrub/internal/session"
)

// An Effect is how often sessions did what a file for agents says, before it said so and since. That they go
// together does not prove that one made the other.
type Effect struct {
	Rule   string         `json:"rule"` // a command, or a call that tests should make
	File   string         `json:"file"`
	Since  time.Time      `json:"since"`
	Of     string         `json:"of"` // what is counted
	Before cochange.Count `json:"before"`
	After  cochange.Count `json:"after"`
	unless []string       // calls that excuse from it
}

var (
	heading  = regexp.MustCompile(`^#+ `)
	excusing = regexp.MustCompile(`(?i)\b(unless|except|exceptions?|exempt|cannot)\b`)
	callLike = regexp.MustCompile(`^[A-Za-z_][\w.]*\(\)$`)
	testWord = regexp.MustCompile(`(?i)\btests?\b`)
	function = regexp.MustCompile(`(?m)^[ \t]*(?:async )?(?:func|def)\s+(?:\([^)\n]*\)\s*)?(\w+)`)
)

// effects are those of all commands and calls that the files for agents name, as far as sessions can show them.
func (p Clone) effects(ctx context.Context, sessions []session.Session) ([]Effect, error) {
	all := []Effect{}
	if len(sessions) == 0 {
		return all, nil
	}
	for _, file := range p.Files {
		if !checkout.ForAgents.MatchString(file) || strings.Contains(file, "/") {
			continue // what a folder says holds there alone
		}
		text, err := p.Text(ctx, file)
		if err != nil {
			return nil, err
		}
		for _, e := range written(file, text) {
			if e.Since, err = p.Since(ctx, file, e.Rule); err != nil {
				return nil, err
			}
			// What several files say holds since the first of them did.
			same := slices.IndexFunc(all, func(o Effect) bool { return o.Rule == e.Rule })
			switch {
			case same < 0:
				all = append(all, e)
			case e.Since.Before(all[same].Since):
				all[same] = e
			}
		}
	}
	said := map[string]string{} // what the files for agents said, by commit
	for _, s := range sessions {
		if _, known := said[s.Base]; !known {
			said[s.Base] = p.told(ctx, s.Base)
		}
		for i := range all {
			all[i].count(s, said[s.Base])
		}
	}
	return slices.DeleteFunc(all, func(e Effect) bool {
		return e.Before.Of < leastTried || e.After.Of < leastTried || e.Before.Followed+e.After.Followed == 0
	}), nil
}

// told is what the files for agents of a commit say.
func (p Clone) told(ctx context.Context, commit string) string {
	var all []string
	for _, name := range []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md", ".cursorrules"} {
		if text, err := p.TextAt(ctx, commit, name); commit != "" && err == nil {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n")
}

// leastTried is how many must be counted on either side.
const leastTried = 10

// written are the rules of a file that can be counted: commands, and calls that a line about tests names.
// What a section names as exceptions excuses from the calls that it asks for.
func written(file, text string) []Effect {
	var all []Effect
	code, section := false, 0 // where the rules of this section begin
	for line := range strings.Lines(text) {
		if checkout.Fence.MatchString(line) {
			code = !code
			continue
		}
		if !code && heading.MatchString(line) {
			section = len(all)
		}
		asks, excuses := line, ""
		if at := excusing.FindStringIndex(line); !code && at != nil {
			asks, excuses = line[:at[0]], line[at[1]:]
		}
		for _, said := range checkout.Mentions(asks, code) {
			switch {
			case checkout.Running.MatchString(said) && plainCommand.MatchString(verbOf(said)):
				all = append(all, Effect{Rule: said, File: file, Of: "sessions that changed files: run after the last change"})
			case !code && callLike.MatchString(said) && testWord.MatchString(line):
				all = append(all, Effect{Rule: said, File: file, Of: "new tests that call it"})
			}
		}
		for _, said := range checkout.Mentions(excuses, false) {
			for i := range all[section:] {
				if e := &all[section+i]; callLike.MatchString(said) && said != e.Rule {
					e.unless = append(e.unless, said[strings.LastIndexByte(said, '.')+1:len(said)-1])
				}
			}
		}
	}
	return all
}

// verbOf is a command of a tool as it is compared: the tool and what it runs.
func verbOf(command string) string {
	m := checkout.Running.FindStringSubmatch(command)
	return strings.Fields(m[1])[0] + " " + m[2]
}

// count adds what a session shows: on which side is told by what the commit said that it began at, or else by the time.
func (e *Effect) count(s session.Session, said string) {
	side := &e.Before
	if since := !e.Since.IsZero() && !s.Start.Before(e.Since); s.Base != "" && strings.Contains(said, e.Rule) ||
		s.Base == "" && since {
		side = &e.After
	}
	if callLike.MatchString(e.Rule) {
		*side = side.Plus(e.tests(s))
		return
	}
	last := -1
	for i, step := range s.Steps {
		if step.Kind == session.Edited && step.Ended == bug.Yes {
			last = i
		}
	}
	if last < 0 {
		return
	}
	side.Of++
	if slices.ContainsFunc(s.Steps[last+1:], func(step session.Step) bool { return Runs(step.Command, e.Rule) }) {
		side.Followed++
	}
}

// Runs reports whether a command line runs a command, and not one whose name only begins alike.
func Runs(line, command string) bool {
	for rest := line; ; {
		_, after, ok := strings.Cut(rest, command)
		if !ok {
			return false
		}
		if after == "" || !strings.ContainsAny(after[:1], "abcdefghijklmnopqrstuvwxyz0123456789_:-.") {
			return true
		}
		rest = after
	}
}

// tests are the new tests that a session wrote, and those of them that make the call.
func (e *Effect) tests(s session.Session) cochange.Count {
	var n cochange.Count
	seen := map[string]bool{}
	for _, step := range s.Steps {
		if step.Kind != session.Edited || step.Ended != bug.Yes || cochange.RoleOf(step.Path) != cochange.Test {
			continue
		}
		starts := function.FindAllStringSubmatchIndex(step.Wrote, -1)
		for i, at := range starts {
			end := len(step.Wrote)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			name, body := step.Wrote[at[2]:at[3]], step.Wrote[at[0]:end]
			if !strings.HasPrefix(strings.ToLower(name), "test") || seen[name] || strings.Contains(step.Was, name+"(") {
				continue
			}
			seen[name] = true
			switch {
			case strings.Contains(body, e.Rule):
				n = n.Plus(cochange.Count{Followed: 1, Of: 1})
			case !slices.ContainsFunc(e.unless, func(call string) bool { return strings.Contains(body, call) }):
				n.Of++
			}
		}
	}
	return n
}

// Words say an effect.
func (e Effect) Words() string {
	return fmt.Sprintf("| `%s` | %s, %s | %s | %d of %d | %d of %d |\n", e.Rule, e.File,
		e.Since.Format("2006-01-02"), e.Of,
		e.Before.Followed, e.Before.Of, e.After.Followed, e.After.Of)
}
