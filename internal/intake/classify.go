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
	prompt     = regexp.MustCompile(`(?m)^\s*(?:>>> ?|In \[\d*\]: ?)\S`)
	pythonLang = regexp.MustCompile(`^(python|python3|py|py3|ipython|pycon|python-repl|\{?\.?python\}?)$`)
	otherLang  = regexp.MustCompile(`^(bash|sh|shell|zsh|console|shell-session|powershell|text|txt|log|pytb|` +
		`traceback|pythontraceback|json|yaml|yml|toml|ini|diff|patch|c|c\+\+|cpp|cuda|java|javascript|js|rust|go|` +
		`sql|html|xml|css|cmake|make|dockerfile)$`)
	envHead = regexp.MustCompile(`(?m)^(Collecting environment information|INSTALLED VERSIONS|System:\s*$)`)
	envLine = regexp.MustCompile(`(?m)^\s*(\[?[\w.-]+\]? version: |[\w.-]+ ?== ?\d|[\w. -]+\s*: +v?\d+\.\d|commit\s*:|OS\s*:)`)
	strong  = regexp.MustCompile(`(?m)^(import \w|from [\w.]+ import |def \w+\(|class \w+[(:]|print\(|@\w|` +
		`[A-Za-z_][\w.\[\], ]* [-+*/|&]?= \S|[A-Za-z_][\w.]*\(.*\)\s*(#.*)?$|assert |raise |for .+ in .+:|with ` +
		`.+:|if .+:|while .+:|try:)`)
	// A text without any of these does nothing: it is settings, or data.
	does = regexp.MustCompile(`(?m)[\w\])]\(|^\s*(?:import|from|def|class|assert|raise|for|while|with|del|` +
		`print)\b|[\w)\]] (?:[-+*/%@<>]|//|\*\*|==|!=|<=|>=|is|in) [\w(\[]|\w\[`)
	iniHead   = regexp.MustCompile(`\A\s*(?:#.*\n\s*)*\[[\w:. -]+\]\s*\n`)
	traceHead = regexp.MustCompile(`(?m)^.*Traceback \(most recent call last\):`)
)

// classify says what b is. Of a program followed by what it printed, the
// program comes back first and the rest of the block second.
func classify(b block) (k kind, program, rest string) {
	b.text = dedent(b.text)
	b.lang, b.text = spokenLang(b.lang, b.text)
	if prompt.MatchString(b.text) {
		return session, b.text, ""
	}
	program, rest = b.text, ""
	if at := traceHead.FindStringIndex(b.text); at != nil {
		program, rest = b.text[:at[0]], b.text[at[0]:]
	}
	if sh, ok := readShell(program); ok {
		return script, sh.program, sh.rest + rest
	}
	program = withoutMagic(program)
	if otherLang.MatchString(b.lang) || !looksLikePython(program, pythonLang.MatchString(b.lang)) {
		return other, "", b.text
	}
	return script, strings.Trim(program, "\n") + "\n", rest
}

// spokenLang is the language of a block. Some copies of a report have it in
// the first line of the text, where it cannot be Python.
func spokenLang(lang, text string) (string, string) {
	first, rest, _ := strings.Cut(strings.TrimPrefix(text, "\n"), "\n")
	if first = strings.ToLower(strings.TrimSpace(first)); lang == "" &&
		(pythonLang.MatchString(first) || otherLang.MatchString(first)) {
		return first, rest
	}
	return lang, text
}

// dedent takes from every line the indentation that all of them have. The
// first line may have lost its own where it was pasted.
func dedent(text string) string {
	lines := strings.Split(text, "\n")
	common := -1
	for i, line := range lines {
		if strings.TrimSpace(line) == "" || i == 0 && line[0] != ' ' {
			continue
		}
		if n := len(line) - len(strings.TrimLeft(line, " ")); common < 0 || n < common {
			common = n
		}
	}
	if common <= 0 || !strings.HasPrefix(lines[0], " ") && opensBlock(lines[0]) {
		return text
	}
	for i, line := range lines {
		if i > 0 || line != "" && line[0] == ' ' {
			lines[i] = line[min(common, len(line)-len(strings.TrimLeft(line, " "))):]
		}
	}
	return strings.Join(lines, "\n")
}

// opensBlock reports whether the lines below line belong under it.
func opensBlock(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasSuffix(line, ":") || strings.HasSuffix(line, "(") || strings.HasSuffix(line, "[") ||
		strings.HasSuffix(line, "{") || strings.HasSuffix(line, ",") || strings.HasSuffix(line, "\\")
}

// looksLikePython reports whether text is a Python program. If the author
// has said so, it takes less to believe it.
func looksLikePython(text string, said bool) bool {
	if strings.TrimSpace(text) == "" || !does.MatchString(text) || envHead.MatchString(text) ||
		iniHead.MatchString(text) ||
		2*len(envLine.FindAllString(text, -1)) > strings.Count(text, "\n") {
		return false
	}
	top, plausible := 0, 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" || line[0] == ' ' || line[0] == '\t' || line[0] == '#' || line[0] == ')' ||
			line[0] == ']' || line[0] == '}' {
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
