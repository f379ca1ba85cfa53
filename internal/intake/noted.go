package intake

import (
	"regexp"
	"strings"
)

var (
	printing = regexp.MustCompile(`^\s*print\([^#]*\)\s*(?:#\s*(.*))?$`)
	note     = regexp.MustCompile(`^\s*# ?(.*)$`)
	// What is printed looks like a value, not like a sentence.
	value = regexp.MustCompile(`^(?:[\[({'"\d.+-]|(?:True|False|None|nan|inf|\w+\.\w+)\b|\w+\()`)
	wish  = regexp.MustCompile(`(?i)\b(?:should|expect|want|correct|right|ok|good|fine)`)
)

// noted is what a program's own comments say that it prints, behind the statement that does
// or under it, one text for each statement.
func noted(program string) []string {
	var all []string
	lines := strings.Split(program, "\n")
	for i, line := range lines {
		m := printing.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		var said []string
		if m[1] != "" {
			said = append(said, strings.TrimSpace(m[1]))
		}
		for _, below := range lines[i+1:] {
			n := note.FindStringSubmatch(below)
			if n == nil || len(said) == 0 && !value.MatchString(n[1]) {
				break
			}
			said = append(said, strings.TrimSpace(n[1]))
		}
		text := strings.Join(said, "\n")
		if text != "" && value.MatchString(text) && !wish.MatchString(text) {
			all = append(all, text)
		}
	}
	return all
}

// addNoted completes programs of which nothing else says what they print.
func (t *Thread) addNoted() {
	for i := range t.Programs {
		p := &t.Programs[i]
		if p.Session || p.Printed != "" || p.Raised != nil || p.Wanted != "" {
			continue
		}
		if all := noted(p.Text); len(all) > 0 {
			last := len(all) - 1
			p.Earlier, p.Printed, p.Noted = strings.Join(all[:last], "\n"), all[last], true
		}
	}
}
