package judge

import (
	"math"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/mention"
	"github.com/scrub-dev/scrub/internal/observe"
)

// Showing is how what one version shows compares with what the report shows.
type Showing struct {
	Traceback string       `json:"traceback"` // of the report: "seen", "not seen", or "none"
	Outputs   string       `json:"outputs"`   // under its prompts: "all" seen, the "last", "some", "not seen", or "none"
	Elsewhere string       `json:"elsewhere"` // values that it mentions: as "complaint", as "wish", or "none"
	Assertion string       `json:"assertion"` // of a program: "fails", or "none"
	Statement int          `json:"statement"` // that shows what is complained of; -1 for none
	Hit       *mention.Hit `json:"hit,omitempty"`
}

// Compared compares what a session showed on one version with the words.
func Compared(s observe.Session, w mention.Words, t observe.Transcript) Showing {
	got := Showing{Traceback: "none", Outputs: "none", Elsewhere: "none", Assertion: "none", Statement: -1}
	if w.HasTraceback() {
		got.Traceback = "not seen"
	}
	var outputs []bool
	for i, seen := range t.Seen {
		st, thing := s.Statements[i], seen.Thing()
		hits := w.Find(thing, observe.Thing{}, st.Piece)
		if thing.Kind == observe.Exception && !thing.Around() {
			got.exception(i, st, hits)
			continue
		}
		if w.HasOutput(st.Piece) && last(s, i) {
			shown := slices.ContainsFunc(hits, func(h mention.Hit) bool {
				return h.Level == mention.ValueThere || h.Level == mention.ValueAlone
			})
			outputs = append(outputs, shown)
			if shown && got.Traceback != "seen" {
				got.note(i, hits[0])
			}
			continue
		}
		got.value(i, thing, hits)
	}
	got.Outputs = summary(outputs)
	return got
}

func (got *Showing) exception(i int, st observe.Statement, hits []mention.Hit) {
	if st.Kind == "Assert" {
		got.Assertion = "fails"
		got.note(i, mention.Hit{Level: mention.ErrorWhole, Quote: st.Text})
	}
	for _, h := range hits {
		if h.Level == mention.ErrorWhole && h.Polarity == "traceback" {
			got.Traceback = "seen"
			got.note(i, h)
			return
		}
	}
}

// value notes what is mentioned of a value away from its statement.
func (got *Showing) value(i int, t observe.Thing, hits []mention.Hit) {
	if t.Kind != observe.Value && t.Kind != observe.Printed {
		return
	}
	for _, h := range hits {
		if h.Level != mention.ValueAlone && h.Level != mention.ValueLong && h.Level != mention.ValueThere {
			continue
		}
		switch {
		case strings.Contains(h.Polarity, "wish"):
			if got.Elsewhere == "none" {
				got.Elsewhere = "wish"
			}
		default:
			got.Elsewhere = "complaint"
			if got.Statement < 0 {
				got.note(i, h)
			}
		}
	}
}

func (got *Showing) note(i int, h mention.Hit) { got.Statement, got.Hit = i, &h }

// last reports whether a statement is the last of its piece.
func last(s observe.Session, i int) bool {
	return i+1 == len(s.Statements) || s.Statements[i+1].Piece != s.Statements[i].Piece
}

func summary(shown []bool) string {
	n := 0
	for _, yes := range shown {
		if yes {
			n++
		}
	}
	switch {
	case len(shown) == 0:
		return "none"
	case n == len(shown):
		return "all"
	case n == 0:
		return "not seen"
	case shown[len(shown)-1]:
		return "last"
	}
	return "some"
}

// features are what speaks for and against a version showing the complaint.
func (got Showing) features() map[string]float64 {
	return map[string]float64{"shown: prior": 1, "shown: traceback " + got.Traceback: 1,
		"shown: outputs " + got.Outputs: 1, "shown: elsewhere " + got.Elsewhere: 1, "shown: assertion " + got.Assertion: 1}
}

// Shown is the probability that a version shows what the report complains of.
func (m Model) Shown(got Showing) float64 {
	z := 0.0
	for name, n := range got.features() {
		z += n * m[name]
	}
	return 1 / (1 + math.Exp(-z))
}
