package intake

import (
	"regexp"
	"strings"
)

// A kind is what a block of code is.
type kind int

const (
	other kind = iota
	script
	session
)

var (
	prompt     = regexp.MustCompile(`(?m)^\s*>>> ?\S`)
	pythonLang = regexp.MustCompile(`^(python|python3|py|py3|ipython|pycon|python-repl|\{?\.?python\}?)$`)
	otherLang  = regexp.MustCompile(`^(bash|sh|shell|zsh|console|shell-session|powershell|text|txt|log|pytb|traceback|pythontraceback|json|yaml|yml|toml|ini|diff|patch|c|c\+\+|cpp|cuda|java|javascript|js|rust|go|sql|html|xml|css|cmake|make|dockerfile)$`)
	envDump    = regexp.MustCompile(`(?m)^(Collecting environment information|\w+ version: |INSTALLED VERSIONS|commit\s*:|\S+==\d)`)
	strong     = regexp.MustCompile(`(?m)^(import \w|from [\w.]+ import |def \w+\(|class \w+[(:]|print\(|@\w|[A-Za-z_][\w.\[\], ]* [-+*/|&]?= \S|[A-Za-z_][\w.]*\(.*\)\s*(#.*)?$|assert |raise |for .+ in .+:|with .+:|if .+:|while .+:|try:)`)
	traceHead  = regexp.MustCompile(`(?m)^.*Traceback \(most recent call last\):`)
)

// classify says what b is. Of a program followed by what it printed, the
// program comes back first and the rest of the block second.
func classify(b block) (k kind, program, rest string) {
	if prompt.MatchString(b.text) {
		return session, b.text, ""
	}
	program, rest = b.text, ""
	if at := traceHead.FindStringIndex(b.text); at != nil {
		program, rest = b.text[:at[0]], b.text[at[0]:]
	}
	if otherLang.MatchString(b.lang) || !looksLikePython(program, pythonLang.MatchString(b.lang)) {
		return other, "", b.text
	}
	return script, strings.Trim(program, "\n") + "\n", rest
}

// looksLikePython reports whether text is a Python program. If the author
// has said so, it takes less to believe it.
func looksLikePython(text string, said bool) bool {
	if envDump.MatchString(text) || strings.TrimSpace(text) == "" {
		return false
	}
	top, plausible := 0, 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" || line[0] == ' ' || line[0] == '\t' || line[0] == '#' || line[0] == ')' || line[0] == ']' || line[0] == '}' {
			continue
		}
		top++
		if strong.MatchString(line) {
			plausible++
		}
	}
	if said {
		return plausible > 0
	}
	return plausible > 0 && plausible*10 >= top*6
}
