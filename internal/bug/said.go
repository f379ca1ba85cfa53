package bug

import (
	"path"
	"regexp"
	"strings"
)

// shellWords are what a shell prints of a program that a signal has ended.
var shellWords = map[string]*regexp.Regexp{
	"SIGSEGV": regexp.MustCompile(`(?i)segmentation fault`),
	"SIGFPE":  regexp.MustCompile(`(?i)floating[- ]point exception`),
	"SIGABRT": regexp.MustCompile(`(?i)\baborted\b`), "SIGILL": regexp.MustCompile(`(?i)illegal instruction`),
	"SIGBUS": regexp.MustCompile(`(?i)bus error`),
}

// SaidIn is where a text says how o failed: the line that names its exception and has most of
// its message, or what a shell prints of its signal. It is empty if the text does not.
func (o Outcome) SaidIn(text string) string {
	if signal, crashed := o.Crash(); crashed {
		if re := shellWords[signal]; re != nil {
			return re.FindString(text)
		}
		return ""
	}
	e, raised := o.Exception()
	if !raised {
		return ""
	}
	words := token.FindAllString(strings.ToLower(distinctive(e.Message)), -1)
	if len(words) < 3 {
		return ""
	}
	for line := range strings.Lines(text) {
		if !strings.Contains(line, e.Name()) {
			continue
		}
		have, found := " "+strings.Join(token.FindAllString(strings.ToLower(line), -1), " ")+" ", 0
		for _, w := range words {
			if strings.Contains(have, " "+w+" ") {
				found++
			}
		}
		if 5*found >= 4*len(words) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

var assertWord = regexp.MustCompile(`\bassert(?:\s|_|[A-Z(])`)

// FailsItsCheck reports whether a program ended at a check that it makes itself.
func (o Outcome) FailsItsCheck() bool {
	e, raised := o.Exception()
	if !raised || e.Name() != "AssertionError" {
		return false
	}
	own := ""
	for _, f := range e.Frames {
		if path.Base(f.File) != Script {
			break // what a library calls back may be meant to fail
		}
		own = f.Code
	}
	return assertWord.MatchString(own)
}
