package mention

import (
	"slices"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/observe"
)

// words are those of a report whose code is all programs, but for blocks of text.
func words(title, body string) Words {
	pieces := intake.Read(bug.Report{Title: title, Body: body}).Pieces
	s := observe.Session{Programs: map[int]bool{}}
	for i, p := range pieces {
		s.Programs[i] = p.Kind == intake.Code && p.Lang == "python"
	}
	return Of(pieces, s)
}

func levels(hits []Hit) (all []Level) {
	for _, h := range hits {
		all = append(all, h.Level)
	}
	return all
}

var (
	no    = observe.Thing{Kind: observe.Exception, Class: "ValueError", Message: "cannot sum 12 snails"}
	seven = observe.Thing{Kind: observe.Value, Texts: []string{"Snail(name='Gary', speed=7)"}}
	eight = observe.Thing{Kind: observe.Value, Texts: []string{"Snail(name='Gary', speed=8)"}}
	quiet = observe.Thing{Kind: observe.Silence}
)

// An error is found wherever people put it.
func TestErrorsAreFoundAnywhere(t *testing.T) {
	for name, w := range map[string]Words{
		"a traceback": words("x", "```\nTraceback (most recent call last):\n  File \"a\", line "+
			"1\nValueError: cannot sum 12 snails\n```"),
		"a comment":           words("x", "```python\nf()  # ValueError: cannot sum 12 snails\n```"),
		"the title":           words("ValueError: cannot sum 12 snails", "Hello."),
		"backticks":           words("x", "I get `ValueError: cannot sum 12 snails` here."),
		"prose":               words("x", "Will get: ValueError: cannot sum 12 snails"),
		"a class of a module": words("x", "### Error logs\n```\npkg.exc.ValueError: cannot sum 12 snails\n```"),
		"wrapped":             words("x", "```\nValueError: cannot sum\n  12 snails\n```"),
	} {
		if got := w.Find(no, quiet, 0); !slices.Contains(levels(got), ErrorWhole) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	raised := words("It fails silently", "There should be an error.")
	if got := raised.Find(no, quiet, 0); !slices.ContainsFunc(got, func(h Hit) bool {
		return h.Level == SaidError && h.Polarity == "prose: wish"
	}) {
		t.Errorf("the error that is asked for: %+v", got)
	}
	if got := raised.Find(quiet, no, 0); !slices.Contains(levels(got), SaidNoError) {
		t.Errorf("the error that does not come: %+v", got)
	}
	gone := observe.Thing{Kind: observe.Exception, Class: "ImportError", Message: "cannot import name 'sum_snails'"}
	if got := words("Wrong value of sum_snails", "An ImportError?").Find(gone, quiet, 0); len(got) != 0 {
		t.Errorf("a name that is not there yet: %+v", got)
	}
	for name, w := range map[string]Words{
		"another message": words("x", "`ValueError: no such planet`"),
		"nothing":         words("x", "It does not work."),
	} {
		if got := w.Find(no, quiet, 0); slices.Contains(levels(got), ErrorWhole) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A value counts most under the statement that shows it, and not where the
// other version's value stands just as well.
func TestValues(t *testing.T) {
	session := words("x", "```\n>>> gary()\nSnail(name='Gary', speed=7)\n```")
	if got := session.Find(seven, eight, 1); !slices.Contains(levels(got), ValueThere) {
		t.Errorf("under its statement: %+v", got)
	}
	if got := session.Find(eight, seven, 1); len(got) > 0 {
		t.Errorf("the other value: %+v", got)
	}
	if got := session.Find(seven, eight, 9); slices.Contains(levels(got), ValueThere) {
		t.Errorf("of another statement: %+v", got)
	}
	if got := words("x", "It is slow. Some text.").Find(seven, eight, 1); len(got) > 0 {
		t.Errorf("nowhere: %+v", got)
	}
}

func TestPolarity(t *testing.T) {
	for body, want := range map[string]string{
		"It should be `Snail(name='Gary', speed=7)`.":                     "inline: wish",
		"But it returns `Snail(name='Gary', speed=7)`.":                   "inline: complaint",
		"### Expected\n\n```\nSnail(name='Gary', speed=7)\n```":           "heading: wish",
		"### What happened\n\n```\nSnail(name='Gary', speed=7)\n```":      "heading: complaint",
		"What I got was:\n\n```\nSnail(name='Gary', speed=7)\n```":        "before: complaint",
		"```\nSnail(name='Gary', speed=7)\n```":                           "block: nothing",
		"```python\ngary()  # should be Snail(name='Gary', speed=7)\n```": "comment: wish",
		"I expected\n\n```\nSnail(name='Gary', speed=7)\n```":             "before: wish",
	} {
		got := words("x", body).Find(seven, eight, 99)
		if !slices.ContainsFunc(got, func(h Hit) bool { return h.Polarity == want }) {
			t.Errorf("%q: %+v, want %s", body, got, want)
		}
	}
}

func TestCover(t *testing.T) {
	u := func(s string) unit {
		var w Words
		w.add(unit{kind: block, text: s})
		return w.units[0]
	}
	for _, tt := range []struct {
		want, in string
		least    float64
		most     float64
	}{
		{"a b c", "x a b c y", 1, 1},
		{"1.2345678", "is 1.23457 there", 1, 1},
		{"<a at 0x7f001122>", "<a at 0x55aabbcc>", 1, 1},
		{"one two three four five six seven eight", "one two three four ... seven eight", 0.7, 0.99},
		{"one two three four five six seven eight", "eight seven six five four three two one", 0, 0.3},
		{"a b c", "a x b x c", 0, 0},
	} {
		if got := cover(Tokens(tt.want), u(tt.in)); got < tt.least || got > tt.most {
			t.Errorf("cover(%q, %q) = %.2f, want %.2f to %.2f", tt.want, tt.in, got, tt.least, tt.most)
		}
	}
}
