package casefile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

// assertion is a check that a program makes itself.
var assertion = regexp.MustCompile(`(?m)^[^#\n]*\bassert(?:\s|_\w+\(|[A-Z]\w*\()`)

// printing is how a program shows something to be looked at.
var printing = regexp.MustCompile(`(?m)^[^#\n]*\bprint\(`)

// ChecksAtItsEnd reports whether a program checks its result itself, and shows nothing after
// that which somebody would have to look at.
func ChecksAtItsEnd(text string) bool {
	checks := assertion.FindAllStringIndex(text, -1)
	return len(checks) > 0 && !printing.MatchString(text[checks[len(checks)-1][1]:])
}

// Named is what goes wrong by what was seen, where the report does not say it in a way that can be
// looked for: a check of the program's own fails, or the report has the words of the failure.
func (c Case) Named() (bug.Symptom, string, bool) {
	words := c.WithWords().Words
	for _, a := range c.Asked {
		for _, o := range a.Tally.Outcomes {
			if a.Lacks != "" || a.Drift || !o.Failed() {
				continue
			}
			if o.FailsItsCheck() {
				return o.Symptom(), "a check of the program itself", true
			}
			if e, ok := o.Exception(); ok && c.cutShort() && statementIn(e, c.Thread.Output) {
				return o.Symptom(), "the statement in the report's traceback", true
			}
			if remark := c.remarked(o); remark != "" {
				return o.Symptom(), fmt.Sprintf("the remark %s at the statement", bug.Quoted(bug.Short(remark, 80))), true
			}
			if said := o.SaidIn(words); said != "" {
				return o.Symptom(), fmt.Sprintf("the words %s in the report", bug.Quoted(bug.Short(said, 80))), true
			}
		}
	}
	return bug.Symptom{}, "", false
}

// remarked is what a program's own remark behind a statement says of it, where that statement failed and the remark
// says that it does.
func (c Case) remarked(o bug.Outcome) string {
	e, raised := o.Exception()
	if !raised {
		return ""
	}
	lines := strings.Split(c.Repro.Files[bug.Script], "\n")
	for _, f := range slices.Backward(e.Frames) {
		if !strings.HasSuffix(f.File, bug.Script) || f.Line < 1 || f.Line > len(lines) {
			continue
		}
		_, remark, _ := strings.Cut(lines[f.Line-1], "#")
		if failing.MatchString(remark) && !fine.MatchString(remark) {
			return strings.TrimSpace(remark)
		}
	}
	return ""
}

// fine is how a remark says that something does not fail.
var fine = regexp.MustCompile(`(?i)\b(?:(?:no|never|without(?: an?)?) (?:errors?|exceptions?|fail|crash|rais)\w*|` +
	`(?:does|do|did)(?:n't| not) (?:fail|crash|raise|throw|break)|fine|ok|okay|works|worked|passes)\b`)

// statementIn reports whether the statement of the program that failed stands in a traceback.
func statementIn(e bug.Exception, traceback string) bool {
	for _, f := range e.Frames {
		if strings.HasSuffix(f.File, bug.Script) && len(f.Code) > 8 && strings.Contains(traceback, f.Code) {
			return true
		}
	}
	return false
}

// Another is an error that a version raised and that the report shows besides the one that was looked for and not found:
// a report may tell of several.
func (c Case) Another() (bug.Symptom, string, bool) {
	if c.Symptom.Kind != bug.Raises || slices.ContainsFunc(c.Asked, Asked.Shows) {
		return bug.Symptom{}, "", false
	}
	for _, claim := range c.Thread.Exceptions {
		s := bug.SymptomOf(claim.Exception)
		if claim.Post != 0 && claim.Post != c.Candidates[0].Post || s.Message == "" {
			continue
		}
		for _, a := range c.Asked {
			if last := a.Tally.Outcomes[len(a.Tally.Outcomes)-1]; s.In(last) == bug.Yes {
				return s, "another error that the report shows", true
			}
		}
	}
	return bug.Symptom{}, "", false
}

// Unseen reports whether no words say what goes wrong, or what they show of a script's output was printed nowhere.
func (c Case) Unseen() bool {
	return c.Symptom.Kind == bug.Unsaid || c.Symptom.InOutput() && !c.Candidates[0].Session &&
		!slices.ContainsFunc(c.Asked, Asked.Shows)
}

// cutShort reports whether the report shows a traceback without its end.
func (c Case) cutShort() bool {
	return len(c.Thread.Exceptions) == 0 && strings.Contains(c.Thread.Output, "Traceback (most recent call last)")
}

// speaksOfFailure reports whether title or text speak of anything that fails, in whichever words.
func (c Case) speaksOfFailure() bool {
	return c.cutShort() || failing.MatchString(c.Report.Title+"\n"+c.Thread.Prose+"\n"+c.Thread.Output)
}

var failing = regexp.MustCompile(
	`(?i)\b(?:errors?|errored|exceptions?|rais(?:e[sd]?|ing)|throws?|thrown|fail\w*|crash\w*|broken|` +
		`breaks?|abort\w*|segfault\w*|segmentation|assert\w*|traceback|` +
		`unsupported|(?:not|n't|cannot|can not) (?:\w+ ){0,2}(?:work|support\w*|run|allow\w*|accept\w*|compile|export|load|` +
		`trace)|unable|complains?|dies|killed|core dump\w*|refus\w*|reject\w*)\b|` +
		`(?:Error|Exception)\b`,
)
