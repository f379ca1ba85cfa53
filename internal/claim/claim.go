// Package claim finds where a report shows what its program has printed, by what the program prints when it runs: a
// block of lines with the same words in the same places, remarks behind its print statements. No words need to
// announce it.
package claim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// Of is what a thread shows of the output of a program, and where it shows it. All are runs of the program on one
// version; r is the reading of the program as it stands in the report.
func Of(t intake.Thread, program string, r syntax.Reading, all []bug.Outcome) (bug.Symptom, string, bool) {
	if len(all) == 0 || all[0].End != bug.Exited {
		return bug.Symptom{}, "", false
	}
	var forms []string
	for _, f := range r.Forms {
		forms = append(forms, f.Text)
	}
	if s, ok := symptom(noted(program, r), forms, all, false); ok {
		return s, "the remarks in the program", true
	}
	best, where, most := bug.Symptom{}, "", 0
	for _, p := range t.Pieces {
		if p.Kind != intake.Code && p.Kind != intake.Inline || same(p.Text, program) {
			continue
		}
		s, ok := symptom(p.Text, forms, all, p.Wished())
		k := bug.Alike(p.Text, all[0].Stdout, forms)
		if placed := k.Same + k.Near + k.Other + k.Gone; ok && placed > most && (p.Kind == intake.Code || wordy(p.Text)) {
			best, where, most = s, "what the report shows of its output", placed
		}
	}
	return best, where, most > 0
}

// symptom is what is shown, as something to look for, if it is of this output.
func symptom(shown string, forms []string, all []bug.Outcome, wished bool) (bug.Symptom, bool) {
	shown = bug.Steady(shown, all)
	k := bug.Alike(shown, all[0].Stdout, forms)
	if k.Answer() == bug.Unknown || !wordy(shown) && k.Same+k.Near+k.Other < k.Of {
		return bug.Symptom{}, false
	}
	s := bug.Symptom{Kind: bug.Prints, Output: shown, Claimed: true, Forms: strings.Join(forms, "\n")}
	if wished {
		s.Kind, s.Wanted, s.Output = bug.Lacks, s.Output, ""
	}
	return s, true
}

var word = regexp.MustCompile(`[A-Za-z]{3,}`)

// wordy reports whether a text has words, and not values alone.
func wordy(text string) bool {
	return slices.ContainsFunc(word.FindAllString(text, -1), func(w string) bool {
		return !slices.Contains([]string{"True", "False", "None", "nan", "inf", "tensor", "array"}, w)
	})
}

func same(a, b string) bool {
	return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
}

var (
	remark = regexp.MustCompile(`#\s?(.*)$`)
	below  = regexp.MustCompile(`^\s*#\s?(.*)$`)
	// What people put in front of a value that was printed.
	label = regexp.MustCompile(
		`(?i)^(?:(?:prints?|outputs?|out|results?|returns?|gives?|got|actual(?:ly)?)\b\s*:?|=+>|-+>|:)\s*`,
	)
	// What is printed looks like a value, not like a sentence.
	value = regexp.MustCompile(`^(?:[\[({'"\d.+-]|(?:True|False|None|nan|inf|\w+\.\w+)\b|\w+\()`)
	wish  = regexp.MustCompile(`(?i)\b(?:should|expect|want)`)
)

// noted is what remarks behind print statements, and behind values that stand alone, say that these print: a line each,
// with the words that the statement itself prints.
func noted(program string, r syntax.Reading) string {
	lines := strings.Split(program, "\n")
	places := slices.Clone(r.Forms)
	for _, b := range r.Bare {
		places = append(places, syntax.Form{Line: b[0], Last: b[1], Text: bug.Hole})
	}
	slices.SortFunc(places, func(a, b syntax.Form) int { return a.Line - b.Line })
	var all []string
	for _, f := range places {
		if f.Last < 1 || f.Last > len(lines) {
			continue
		}
		var said []string
		if m := remark.FindStringSubmatch(lines[f.Last-1]); m != nil {
			said = append(said, label.ReplaceAllString(strings.TrimSpace(m[1]), ""))
		}
		for i, next := range lines[f.Last:] {
			if i == 0 && strings.TrimSpace(next) == "" {
				continue
			}
			m := below.FindStringSubmatch(next)
			if m == nil || len(said) == 0 && !value.MatchString(label.ReplaceAllString(m[1], "")) {
				break
			}
			said = append(said, label.ReplaceAllString(m[1], ""))
		}
		text := strings.Join(said, "\n")
		if text == "" || !value.MatchString(text) || wish.MatchString(text) {
			continue
		}
		if front, rest, _ := strings.Cut(f.Text, bug.Hole); strings.TrimSpace(front) != "" && rest == "" {
			text = front + text
		}
		all = append(all, text)
	}
	return strings.Join(all, "\n")
}
