package intake

import (
	"regexp"
	"strings"
)

// A saying is what the words in front of a block say it is.
type saying int

const (
	nothing saying = iota
	got            // what the program printed
	wanted         // what it should have printed
)

var (
	gotWords = regexp.MustCompile(`(?i)\b(actual|outputs?|prints?|printed|gives?|gave|returns?|returned|` +
		`results?|i get|we get|i got|gets|yields?|produces?|shows?|see|saw|comes out)\b[^.\n]{0,60}$`)
	wantedWords = regexp.MustCompile(`(?i)\b(expected|expect|should (?:be|print|return|give|have|look|output|` +
		`yield)|desired|correct (?:output|result|answer)|would like|want)\b[^.\n]{0,60}$`)
	// A block that brings in what it uses is a program, whatever is said of it.
	surely = regexp.MustCompile(`(?m)^\s*(?:import \w|from [\w.]+ import |def \w+\(|class \w+|>>> |In \[\d+\]:|print\()`)
	// Values that people name in a sentence.
	inSentence = regexp.MustCompile("(?i)\\b(?:should (?:be|return|give|print|yield|evaluate to|output)|expected(?: (?:output|result|value|answer))?(?: is|:| to be)?|instead of|rather than)\\s*:?\\s*`([^`\\n]{1,200})`")
)

// says reads the last line of a cue.
func says(cue string) saying {
	line := strings.TrimRight(strings.TrimSpace(cue), " :*_`.,(-)!")
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if !strings.HasSuffix(strings.TrimRight(cue, " *_`\n"), ":") && len(strings.Fields(line)) > 6 {
		return nothing // a sentence in front of a block need not be about it
	}
	switch {
	case wantedWords.MatchString(line):
		return wanted
	case gotWords.MatchString(line):
		return got
	}
	return nothing
}

// Wished reports whether the words in front of a piece say that it is what should come.
func (p Piece) Wished() bool { return says(p.Cue) == wanted }

// addResult keeps what a block shows of the result of the program above it.
func (t *Thread) addResult(post int, what saying, text string) {
	n := len(t.Programs)
	text = strings.Trim(text, "\n")
	if n == 0 || t.Programs[n-1].Post != post || text == "" || strings.Count(text, "\n") > 40 {
		return
	}
	p := &t.Programs[n-1]
	switch {
	case what == got && p.Printed == "" && p.Raised == nil:
		p.Printed = text
	case what == wanted && p.Wanted == "":
		p.Wanted = text
	}
}

// labels are lines that say what came, or should come, and nothing else.
var labels = regexp.MustCompile("(?im)^[\\s>*_-]*(?:((?:what i|i|we|it|what one) (?:get|got|gets|see|saw|prints?)|" +
	"actual(?: (?:output|result|value|behaviou?r))?|got|printed)|" +
	"((?:what i|i|we)(?: would)? (?:expect|expected|want|wanted)|expected(?: (?:output|result|value|behaviou?r))?|wanted))" +
	"[*_]{0,3}\\s*:[*_]{0,3}\\s*(?:\\*\\*|`)([^`*\\n]{1,200})(?:\\*\\*|`)[\\s.]*$")

// labelled takes what a post's labels say that came of its program, if they say both what did and what should have.
func (p *Program) labelled(prose string) {
	var got, wanted string
	for _, m := range labels.FindAllStringSubmatch(prose, -1) {
		if value := strings.TrimSpace(m[3]); m[1] != "" {
			got = value
		} else {
			wanted = value
		}
	}
	if got != "" && wanted != "" && got != wanted {
		p.Printed, p.Wanted = got, wanted
	}
}

// wantedInProse is the value that a post's sentences say should have come.
func wantedInProse(prose string) string {
	if m := inSentence.FindStringSubmatch(prose); m != nil {
		return strings.TrimSpace(m[1])
	}
	return ""
}
