package judge

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// An Example is the clues of one report on two versions, and whether one of
// them is the fix of what it is about.
type Example struct {
	Name    string
	Project string
	Clues   []Clue
	Fixed   bool
	Older   Showing
	Newer   Showing
	Known   bool // the older version shows what the report complains of, and the newer does not
}

// start are weights to choose the first clues by: surer levels weigh more.
var start = Model{"old: error": 4, "old: message": 3, "old: class": 1, "old: class in prose": 1.5,
	"old: name in title": .8, "old: name in prose": .5, "old: nothing, in words": .5,
	"old: nothing, under its statement": 2.5, "old: value, under its statement": 4, "old: value, alone": 3,
	"old: value, long": 2, "old: value, short": 1, "old: value, the part that differs": 1, "old: value, tiny": .3,
	"old: hang": 2, "new: value, under its statement": 2, "new: value, alone": 2, "new: value, long": 1.4,
	"new: value, short": .7, "how: only warnings": -1, "how: assigned value": -1, "how: missing around it": -1,
	"how: no longer there": -1, "how: not there yet": -1, "how: reworded": -1}

// Where there are few examples, weights stay near these: what words plainly mean,
// and ways to change that hardly ever are by chance.
var meant = Model{"how: assertion holds": 2, "how: assertion fails": -1, "how: crash gone": 1.5, "how: ends now": 1,
	"how: message made clear": 1,
	"old: error":              .5, "old: hang": 1, "old: value, under its statement": 1, "old: nowhere": -1,
	"as: wish": -.7, "as: complaint": .7, "as: traceback": .5}

// shrink is how strongly weights are drawn to what is meant, or to nothing: as much as so many examples would.
const shrink = 1.0

// Fit estimates a model from examples: a logistic regression over the clue of
// each that speaks loudest, chosen anew as the weights become known.
func Fit(examples []Example) Model {
	m := maps.Clone(start)
	for range 4 {
		var rows []map[string]float64
		var fixed []bool
		for _, e := range examples {
			if c, _ := m.Best(e.Clues, e.Older); c != nil {
				rows, fixed = append(rows, m.Features(*c, e.Older)), append(fixed, e.Fixed)
			}
		}
		m = regress(rows, fixed)
	}
	var rows []map[string]float64
	var shown []bool
	for _, e := range examples {
		if e.Known {
			rows, shown = append(rows, e.Older.features(), e.Newer.features()), append(shown, true, false)
		}
	}
	maps.Copy(m, regress(rows, shown))
	for name, w := range meant {
		if _, seen := m[name]; !seen {
			m[name] = w
		}
	}
	return m
}

// regress fits weights by steps down the slope, the same ones for the same rows.
func regress(rows []map[string]float64, yes []bool) Model {
	at := map[string]int{}
	for _, row := range rows {
		for name := range row {
			at[name] = 0
		}
	}
	names := slices.Sorted(maps.Keys(at))
	for i, name := range names {
		at[name] = i
	}
	dense := make([][]float64, len(rows))
	for i, row := range rows {
		dense[i] = make([]float64, len(names))
		for name, n := range row {
			dense[i][at[name]] = n
		}
	}
	weights := make([]float64, len(names))
	for j, name := range names {
		weights[j] = meant[name]
	}
	for range 3000 {
		slope := make([]float64, len(names))
		for i, row := range dense {
			z := 0.0
			for j, n := range row {
				z += n * weights[j]
			}
			miss := 1 / (1 + math.Exp(-z))
			if yes[i] {
				miss--
			}
			for j, n := range row {
				slope[j] += miss * n
			}
		}
		for j, name := range names {
			if !strings.HasSuffix(name, "prior") {
				slope[j] += shrink * (weights[j] - meant[name])
			}
			weights[j] -= slope[j] / float64(len(rows)+4)
		}
	}
	m := Model{}
	for j, name := range names {
		m[name] = math.Round(weights[j]*100) / 100
	}
	return m
}
