package mention

import (
	"regexp"
	"strings"

	"github.com/scrub-dev/scrub/internal/intake"
)

var (
	wishes = regexp.MustCompile(`(?i)\b(expect\w*|should|correct(?:ly)?|want\w*|would (?:be|like)|desired|ought|` +
		`proper(?:ly)?|better|rather than|supposed|ideally|right answer|true answer|in fact|actually (?:is|equal)|good|` +
		`fixed|after|hope\w*|proposed?|suggest\w*|instead of|must be|needs? to be|can be|could)\b`)
	complaints = regexp.MustCompile(`(?i)\b(actual(?:ly)?|got|gets?|instead|but|however|error\w*|returns?|returned|` +
		`raises?|raised|fails?|failed|failing|wrong\w*|incorrect\w*|gives?|gave|bug\w*|broken|currently|yields?|` +
		`produces?|output|outputs|result\w*|happen(?:s|ed)|exception|traceback|crash\w*|unexpected\w*|problem|invalid|` +
		`prints?|now|leads?|throws?|why)\b`)
	denials = regexp.MustCompile(`(?i)\b(not|no|instead of|rather than|never|no longer|without)\b|n't\b`)
	// What stands in front of this is to be something else.
	replaced = regexp.MustCompile(`(?i)^[\s\W]*(?:but|and|it|which|that|this)?[\s\W]*` +
		`(?:should|instead of|rather than|not\b|expected|is wrong|is not)`)
	// "should" + " raise": what it is to do
	wished = regexp.MustCompile(`(?i)^(?: \w+)? (?:raises?|returns?|gives?|prints?|yields?|produces?|outputs?|results?|` +
		`throws?|be)\W*$`)
	wishHead      = regexp.MustCompile(`(?i)expect|should|desired|correct|want`)
	complaintHead = regexp.MustCompile(`(?i)actual|happened|problem|current|bug|error|traceback|observed|issue|got`)
)

// cue is the sense of the last word of a text that has one: wish or complaint,
// and whether something in it denies. It is empty if none has.
func cue(text string) string {
	last := func(re *regexp.Regexp) int {
		if all := re.FindAllStringIndex(text, -1); len(all) > 0 {
			return all[len(all)-1][1]
		}
		return -1
	}
	w, c := last(wishes), last(complaints)
	if w < 0 && c < 0 {
		return ""
	}
	sense := "complaint"
	if w > c || w >= 0 && wished.MatchString(text[w:]) {
		sense = "wish"
	}
	if denials.MatchString(text) {
		sense += ", denied"
	}
	return sense
}

// polarity is where a hit stands and what the words nearest to it say of it:
// "inline: wish", "before: complaint", "traceback".
func (w Words) polarity(u unit, hit string) string {
	if u.trace {
		return "traceback"
	}
	if u.kind == prose || u.kind == title || u.kind == inline || u.kind == comment {
		text := u.text
		if u.kind == inline {
			text = u.around
		}
		if at := strings.Index(text, hit); at >= 0 && hit != "" {
			if c := cue(text[:at]); c != "" {
				return string(u.kind) + ": " + c
			}
			if replaced.MatchString(text[at+len(hit):]) {
				return string(u.kind) + ": complaint"
			}
		}
		// What was seen says nothing of how it is meant, though it may be an error that expects something.
		if c := cue(strings.Replace(text, hit, "", 1)); c != "" {
			return string(u.kind) + ": " + c
		}
	}
	return w.before(u)
}

// before is what the two pieces of prose in front of a unit say of it.
func (w Words) before(u unit) string {
	at, seen := u.piece, 0
	if u.kind == output {
		at = u.cell
	}
	for at--; at >= 0 && seen < 2; at-- {
		p := w.pieces[at]
		switch p.Kind {
		case intake.Heading:
			switch {
			case wishHead.MatchString(p.Text):
				return "heading: wish"
			case complaintHead.MatchString(p.Text):
				return "heading: complaint"
			}
		case intake.Prose:
			text := strings.TrimSpace(p.Text)
			text = text[strings.LastIndexByte(text, '\n')+1:]
			if c := cue(text); c != "" {
				return []string{"before: ", "further before: "}[seen] + c
			}
			seen++
		}
	}
	return string(u.kind) + ": nothing"
}
