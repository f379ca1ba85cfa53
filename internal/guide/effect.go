package guide

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"scrub/internal/bug"
	"scrub/internal/cochange"
	"scrub/internal/session"
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
}

var (
	callLike = regexp.MustCompile(`^[A-Za-z_][\w.]*\(\)$`)
	testWord = regexp.MustCompile(`(?i)\btests?\b`)
	function = regexp.MustCompile(`(?m)^[ \t]*(?:async )?(?:func|def)\s+(?:\([^)\n]*\)\s*)?(\w+)`)
)

// effects are those of all commands and calls that the files for agents name, as far as sessions can show them.
func (p project) effects(ctx context.Context, sessions []session.Session) ([]Effect, error) {
	all := []Effect{}
	if len(sessions) == 0 {
		return all, nil
	}
	for _, file := range p.files {
		if !forAgents.MatchString(file) || strings.Contains(file, "/") {
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
	for i := range all {
		for _, s := range sessions {
			all[i].count(s)
		}
	}
	return slices.DeleteFunc(all, func(e Effect) bool {
		return e.Before.Of < leastTried || e.After.Of < leastTried || e.Before.Followed+e.After.Followed == 0
	}), nil
}

// leastTried is how many must be counted on either side.
const leastTried = 10

// written are the rules of a file that can be counted: commands, and calls that a line about tests names.
func written(file, text string) []Effect {
	var all []Effect
	code := false
	for line := range strings.Lines(text) {
		if fence.MatchString(line) {
			code = !code
			continue
		}
		for _, said := range mentions(line, code) {
			switch {
			case running.MatchString(said) && plainCommand.MatchString(verbOf(said)):
				all = append(all, Effect{Rule: said, File: file, Of: "sessions that changed files: run after the last change"})
			case !code && callLike.MatchString(said) && testWord.MatchString(line):
				all = append(all, Effect{Rule: said, File: file, Of: "new tests that call it"})
			}
		}
	}
	return all
}

// verbOf is a command of a tool as it is compared: the tool and what it runs.
func verbOf(command string) string {
	m := running.FindStringSubmatch(command)
	return strings.Fields(m[1])[0] + " " + m[2]
}

// count adds what a session shows, before or since the rule was written.
func (e *Effect) count(s session.Session) {
	side := &e.Before
	if !e.Since.IsZero() && !s.Start.Before(e.Since) {
		side = &e.After
	}
	if callLike.MatchString(e.Rule) {
		*side = side.Plus(tests(s, e.Rule))
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
	if slices.ContainsFunc(s.Steps[last+1:], func(step session.Step) bool { return runs(step.Command, e.Rule) }) {
		side.Followed++
	}
}

// runs reports whether a command line runs a command, and not one whose name only begins alike.
func runs(line, command string) bool {
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

// tests are the new tests that a session wrote, and those of them that make a call.
func tests(s session.Session, call string) cochange.Count {
	var n cochange.Count
	seen := map[string]bool{}
	for _, step := range s.Steps {
		if step.Kind != session.Edited || step.Ended != bug.Yes || step.Wrote == "" {
			continue
		}
		starts := function.FindAllStringSubmatchIndex(step.Wrote, -1)
		for i, at := range starts {
			end := len(step.Wrote)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			name, body := step.Wrote[at[2]:at[3]], step.Wrote[at[0]:end]
			if !strings.HasPrefix(strings.ToLower(name), "test") || seen[name] {
				continue
			}
			seen[name] = true
			n.Of++
			if strings.Contains(body, call) {
				n.Followed++
			}
		}
	}
	return n
}

// words say an effect.
func (e Effect) words() string {
	return fmt.Sprintf("| `%s` | %s, %s | %s | %d of %d | %d of %d |\n", e.Rule, e.File,
		e.Since.Format("2006-01-02"), e.Of,
		e.Before.Followed, e.Before.Of, e.After.Followed, e.After.Of)
}
