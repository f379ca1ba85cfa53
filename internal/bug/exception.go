package bug

import (
	"regexp"
	"strconv"
	"strings"
)

// An Exception is one exception as Python prints it.
type Exception struct {
	Class   string  `json:"class"` // as printed, with its module if that was printed
	Message string  `json:"message,omitempty"`
	Frames  []Frame `json:"frames,omitempty"` // outermost first
}

// A Frame is one line of a traceback.
type Frame struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Func string `json:"func,omitempty"`
	Code string `json:"code,omitempty"` // the source, where the traceback shows it
	Part string `json:"part,omitempty"` // the part of it that failed, where the traceback marks that

	column int // where Code started in its line
}

func (e Exception) String() string {
	if e.Message == "" {
		return e.Class
	}
	return e.Class + ": " + firstLine(e.Message)
}

// Name is the class without the module it lives in: one release prints
// "torch._dynamo.exc.Unsupported" where another prints "Unsupported".
func (e Exception) Name() string { return e.Class[strings.LastIndexByte(e.Class, '.')+1:] }

// At is the statement that raised e, if the traceback shows it.
func (e Exception) At() string {
	if len(e.Frames) == 0 {
		return ""
	}
	return e.Frames[len(e.Frames)-1].Code
}

const tracebackHead = "Traceback (most recent call last):"

var (
	frameLine = regexp.MustCompile(`^\s*File "(.*)", line (\d+)(?:, in (.*))?$`)
	errorLine = regexp.MustCompile(`^((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?:: (.*)|:)?$`)
	// What launchers of several processes put in front of the lines of each.
	ofRank = regexp.MustCompile(`(?m)^\[(?:rank|default)?\d+\]: ?`)
	// A traceback that was cut leaves lines that only look like its end.
	className = regexp.MustCompile(`(?:^|\.)_*[A-Z]\w*$|\.\w+$|^error$`)
	// What IPython and pytest print instead of Python's own.
	notebookHead = regexp.MustCompile(`^\s*([A-Z]\w*)\s+Traceback \(most recent call last\)`)
	pytestLine   = regexp.MustCompile(`^E\s+((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Warning|Failed)): (.*)$`)
	// Not every exception is called Error, so in a bare line, without a
	// traceback above it, only these endings are believed.
	toldError = regexp.MustCompile(`(?:^|[\s"'` + "`" + `(])((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Unsupported)): (\S.{7,})$`)
	// The module that an exception is called by leaves no doubt, whatever its name ends in.
	dottedError = regexp.MustCompile(`^([a-z_]\w*(?:\.\w+)*\.(?:exc|exceptions?|errors?)\.[A-Z]\w*): (\S.*)$`)
	bareHead    = regexp.MustCompile(`^((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)):$`)
	bareError   = regexp.MustCompile(`^((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Failed|Unsupported|Exit|Interrupt)): (\S.*)$`)
)

// Exceptions returns every exception whose traceback stands in text, in
// order. In a chain of them the last is the one that reached the top.
func Exceptions(text string) []Exception {
	var all []Exception
	text = ofRank.ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), "")
	lines := ungrouped(strings.Split(text, "\n"))
	for i := 0; i < len(lines); {
		if m := notebookHead.FindStringSubmatch(lines[i]); m != nil {
			if e, next, ok := readNotebook(lines, i+1, m[1]); ok {
				all = append(all, e)
				i = next
				continue
			}
		}
		if m := pytestLine.FindStringSubmatch(lines[i]); m != nil {
			all = append(all, Exception{Class: m[1], Message: m[2]})
		}
		at := strings.Index(lines[i], tracebackHead)
		bare := at < 0 && frameLine.MatchString(lines[i])
		if at < 0 && !bare {
			i++
			continue
		}
		prefix := ""
		if at > 0 && strings.Trim(lines[i][:at], " \t>|+") == "" {
			prefix = lines[i][:at]
		}
		if !bare {
			i++
		}
		var e Exception
		var ok bool
		if e, i, ok = readException(lines, i, prefix); ok {
			all = append(all, e)
		}
	}
	return all
}

// readException reads frames from lines[i] on and the exception under them.
// It returns where it stopped, which is never before i+1 unless at the end.
func readException(lines []string, i int, prefix string) (e Exception, next int, ok bool) {
	for ; i < len(lines); i++ {
		line := strings.TrimRight(strings.TrimPrefix(lines[i], prefix), " \t")
		switch m := frameLine.FindStringSubmatch(line); {
		case m != nil:
			n, _ := strconv.Atoi(m[2]) // digits only; too many of them are no line at all
			e.Frames = append(e.Frames, Frame{File: m[1], Line: n, Func: m[3]})
		case line == "" && len(e.Frames) == 0:
			return e, i + 1, false
		case line == "":
		case strings.Trim(line, " .…[]") == "": // left out
		case line[0] == ' ' || line[0] == '\t':
			e.addCode(line)
		default:
			m := errorLine.FindStringSubmatch(line)
			if m == nil || !className.MatchString(m[1]) {
				return e, i + 1, false
			}
			e.Class, e.Message = m[1], m[2]
			next = i + 1
			for ; next < len(lines) && continues(strings.TrimPrefix(lines[next], prefix)); next++ {
				e.Message += "\n" + strings.TrimRight(strings.TrimPrefix(lines[next], prefix), " \t")
			}
			return e, next, true
		}
	}
	return e, i, false
}

// readNotebook reads on from the head of a traceback that names its class at
// the top, as IPython's does, to the line that names it again, with its message.
func readNotebook(lines []string, i int, class string) (Exception, int, bool) {
	for ; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], " \t")
		if notebookHead.MatchString(line) {
			return Exception{}, i, false
		}
		m := errorLine.FindStringSubmatch(line)
		if m == nil || m[1][strings.LastIndexByte(m[1], '.')+1:] != class {
			continue
		}
		e := Exception{Class: m[1], Message: m[2]}
		for i++; i < len(lines) && continues(lines[i]); i++ {
			e.Message += "\n" + strings.TrimRight(lines[i], " \t")
		}
		return e, i, true
	}
	return Exception{}, i, false
}

// addCode gives the innermost frame its source, which is the first line under
// it, and what the line under that marks.
func (e *Exception) addCode(line string) {
	if len(e.Frames) == 0 {
		return
	}
	f := &e.Frames[len(e.Frames)-1]
	code := strings.TrimSpace(line)
	at := len(line) - len(strings.TrimLeft(line, " \t"))
	switch marks := strings.Trim(code, "^~ ") == ""; {
	case f.Code == "" && !marks:
		f.Code, f.column = code, at
	case f.Code != "" && f.Part == "" && marks:
		// The operator of a sum is marked apart from its operands.
		from, to := at-f.column, at-f.column+len(code)
		if i := strings.IndexByte(code, '^'); i > 0 {
			from, to = from+i, from+strings.LastIndexByte(code, '^')+1
		}
		if from >= 0 && to <= len(f.Code) {
			f.Part = f.Code[from:to]
			if strings.HasPrefix(f.Part, "(") || strings.HasPrefix(f.Part, "[") {
				f.Part = f.Code[at-f.column : to]
			}
		}
	}
}

// continues reports whether line goes on with the message above it.
func continues(line string) bool {
	return strings.TrimSpace(line) != "" && !strings.HasPrefix(line, ">>> ") && !strings.HasPrefix(line, "```") &&
		!strings.Contains(line, tracebackHead)
}

// ToldException reads "ValueError: no" at the end of a sentence, as titles have it.
func ToldException(line string) (Exception, bool) {
	m := toldError.FindStringSubmatch(strings.TrimSpace(line))
	if m == nil {
		return Exception{}, false
	}
	return Exception{Class: m[1], Message: m[2]}, true
}

// BareException reads a line such as "ValueError: no" that stands alone.
func BareException(line string) (Exception, bool) {
	line = strings.TrimSpace(line)
	m := bareError.FindStringSubmatch(line)
	if m == nil {
		m = dottedError.FindStringSubmatch(line)
	}
	if m == nil {
		return Exception{}, false
	}
	return Exception{Class: m[1], Message: m[2]}, true
}

// BareExceptions are the lines of a text that are exceptions, also where the message begins below its class.
func BareExceptions(text string) []Exception {
	var all []Exception
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		e, ok := BareException(line)
		if m := bareHead.FindStringSubmatch(strings.TrimSpace(line)); m != nil && i+1 < len(lines) &&
			strings.TrimSpace(lines[i+1]) != "" {
			e, ok = Exception{Class: m[1], Message: strings.TrimSpace(lines[i+1])}, true
		}
		if ok {
			all = append(all, e)
		}
	}
	return all
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}
