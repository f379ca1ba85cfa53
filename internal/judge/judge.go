// Package judge weighs what was observed against what a report mentions. Each
// weight is the logarithm of a likelihood ratio, estimated on reports with a known
// truth and drawn to what fit.go assumes where these are few; model.json has them
// all, and scrubeval fits them anew.
package judge

import (
	_ "embed"
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/mention"
	"github.com/scrub-dev/scrub/internal/observe"
)

// A Clue is a statement that differs between two versions, with the words
// that mention what it shows.
type Clue struct {
	observe.Difference
	Text  string        `json:"text"`            // the statement
	How   string        `json:"how"`             // it changed
	Old   []mention.Hit `json:"old,omitempty"`   // mentions of what the older version shows
	New   []mention.Hit `json:"new,omitempty"`   // mentions of what the newer version shows
	Added bool          `json:"added,omitempty"` // the statement is scrub's
}

// Clues are the differences between two transcripts of a session, with their mentions.
func Clues(s observe.Session, w mention.Words, older, newer observe.Transcript, versions ...string) []Clue {
	var all []Clue
	for _, d := range observe.Compare(older, newer, versions...) {
		st := s.Statements[d.Statement]
		if imports := st.Kind == "Import" || st.Kind == "ImportFrom"; imports && how(st, d) == "only warnings" {
			continue // of how the package was compiled
		}
		if informs.MatchString(st.Text) {
			continue // of what is installed
		}
		c := Clue{Difference: d, Text: st.Text, How: how(st, d), Added: st.Piece == observe.Added}
		if other := c.How == "another message" || c.How == "another error"; other && w.OfMessages() {
			c.How = "message made clear"
		}
		c.Old = w.Find(d.Older, d.Newer, st.Piece)
		c.New = w.Find(d.Newer, d.Older, st.Piece)
		all = append(all, c)
		if len(all) == mostClues {
			break
		}
	}
	return all
}

const mostClues = 60

// informs is what tells of what is installed, which differs between any two versions.
var informs = regexp.MustCompile(`\b__version__\b|\bshow_versions\b|\bsys\.version\b|\bplatform\.\w+\(`)

// how names the way in which a statement changed.
func how(s observe.Statement, d observe.Difference) string {
	old, new := d.Older, d.Newer
	raises := func(t observe.Thing) bool { return t.Kind == observe.Exception }
	either := func(k observe.Kind) bool { return old.Kind == k || new.Kind == k }
	switch {
	case either(observe.Warning):
		return "only warnings"
	case old.Around() || new.Around():
		return "missing around it"
	case new.Removed() && !old.Removed():
		return "no longer there"
	case old.Removed() && !new.Removed():
		return "not there yet"
	case s.Kind == "Assert" && raises(old) != raises(new):
		return side(raises(old), "assertion holds", "assertion fails")
	case either(observe.Death):
		return side(old.Kind == observe.Death, "crash gone", "crash came")
	case either(observe.TooSlow):
		return side(old.Kind == observe.TooSlow, "ends now", "ends no more")
	case either(observe.Exception):
		return raised(old, new)
	case either(observe.NotThere):
		return "reached or not"
	case observe.Reworded(old, new):
		return "reworded"
	case old.Kind == observe.Set && new.Kind == observe.Set:
		return "assigned value"
	}
	return "value"
}

// raised names the way in which an error came, went or became another.
func raised(old, new observe.Thing) string {
	switch {
	case old.Kind != new.Kind:
		return side(old.Kind == observe.Exception, "error gone", "error came")
	case old.Class == new.Class:
		return "another message"
	}
	return "another error"
}

// side is one of two words: the first if what they are about was on the older side.
func side(older bool, gone, came string) string {
	if older {
		return gone
	}
	return came
}

// Trivial reports whether the change alone says nothing: it was not seen, or is
// not of the package.
func (c Clue) Trivial() bool {
	return slices.Contains([]string{"only warnings", "assigned value", "reached or not", "missing around it",
		"no longer there", "not there yet", "reworded"}, c.How)
}

// A Model is weights by the names of what they are for.
type Model map[string]float64

//go:embed model.json
var fitted []byte

// Fitted is the model that scrub was measured with.
func Fitted() Model {
	var m Model
	if err := json.Unmarshal(fitted, &m); err != nil {
		panic(err) // it was embedded
	}
	return m
}

// Features are what speaks for and against a clue, with what the older version shows
// of what the report shows: names, and how often they count.
func (m Model) Features(c Clue, older Showing) map[string]float64 {
	f := map[string]float64{"prior": 1, "how: " + c.How: 1, "older: outputs " + older.Outputs: 1}
	if older.Traceback != "seen" || older.Statement != c.Statement { // else that is what the clue is
		f["older: traceback "+older.Traceback] = 1
	}
	if c.Added {
		f["added by scrub"] = 1
	}
	old, ok := m.best(c.Old, "old: ", 1)
	if ok {
		f[sense(old)]++
	} else if c.Older.Kind == observe.Silence {
		old.Level = silent
	}
	f["old: "+string(old.Level)] = 1
	new, ok := m.best(c.New, "new: ", -1)
	if ok {
		f[sense(new)]--
	} else if c.Newer.Kind == observe.Silence {
		new.Level = silent
	}
	f["new: "+string(new.Level)] = 1
	return f
}

// silent is the level of a side that shows nothing, which nobody can mention.
const silent = "silent"

// sense is what a hit is mentioned as, wherever it stands.
func sense(h mention.Hit) string {
	if _, as, ok := strings.Cut(h.Polarity, ": "); ok {
		return "as: " + as
	}
	return "as: " + h.Polarity
}

// best is the hit that speaks most for a side.
func (m Model) best(hits []mention.Hit, side string, sign float64) (mention.Hit, bool) {
	best, top := mention.Hit{Level: "nowhere"}, math.Inf(-1)
	for _, h := range hits {
		if z := m[side+string(h.Level)] + sign*m[sense(h)]; z > top {
			best, top = h, z
		}
	}
	return best, len(hits) > 0
}

// Score is the log odds that a clue is what the report is about, and fixed.
func (m Model) Score(c Clue, older Showing) float64 {
	z, features := 0.0, m.Features(c, older)
	for _, name := range slices.Sorted(maps.Keys(features)) { // sums depend on their order, in the last digit
		z += features[name] * m[name]
	}
	return z
}

// Best is the clue that most likely is what the report is about, with its
// probability. It is nil if there is none.
func (m Model) Best(all []Clue, older Showing) (*Clue, float64) {
	var best *Clue
	top := math.Inf(-1)
	for i, c := range all {
		if z := m.Score(c, older); z > top {
			best, top = &all[i], z
		}
	}
	if best == nil {
		return nil, 0
	}
	return best, 1 / (1 + math.Exp(-top))
}

// Probability is how likely a clue is what the report is about, and fixed.
func (m Model) Probability(c Clue, older Showing) float64 {
	return 1 / (1 + math.Exp(-m.Score(c, older)))
}

// Quote is the mention that decides about a clue, and whether it is of what
// the older version shows.
func (m Model) Quote(c Clue) (hit mention.Hit, old, ok bool) {
	a, hasOld := m.best(c.Old, "old: ", 1)
	b, hasNew := m.best(c.New, "new: ", -1)
	za := m["old: "+string(a.Level)] + m[sense(a)]
	zb := m["new: "+string(b.Level)] - m[sense(b)]
	switch {
	case hasOld && (!hasNew || za >= zb):
		return a, true, true
	case hasNew:
		return b, false, true
	case c.How == "assertion holds":
		return mention.Hit{Level: mention.OwnAssertion, Quote: c.Text}, true, true
	}
	return mention.Hit{}, false, false
}
