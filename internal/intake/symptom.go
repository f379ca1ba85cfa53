package intake

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/profile"
)

// Symptom returns what the thread says goes wrong when p runs, and where it
// says so. Nothing is guessed: if the thread does not say, the symptom is zero.
func (t Thread) Symptom(title string, p Program, known profile.Profile) (bug.Symptom, string) {
	s, from := t.symptom(title, p, known.Symptoms)
	for _, tail := range known.Tails {
		if short := strings.TrimSpace(tail.ReplaceAllString(s.Message, "")); short != "" {
			s.Message = short
		}
	}
	return s, from
}

func (t Thread) symptom(title string, p Program, phrases []profile.Phrase) (bug.Symptom, string) {
	said, saidIn := t.phrase(title, p, phrases)
	if p.Raised != nil {
		return bug.SymptomOf(p.Raised.Exception), "the session it was typed in"
	}
	if e, ok := t.Claim(p.Post); ok {
		// Who waits for a program that hangs ends it by hand, and that leaves a traceback too.
		if e.Name() == "KeyboardInterrupt" && said.Kind == bug.Hangs {
			return said, saidIn
		}
		return bug.SymptomOf(e.Exception), "the traceback in " + place(e.Post)
	}
	if said.Kind != bug.Unsaid {
		return said, saidIn
	}
	if m := warned.FindStringSubmatch(p.Printed); m != nil && !p.Session {
		return bug.Symptom{
			Kind:    bug.Warns,
			Class:   m[1],
			Message: strings.ToValidUTF8(m[2][:min(80, len(m[2]))], ""),
		}, "the warning in the report"
	}
	if p.Printed != "" {
		from := "what the report says it prints"
		if p.Session {
			from = "what its session printed last"
		}
		return bug.Symptom{Kind: bug.Prints, Output: p.Printed, Before: p.Earlier, Wanted: p.Wanted}, from
	}
	if p.Wanted != "" {
		return bug.Symptom{Kind: bug.Lacks, Wanted: p.Wanted}, "what the report says it should print"
	}
	return bug.Symptom{}, ""
}

// warned is a warning as Python prints it.
var warned = regexp.MustCompile(`(?m)^\s*\S*:\d+: (\w*Warning): (.+)$`)

// VersionOf is the version of something that the report says it is about, by
// any of its names, without how it was built.
func (t Thread) VersionOf(names ...string) (string, bool) {
	for _, v := range t.Versions {
		if v.Post == 0 && slices.ContainsFunc(names, func(n string) bool {
			return n != "" &&
				strings.EqualFold(v.Of, n)
		}) {
			number, _, _ := strings.Cut(v.Is, "+")
			return number, true
		}
	}
	return "", false
}

// Claim returns the exception that goes with a program of the given post:
// the last in that post, or else the last in the report, or anywhere.
// Whole tracebacks go before lines that stand alone.
func (t Thread) Claim(post int) (Claim, bool) {
	for _, bare := range []bool{false, true} {
		for _, in := range []func(Claim) bool{
			func(c Claim) bool { return c.Post == post },
			func(c Claim) bool { return c.Post == 0 },
			func(Claim) bool { return true },
		} {
			for _, c := range slices.Backward(t.Exceptions) {
				if c.Bare == bare && in(c) {
					return c, true
				}
			}
		}
	}
	return Claim{}, false
}

// remarks are what a program says of itself besides what it does.
var remarks = regexp.MustCompile(`(?m)^[ \t]*#(.*)$`)

func (t Thread) phrase(title string, p Program, phrases []profile.Phrase) (bug.Symptom, string) {
	for _, in := range []struct{ text, place string }{{title, "title"}, {t.Prose, "report"}, {t.Output, "output"},
		{strings.Join(remarks.FindAllString(p.Text, -1), "\n"), "program's remarks"}} {
		for _, known := range phrases {
			if known.Kind == bug.Fails {
				continue
			}
			if words := known.Match.FindString(in.text); words != "" {
				return bug.Symptom{Kind: known.Kind, Signal: known.Signal}, fmt.Sprintf("the words %q in the %s", words,
					in.place)
			}
		}
	}
	return bug.Symptom{}, ""
}

// Complaint is how the title or the report says that something fails, without
// saying in which way. It is empty if they speak of anything else that is wrong as well.
func (t Thread) Complaint(title string, known profile.Profile) string {
	for _, p := range known.Symptoms {
		if p.Kind == bug.Fails {
			if words := p.Match.FindString(title); words != "" {
				return strings.TrimSpace(title)
			}
		}
	}
	if len(t.Exceptions) == 0 && strings.Contains(t.Output, "Traceback (most recent call last)") {
		return "Traceback (most recent call last): … (its end is left out)"
	}
	return ""
}

func place(post int) string {
	if post == 0 {
		return "the report"
	}
	return fmt.Sprintf("comment %d", post)
}
