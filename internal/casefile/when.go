package casefile

import (
	"fmt"
	"strings"

	"github.com/scrub-dev/scrub/internal/bisect"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/culprit"
)

// When is what is known about where in its history a bug came or went.
type When struct {
	Search
	Commits  *Search           `json:"commits,omitempty"`  // the same between two releases
	Suspects []culprit.Suspect `json:"suspects,omitempty"` // the likeliest first
	// Built are the commits that the two neighbours say they were built from, the older first.
	Built   []string `json:"built_from,omitempty"`
	With    Asked    `json:"-"` // the release with the bug that is next to one without
	Without Asked    `json:"-"`
}

// A Search is what versions in a row have answered.
type Search struct {
	Of       string        `json:"versions_of"`    // what the versions are of
	Versions []string      `json:"versions"`       // that were looked through, oldest first
	Found    bisect.Result `json:"result"`         // by their numbers
	Why      string        `json:"why,omitempty"`  // why nothing can be said
	Note     string        `json:"note,omitempty"` // what else to know of the versions
}

// cutoff is how sure a search must be to be told as a fact.
const cutoff = 0.95

// Sure reports whether what was found may be told as a fact.
func (w Search) Sure() bool { return w.Found.Sure >= cutoff }

// Exact is the pair of neighbours between which it changed, if it is sure.
func (w Search) Exact() (from, to string, ok bool) {
	c := w.Found.Found
	if c == nil || !c.Exact() || !w.Sure() {
		return "", "", false
	}
	return w.Versions[c.From], w.Versions[c.To], true
}

// Culprit is the one pull request or commit that is known to have done it.
func (w When) Culprit() (culprit.Suspect, bool) {
	if len(w.Suspects) == 0 {
		return culprit.Suspect{}, false
	}
	first := w.Suspects[0]
	measured := false
	if w.Commits != nil {
		_, _, measured = w.Commits.Exact()
	}
	return first, measured && len(first.Doubts) == 0 || first.Share >= cutoff && len(first.Evidence) > 2
}

// Words says what was found, in one sentence.
func (w Search) Words() string {
	c := w.Found.Found
	switch {
	case w.Why != "":
		return w.Why
	case c == nil:
		return "Nothing was found."
	}
	from, to := w.name(c.From), w.name(c.To)
	sure := ""
	if w.Found.Sure < 1 {
		sure = fmt.Sprintf(" (%.1f %% confidence)", 100*w.Found.Sure)
	}
	between := ""
	if !c.Exact() {
		between = fmt.Sprintf("; could not be tested: %s", strings.Join(w.Versions[c.From+1:c.To], ", "))
	}
	noun := w.noun()
	switch {
	case !w.Sure():
		return fmt.Sprintf("It probably changed between %s and %s%s; not verified%s.", from, to, sure, between)
	case c.Is == bug.Yes:
		return fmt.Sprintf("First affected %s: %s; last unaffected %s: %s%s%s.", noun, to, noun, from, sure, between)
	}
	return fmt.Sprintf("Last affected %s: %s; first fixed %s: %s%s%s.", noun, from, noun, to, sure, between)
}

// noun is what the versions are called.
func (w Search) noun() string {
	if w.Of == "commit" || w.Of == "version" {
		return w.Of
	}
	return "release"
}

// name is version i with what it is of, if that is a package.
func (w Search) name(i int) string {
	if w.noun() == "release" {
		return w.Of + " " + w.Versions[i]
	}
	return w.Versions[i]
}

// Others says which other changes were seen: a bug that returned, or one that
// was fixed on one line of releases and not yet on another.
func (w Search) Others() []string {
	var all []string
	for _, c := range w.Found.Changes {
		if w.Found.Found != nil && c == *w.Found.Found {
			continue
		}
		form := "fixed from %s on (%s is affected)"
		if c.Is == bug.Yes {
			form = "affected from %s on (%s is not)"
		}
		all = append(all, fmt.Sprintf(form, w.Versions[c.To], w.Versions[c.From]))
	}
	return all
}

// Answer says whether a version does what the report is about. Two that are
// known to differ, one with the bug and one without, say what that means.
func (s Subject) Answer(a, with, without Asked) (bug.Answer, string) {
	last := a.Tally.Outcomes[len(a.Tally.Outcomes)-1]
	words := "the program " + last.Words()
	if !with.Shows() || without.Shows() { // the symptom does not tell them apart: what they do does
		did, same := always(a.Tally)
		before, _ := always(with.Tally)
		after, _ := always(without.Tally)
		switch {
		case same && did == before:
			return bug.Yes, words
		case same && did == after:
			return bug.No, words
		case same && !last.Failed():
			return s.byLine(last, with.Tally.Outcomes[0], without.Tally.Outcomes[0]), words
		}
		return bug.Unknown, words
	}
	good := without.Tally.Outcomes[len(without.Tally.Outcomes)-1]
	switch {
	case a.Shows():
		return bug.Yes, words
	case a.Tally.Answer() == bug.Unknown, a.Drift:
		return bug.Unknown, words
	case a.Stopped(s.Symptom):
		return bug.No, words
	case last.Failed() && (!good.Failed() || last.Words() != good.Words()):
		return bug.Unknown, words // another error: it may hide the bug
	}
	return bug.No, words
}

// byLine answers by the one line that the report shows or asks for: what else
// a version prints may have changed for other reasons.
func (s Subject) byLine(o, before, after bug.Outcome) bug.Answer {
	_, line, wanted, ok := s.singledOut(before, after)
	switch {
	case !ok || line == "":
		return bug.Unknown
	case wanted && prints(o.Stdout, line), !wanted && !prints(o.Stdout, line):
		return bug.No
	case !wanted:
		return bug.Yes
	}
	return bug.Unknown
}

// Sure is how likely an answer is right, given how often the bug shows where
// it is.
func Sure(a bug.Answer, asked, with Asked) float64 {
	rate, low, _ := with.Tally.Rate()
	if a != bug.No || rate == 1 || with.Tally.Yes == 0 {
		return 1
	}
	return 1 - asked.Tally.Missed(low)
}

// Neighbours are the two releases between which a bug was fixed, if that is sure.
func (c Case) Neighbours() (with, without Asked, ok bool) {
	if c.When == nil {
		return with, without, false
	}
	_, _, exact := c.When.Exact()
	with, without = c.When.With, c.When.Without
	return with, without, exact && with.Tally.Yes > 0 && without.Tally.Runs() > 0 && without.Tally.Yes == 0
}
