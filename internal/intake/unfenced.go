package intake

import (
	"regexp"
	"strings"
)

var (
	fenceLine = regexp.MustCompile("^ {0,3}(```+[^`]*$|~~~+)")
	plainCode = regexp.MustCompile(`^(?:>>> ?\S|In \[\d+\]: ?\S)`)
	// A line that is an import and nothing else begins a program.
	plainStart = regexp.MustCompile(`^(?:import [A-Za-z_][\w.]*(?: as \w+)?(?:, ?[A-Za-z_][\w.]*(?: as \w+)?)*|from [A-Za-z_][\w.]* import [\w*, ()]+)[ \t]*\r?$`)
	// What IPython prints of an error is indented like code where it was not fenced.
	plainTrace = regexp.MustCompile(`^([A-Z]\w*) +Traceback \(most recent call last\)`)
	plainMore  = regexp.MustCompile(`^(?:[ \t]+\S|#[^#]|[)\]}]|else:|elif .+:|except\b.*:|finally:)`)
)

// fence puts programs and sessions that were pasted without any fence into
// one. Markdown would take a session's prompts for quotes within quotes.
func fence(text string) string {
	var b strings.Builder
	open := "" // the fence that the author opened
	var goesOn func([]string) bool
	hidden := false
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		m := fenceLine.FindStringSubmatch(line)
		if goesOn != nil && (m != nil || !goesOn(lines[i:])) {
			b.WriteString("```\n")
			goesOn = nil
		}
		switch {
		case hidden || open == "" && strings.Contains(line, "<!--"):
			hidden = staysHidden(line, hidden)
		case m != nil && open == "":
			open = m[1][:3]
		case m != nil && strings.HasPrefix(m[1], open):
			open = ""
		case open == "" && goesOn == nil:
			var kind string
			if kind, goesOn = begins(lines[i:]); goesOn != nil {
				b.WriteString("\n```" + kind + "\n")
			}
		}
		b.WriteString(line + "\n")
	}
	if goesOn != nil {
		b.WriteString("```\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// staysHidden reports whether what follows a line is within a remark.
func staysHidden(line string, hidden bool) bool {
	return strings.LastIndex(line, "<!--") > strings.LastIndex(line, "-->") || hidden && !strings.Contains(line, "-->")
}

// begins says what begins with the first of lines without a fence, if something
// does, and how to tell whether it goes on.
func begins(lines []string) (kind string, goesOn func([]string) bool) {
	line := lines[0]
	switch {
	case plainCode.MatchString(line):
		return "pycon", sessionGoesOn
	case plainTrace.MatchString(line):
		return "", traceGoesOn(plainTrace.FindStringSubmatch(line)[1])
	case plainStart.MatchString(line) && len(lines) > 1 && scriptGoesOn(lines[1:]):
		return "python", scriptGoesOn
	}
	return "", nil
}

// sessionGoesOn reports whether the first of lines still belongs to a
// session: a blank line does if a prompt comes soon.
func sessionGoesOn(lines []string) bool {
	if strings.TrimSpace(lines[0]) != "" {
		return true
	}
	next, ok := nextLine(lines)
	return ok && plainCode.MatchString(next)
}

// traceGoesOn reports whether lines still belong to a traceback that ends
// with a line that names class again.
func traceGoesOn(class string) func([]string) bool {
	lines, ended := 0, false
	return func(rest []string) bool {
		lines++
		ended = ended || strings.HasPrefix(rest[0], class+":")
		return lines < 500 && (!ended || strings.TrimSpace(rest[0]) != "")
	}
}

// scriptGoesOn reports whether the first of lines still belongs to a program.
func scriptGoesOn(lines []string) bool {
	line := lines[0]
	if strings.TrimSpace(line) == "" {
		var ok bool
		if line, ok = nextLine(lines); !ok {
			return false
		}
	}
	return plainMore.MatchString(line) || strong.MatchString(line) && !traceHead.MatchString(line)
}

// nextLine is the first of the next few lines that is not blank.
func nextLine(lines []string) (string, bool) {
	for _, line := range lines[1:min(4, len(lines))] {
		if strings.TrimSpace(line) != "" {
			return line, true
		}
	}
	return "", false
}
