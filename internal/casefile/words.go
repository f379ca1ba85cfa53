package casefile

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/scrub-dev/scrub/internal/bug"
)

// What the report says decides between two versions that do different
// things: the one that does what it complains of, or the one that does what
// it asks for.

// explains says which of the two outcomes the report is about, if it shows what
// only the older printed or raised, or asks for what only the newer prints.
func (s Subject) explains(before, after bug.Outcome) (string, bool) {
	why, _, _, ok := s.singledOut(before, after)
	return why, ok
}

// singledOut also returns the line that decides: one that only the older prints, or
// one that is asked for. There is none if it is an error that decides.
func (s Subject) singledOut(before, after bug.Outcome) (why, line string, wanted, ok bool) {
	if after.Failed() {
		return "", "", false, false
	}
	if e, ok := before.Exception(); ok {
		if s.Symptom.Kind == bug.Unsaid || regexp.MustCompile(`\b`+regexp.QuoteMeta(e.Name())+`\b`).MatchString(s.Words) {
			return fmt.Sprintf("%s is what the report is about", e.Name()), "", false, true
		}
		return "", "", false, false
	}
	for i, side := range []struct{ has, lacks, form, cue string }{
		{before.Stdout, after.Stdout, "the report shows %q",
			`(?i:result|return|give|gave|got|yield|print|output|answer)\w*`},
		{after.Stdout, before.Stdout, "the report asks for %q", `(?i:should|expect)\w*`},
	} {
		for _, line := range onlyIn(side.has, side.lacks) {
			if says(s.Words, dense(line), side.cue) {
				return fmt.Sprintf(side.form, bug.Short(strings.TrimSpace(line), 80)), line, i == 1, true
			}
		}
	}
	return "", "", false, false
}

// prints reports whether a line is in an output, however it is shown.
func prints(output, line string) bool {
	for l := range strings.Lines(output) {
		if dense(l) == dense(line) {
			return true
		}
	}
	return false
}

// says reports whether a report has a value in it: one that is long enough
// anywhere, a short one only behind a word that says what it is.
func says(report, value, cue string) bool {
	if len([]rune(value)) >= tellingLength {
		return strings.Contains(dense(report), value)
	}
	return value != "" && regexp.MustCompile(cue+`[^.\n]{0,40}[\s`+"`"+`'"(]`+regexp.QuoteMeta(value)+`(?:[\s`+"`"+`'").,!]|$)`).MatchString(report)
}

// tellingLength is how many characters a line must have to be found in a
// report by more than chance.
const tellingLength = 6

// WithWords is the subject of c, with what the report says of results: everything but
// its programs, and the remarks in those.
func (c Case) WithWords() Subject {
	all := []string{c.Report.Title, c.Thread.Prose, c.Thread.Output}
	for _, p := range c.Thread.Programs {
		all = append(all, p.Printed, p.Earlier, p.Wanted)
		all = append(all, remark.FindAllString(p.Text, -1)...)
	}
	c.Words = strings.Join(all, "\n")
	return c.Subject
}

// names reports whether the report speaks of the version that a was asked with.
func (c Case) names(a Asked) bool {
	version := a.Runtime.Packages[c.Package]
	alone := regexp.MustCompile(`(?:^|[^\d.])` + regexp.QuoteMeta(version) + `\.?(?:[^\d.]|$)`)
	return version != "" && alone.MatchString(c.Report.Title+"\n"+c.Thread.Prose)
}

var remark = regexp.MustCompile(`(?m)#.*$`)

// onlyIn are the lines of a text that another one lacks.
func onlyIn(text, other string) []string {
	have := map[string]bool{}
	for line := range strings.Lines(other) {
		have[dense(line)] = true
	}
	var all []string
	for line := range strings.Lines(text) {
		if !have[dense(line)] {
			all = append(all, line)
		}
	}
	return all
}

// dense is a text without what differs between ways to show a value.
func dense(s string) string {
	s = strings.ReplaceAll(strings.TrimSuffix(strings.TrimSpace(s), "()"), `\\`, `\`)
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune("'\"`", r) {
			return -1
		}
		return r
	}, s)
}
