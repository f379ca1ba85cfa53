package judge

import (
	"fmt"
	"math"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/mention"
	"github.com/scrub-dev/scrub/internal/observe"
)

func TestHow(t *testing.T) {
	value := func(s string) observe.Thing { return observe.Thing{Kind: observe.Value, Texts: []string{s}} }
	raises := func(s string) observe.Thing { return observe.Thing{Kind: observe.Exception, Class: s} }
	kind := func(k observe.Kind) observe.Thing { return observe.Thing{Kind: k} }
	for _, tt := range []struct {
		statement string
		old, new  observe.Thing
		want      string
	}{
		{"Expr", value("1"), value("2"), "value"},
		{"Expr", raises("ValueError"), value("2"), "error gone"},
		{"Expr", value("2"), raises("ValueError"), "error came"},
		{"Expr", raises("TypeError"), raises("ValueError"), "another error"},
		{"Expr", raises("TypeError"), raises("TypeError"), "another message"},
		{"Expr", value("1.5"), value("np.float64(1.5)"), "reworded"},
		{"Expr", value("1"), observe.Thing{Kind: observe.Exception, Class: "AttributeError",
			Message: "module 'a' has no attribute 'b'"}, "no longer there"},
		{"Expr", raises("ImportError"), value("2"), "missing around it"},
		{"Assert", raises("AssertionError"), kind(observe.Silence), "assertion holds"},
		{"Assert", kind(observe.Silence), raises("AssertionError"), "assertion fails"},
		{"Expr", kind(observe.Death), value("1"), "crash gone"},
		{"Expr", value("1"), kind(observe.TooSlow), "ends no more"},
		{"Assign", kind(observe.Set), kind(observe.Set), "assigned value"},
		{"Expr", kind(observe.NotThere), value("1"), "reached or not"},
		{"Expr", kind(observe.Warning), kind(observe.Silence), "only warnings"},
	} {
		got := how(observe.Statement{Kind: tt.statement}, observe.Difference{Older: tt.old, Newer: tt.new})
		if got != tt.want {
			t.Errorf("%s from %v to %v: %q, want %q", tt.statement, tt.old, tt.new, got, tt.want)
		}
	}
}

// What marks fixes in the examples weighs for them, what marks others against,
// and the probabilities that are stated come true on such examples.
func TestFit(t *testing.T) {
	var all []Example
	clue := func(level mention.Level, how string) Clue {
		c := Clue{How: how}
		if level != "" {
			c.Old = []mention.Hit{{Level: level, Polarity: "traceback"}}
		}
		return c
	}
	for i := range 40 {
		all = append(all, Example{Name: fmt.Sprint(i),
			Clues: []Clue{clue("", "value"), clue(mention.ErrorWhole, "error gone")}, Fixed: true},
			Example{Name: fmt.Sprint(i), Clues: []Clue{clue("", "value")}, Fixed: i%4 == 0})
	}
	m := Fit(all)
	best, sure := m.Best(all[0].Clues, Showing{})
	if best.How != "error gone" || sure < 0.9 {
		t.Errorf("the error that is mentioned: %s, %.2f", best.How, sure)
	}
	if _, p := m.Best(all[1].Clues, Showing{}); math.Abs(p-0.25) > 0.08 {
		t.Errorf("one in four is fixed, and %.2f is stated", p)
	}
	if hit, old, ok := m.Quote(*best); !ok || !old || hit.Level != mention.ErrorWhole {
		t.Errorf("the quote is %+v %v %v", hit, old, ok)
	}
	if none, p := m.Best(nil, Showing{}); none != nil || p != 0 {
		t.Errorf("of nothing: %v, %v", none, p)
	}
}

func TestCompared(t *testing.T) {
	read := func(body string, seen ...observe.Seen) Showing {
		pieces := intake.Read(bug.Report{Title: "x", Body: body}).Pieces
		s := observe.Session{Programs: map[int]bool{}}
		for i, p := range pieces {
			if p.Kind == intake.Typed || p.Lang == "python" {
				s.Programs[i] = true
				s.Statements = append(s.Statements, observe.Statement{Text: p.Text, Kind: "Expr", Piece: i})
			}
		}
		if len(seen) != len(s.Statements) {
			t.Fatalf("%d statements in %q", len(s.Statements), body)
		}
		return Compared(s, mention.Of(pieces, s), observe.Transcript{Seen: seen})
	}
	value := func(s string) observe.Seen { return observe.Seen{Value: map[string]string{"repr": s}} }
	failed := observe.Seen{Raised: []observe.Raised{{Class: "ValueError", Message: "cannot sum 12 snails"}}}
	trace := "```python\nf()\n```\n```\nTraceback (most recent call last):\nValueError: cannot sum 12 snails\n```"
	if got := read(trace, failed); got.Traceback != "seen" || got.Statement != 0 {
		t.Errorf("the traceback: %+v", got)
	}
	if got := read(trace, value("3")); got.Traceback != "not seen" || got.Statement != -1 {
		t.Errorf("no traceback: %+v", got)
	}
	session := "```\n>>> f(1)\n11111\n>>> f(2)\n22222\n```"
	for want, seen := range map[string][2]string{"all": {"11111", "22222"}, "last": {"0", "22222"},
		"some":     {"11111", "0"},
		"not seen": {"0", "0"}} {
		if got := read(session, value(seen[0]), value(seen[1])); got.Outputs != want {
			t.Errorf("%v: %+v, want %s", seen, got, want)
		}
	}
}
