package intake

import (
	"regexp"
	"strings"
)

var (
	fenceLine = regexp.MustCompile("^ {0,3}(```+|~~~+)")
	plainCode = regexp.MustCompile(`^(?:>>> ?\S|In \[\d+\]: ?\S)`)
)

// fence puts sessions that were pasted without any fence into one. Markdown
// would take their prompts for quotes within quotes.
func fence(text string) string {
	if !strings.Contains(text, "\n>>> ") && !strings.HasPrefix(text, ">>> ") && !strings.Contains(text, "In [") {
		return text
	}
	var b strings.Builder
	open, pasted := "", false
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		m := fenceLine.FindStringSubmatch(line)
		switch {
		case pasted && m == nil && goesOn(lines[i:]):
		case pasted:
			b.WriteString("```\n")
			pasted = false
		}
		switch {
		case m != nil && open == "":
			open = m[1][:3]
		case m != nil && strings.HasPrefix(m[1], open):
			open = ""
		case open == "" && !pasted && plainCode.MatchString(line):
			b.WriteString("\n```pycon\n")
			pasted = true
		}
		b.WriteString(line + "\n")
	}
	if pasted {
		b.WriteString("```\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// goesOn reports whether the first of lines still belongs to a session: a
// blank line does if a prompt comes soon.
func goesOn(lines []string) bool {
	if strings.TrimSpace(lines[0]) != "" {
		return true
	}
	for _, line := range lines[1:min(4, len(lines))] {
		if strings.TrimSpace(line) != "" {
			return plainCode.MatchString(line)
		}
	}
	return false
}
