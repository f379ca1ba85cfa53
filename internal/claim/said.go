package claim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/intake"
)

const aValue = "`?(-?\\d+(?:\\.\\d+)?(?:[eE]-?\\d+)?|True|False|-?nan|NaN|-?inf|None)\\b`?"

var (
	comes = regexp.MustCompile(
		`(?i)\b(?:prints?|printed|outputs?|returns?|returned|gives?|gave|yields?|produces?|shows?|gets?|got|` +
			`comes out as|ends in|is still|was|is|are)(?: (?:me|out|nothing but|only|just|always|now|a|the|value|result|of|as))*\s*:?\s*` +
			aValue,
	)
	shouldCome = regexp.MustCompile(
		`(?i)\b(?:should(?: \w+){0,2}|ha(?:s|ve) to be|must be|ought to be|expect(?:ed|s)?(?: (?:output|result|` +
			`value|answer))?(?: is| was| to be)?|instead of|rather than|would be right|i want|right (?:value|answer|result) is|sum of)\s*:?\s*` +
			aValue,
	)
	special = regexp.MustCompile(`(?i)^-?(?:nan|inf|none|true|false)$`)
)

// Said is what sentences of a thread say that a program prints, and what it should print, in values of which one was
// printed in every run. A number alone says nothing where no other is asked for: it may count anything.
func Said(t intake.Thread, all []bug.Outcome) (bug.Symptom, string, bool) {
	steady := steadyValues(all)
	if len(steady) == 0 || len(steady) > 40 {
		return bug.Symptom{}, "", false
	}
	wishful := false
	for _, p := range t.Pieces {
		if p.Kind == intake.Heading {
			wishful = hoped.MatchString(p.Text)
		}
		if p.Kind != intake.Prose && p.Kind != intake.Title {
			continue
		}
		text := p.Text
		s := bug.Symptom{Kind: bug.Prints, Among: true}
		wanted := shouldCome.FindStringSubmatchIndex(text)
		if wanted != nil {
			s.Wanted = text[wanted[2]:wanted[3]]
		}
		for _, m := range comes.FindAllStringSubmatchIndex(text, -1) {
			if wanted == nil || m[2] != wanted[2] {
				s.Output = text[m[2]:m[3]]
				break
			}
		}
		enough := s.Output != "" && (s.Wanted != "" || special.MatchString(s.Output)) || s.Wanted != "" && wishful
		if enough && s.Output != s.Wanted &&
			slices.ContainsFunc(all, func(o bug.Outcome) bool { return s.In(o) != bug.Unknown }) {
			return s, "a sentence of the report", true
		}
	}
	return bug.Symptom{}, "", false
}

var hoped = regexp.MustCompile(`(?i)expect|should|want`)

// steadyValues are what is printed in every run.
func steadyValues(all []bug.Outcome) []string {
	if len(all) == 0 {
		return nil
	}
	first := bug.Values(all[0].Stdout)
	for _, o := range all[1:] {
		if strings.Join(bug.Values(o.Stdout), " ") != strings.Join(first, " ") {
			return nil
		}
	}
	return first
}
