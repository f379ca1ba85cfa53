package pairing

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

var day = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func lines(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "    this is line %d\n", i)
	}
	return b.String()
}

func TestFind(t *testing.T) {
	pulls := []Pull{
		{ID: "old", Branch: "fix", Merged: day.Add(-time.Hour), Written: Of(lines(0, 50))},
		{ID: "same", Branch: "fix", Merged: day.Add(48 * time.Hour), Marks: []string{"m1"}, Written: Of(lines(0, 40))},
		{ID: "near", Branch: "other", Merged: day.Add(24 * time.Hour), Written: Of(lines(35, 60))},
		{ID: "late", Branch: "slow", Merged: day.Add(40 * 24 * time.Hour), Written: Of(lines(0, 50))},
	}
	every := []Method{ByMark, ByBranch, ByLines}
	for name, tt := range map[string]struct {
		work Work
		with []Method
		want Pair
	}{
		"a commit names it": {Work{Start: day, Branch: "other", Marks: []string{"m1"}}, every, Pair{"same",
			ByMark, true}},
		"its branch":            {Work{Start: day, Branch: "fix"}, every, Pair{"same", ByBranch, true}},
		"not the branch of all": {Work{Start: day, Branch: "main"}, every, Pair{}},
		"what it wrote": {Work{Start: day, Branch: "main", Written: Of(lines(0, 30))}, every,
			Pair{"same", ByLines, true}},
		"half here and half there": {Work{Start: day, Written: Of(lines(30, 46))}, every, Pair{"near", ByLines, false}},
		"a little of it":           {Work{Start: day, Written: Of(lines(38, 400))}, every, Pair{"near", ByLines, false}},
		"too few lines":            {Work{Start: day, Written: Of(lines(0, 9))}, every, Pair{}},
		"nothing by the method":    {Work{Start: day, Branch: "fix", Marks: []string{"m1"}}, []Method{ByLines}, Pair{}},
		"after all of it was merged": {Work{Start: day.Add(time.Hour * 9000), Branch: "fix", Written: Of(lines(0,
			30))}, every, Pair{}},
	} {
		if got := Find(tt.work, pulls, tt.with...); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
	if got := Nearest(Work{Start: day}, pulls); got.Pull != "near" {
		t.Errorf("%+v", got)
	}
}

// Blank and short lines are everywhere and tell nothing.
func TestOf(t *testing.T) {
	if got := Of("}\n\n  return\nx := compute()\n", "  x := compute()"); len(got) != 1 {
		t.Errorf("%d lines", len(got))
	}
}
