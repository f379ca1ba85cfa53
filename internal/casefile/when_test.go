package casefile

import (
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bisect"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/culprit"
)

// searched is a search of four versions that found a change.
func searched(of string, from, to int, is bug.Answer, sure float64) Search {
	c := bisect.Change{From: from, To: to, Is: is}
	return Search{Of: of, Versions: []string{"1", "2", "3", "4"},
		Found: bisect.Result{Found: &c, Changes: []bisect.Change{c}, Sure: sure}}
}

// What was found is said as a fact only if it is sure enough, and with what could
// not be tested in between.
func TestWhatASearchSays(t *testing.T) {
	for _, tt := range []struct {
		s     Search
		words string
		exact bool
	}{
		{searched("snail", 1, 2, bug.No, 1), "Last affected release: snail 2; first fixed release: snail 3.", true},
		{searched("snail", 1, 2, bug.Yes, 1), "First affected release: snail 3; last unaffected release: snail 2.", true},
		{searched("commit", 0, 1, bug.No, 1), "Last affected commit: 1; first fixed commit: 2.", true},
		{searched("version", 0, 1, bug.No, 1), "Last affected version: 1; first fixed version: 2.", true},
		{searched("snail", 0, 3, bug.No, 1),
			"Last affected release: snail 1; first fixed release: snail 4; could not be tested: 2, 3.", false},
		{searched("snail", 1, 2, bug.No, 0.95),
			"Last affected release: snail 2; first fixed release: snail 3 (95.0 % confidence).", true},
		{searched("snail", 1, 2, bug.No, 0.94),
			"It probably changed between snail 2 and snail 3 (94.0 % confidence); not verified.", false},
		{Search{Why: "Because."}, "Because.", false},
		{Search{}, "Nothing was found.", false},
	} {
		if got := tt.s.Words(); got != tt.words {
			t.Errorf("got %q, want %q", got, tt.words)
		}
		if _, _, ok := tt.s.Exact(); ok != tt.exact {
			t.Errorf("%s: exact %v", tt.words, ok)
		}
	}
	if from, to, _ := searched("snail", 1, 2, bug.No, 1).Exact(); from != "2" || to != "3" {
		t.Errorf("between %s and %s", from, to)
	}
}

// Other changes than the one that was looked for are said, too.
func TestOtherChangesAreSaid(t *testing.T) {
	s := searched("snail", 2, 3, bug.No, 1)
	s.Found.Changes = append(s.Found.Changes, bisect.Change{From: 0, To: 1, Is: bug.Yes},
		bisect.Change{From: 1, To: 2, Is: bug.No})
	got := strings.Join(s.Others(), "; ")
	if want := "affected from 2 on (1 is not); fixed from 3 on (2 is affected)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A pull request is named for sure if it alone was measured and nothing speaks
// against it, or if much speaks for it and hardly anything for the others.
func TestWhoIsNamedForSure(t *testing.T) {
	exact, wide := searched("commit", 1, 2, bug.No, 1), searched("commit", 0, 2, bug.No, 1)
	for name, tt := range map[string]struct {
		commits *Search
		first   culprit.Suspect
		sure    bool
	}{
		"measured":                    {&exact, culprit.Suspect{Pull: 3}, true},
		"measured, with a doubt":      {&exact, culprit.Suspect{Pull: 3, Doubts: []string{"docs only"}}, false},
		"one of two":                  {&wide, culprit.Suspect{Pull: 3}, false},
		"not measured":                {nil, culprit.Suspect{Pull: 3, Share: 0.9}, false},
		"not measured, much evidence": {nil, culprit.Suspect{Pull: 3, Share: 0.95, Evidence: []string{"a", "b", "c"}}, true},
		"likely, little evidence":     {nil, culprit.Suspect{Pull: 3, Share: 0.99, Evidence: []string{"a", "b"}}, false},
	} {
		w := When{Commits: tt.commits, Suspects: []culprit.Suspect{tt.first, {Pull: 4}}}
		if s, sure := w.Culprit(); s.Pull != 3 || sure != tt.sure {
			t.Errorf("%s: #%d, sure %v", name, s.Pull, sure)
		}
	}
	if _, sure := (When{}).Culprit(); sure {
		t.Error("nobody is named for sure")
	}
}

// A version answers by the symptom where that tells two versions apart, and else
// by what they do.
func TestWhatAVersionAnswers(t *testing.T) {
	no, err := bug.ParseSymptom("ValueError: no")
	if err != nil {
		t.Fatal(err)
	}
	with, without := asked("1", no, raised), asked("2", no, passed)
	drift := asked("3", no, trace("ModuleNotFoundError: No module named 'x'"))
	one, two := asked("1", bug.Symptom{}, printed("a\n")), asked("2", bug.Symptom{}, printed("b\n"))
	for name, tt := range map[string]struct {
		a, with, without Asked
		want             bug.Answer
	}{
		"shows it":                     {asked("3", no, raised), with, without, bug.Yes},
		"passes":                       {asked("3", no, passed), with, without, bug.No},
		"another error may hide it":    {asked("3", no, other), with, without, bug.Unknown},
		"the environment does not fit": {drift, with, without, bug.Unknown},
		"our own limit":                {asked("3", no, oom), with, without, bug.Unknown},
		"does what the bad one does":   {asked("3", bug.Symptom{}, printed("a\n")), one, two, bug.Yes},
		"does what the good one does":  {asked("3", bug.Symptom{}, printed("b\n")), one, two, bug.No},
		"does something else":          {asked("3", bug.Symptom{}, printed("c\n")), one, two, bug.Unknown},
		"does not always do the same":  {asked("3", bug.Symptom{}, printed("a\n"), printed("b\n")), one, two, bug.Unknown},
	} {
		if got, words := (Subject{}).Answer(tt.a, tt.with, tt.without); got != tt.want {
			t.Errorf("%s: %v (%s), want %v", name, got, words, tt.want)
		}
	}
	report := Subject{Words: "It prints `the wrong value`, always."}
	one, two = asked("1", bug.Symptom{}, printed("the wrong value\nx\n")), asked("2", bug.Symptom{}, printed("fine\n"))
	three := asked("3", bug.Symptom{}, printed("the wrong value\ny\n"))
	if got, _ := report.Answer(three, one, two); got != bug.Yes {
		t.Errorf("by the line that the report shows: %v", got)
	}
	if got, _ := report.Answer(asked("3", bug.Symptom{}, printed("y\n")), one, two); got != bug.No {
		t.Errorf("without the line that the report shows: %v", got)
	}
}

// A no is the less sure the seldomer the bug shows where it is.
func TestHowSureANoIs(t *testing.T) {
	no, err := bug.ParseSymptom("ValueError: no")
	if err != nil {
		t.Fatal(err)
	}
	always, seldom := asked("1", no, raised, raised), asked("1", no, raised, passed, passed, passed)
	once, often := asked("2", no, passed), asked("2", no, passed, passed, passed, passed, passed, passed)
	if got := Sure(bug.No, once, always); got != 1 {
		t.Errorf("it always shows: %v", got)
	}
	if got := Sure(bug.Yes, once, seldom); got != 1 {
		t.Errorf("it was seen: %v", got)
	}
	if a, b := Sure(bug.No, once, seldom), Sure(bug.No, often, seldom); a >= b || a <= 0 || b >= 1 {
		t.Errorf("once %v, often %v", a, b)
	}
}
