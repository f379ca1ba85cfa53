package checkout

import (
	"regexp"
	"strings"
)

// ForAgents are the files that coding agents are told what to do by.
var ForAgents = regexp.MustCompile(`(^|/)(AGENTS|CLAUDE|GEMINI|SKILL)\.md$|(^|/)\.cursorrules$|^\.cursor/rules/|` +
	`^\.github/copilot-instructions\.md$`)

// How such files speak of paths and commands.
var (
	Span  = regexp.MustCompile("`([^`\n]+)`")
	Fence = regexp.MustCompile("^\\s*(```|~~~)")
	link  = regexp.MustCompile(`\]\(([^)#?\s]+)`)
	// Running is a command of a tool whose own files say what it can run.
	Running = regexp.MustCompile(`^(?:\$ )?(make|just|npm run|yarn run|pnpm run|pnpm|yarn|mise run|tox -e|nox -s|poe|poetry run poe|uv run poe)\s+([A-Za-z0-9][\w:.-]*)\s*$`)
)

// Mentions are the paths and commands that a line of a file may name.
func Mentions(line string, code bool) []string {
	if code {
		return []string{strings.TrimSpace(strings.SplitN(line, " #", 2)[0])}
	}
	var all []string
	for _, form := range []*regexp.Regexp{Span, link} {
		for _, m := range form.FindAllStringSubmatch(line, -1) {
			all = append(all, strings.TrimSpace(m[1]))
		}
	}
	return all
}
