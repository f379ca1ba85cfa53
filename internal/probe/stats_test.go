package probe

import (
	"math/rand/v2"
	"testing"
)

// The stated probabilities hold: over many flaky worlds, the interval holds
// the true rate as often as it says, and runs that all passed were wrong as
// often as they said.
func TestCalibration(t *testing.T) {
	const seeds = 200
	t.Logf("%5s %6s %18s %18s %18s", "rate", "runs", "interval holds", "all passed", "stated")
	for _, rate := range []float64{0.9, 0.5, 0.2, 0.05} {
		for _, runs := range []int{3, 12, 40} {
			held, passed := 0, 0
			for seed := range uint64(seeds) {
				tally := flaky(rand.New(rand.NewPCG(seed, uint64(runs))), rate, runs)
				if _, low, high := tally.Rate(); low <= rate && rate <= high {
					held++
				}
				if tally.Yes == 0 {
					passed++
				}
			}
			stated := Tally{No: runs}.Missed(rate)
			t.Logf("%5.2f %6d %15.1f %% %15.1f %% %15.1f %%", rate, runs, 100*float64(held)/seeds,
				100*float64(passed)/seeds, 100*stated)
			if held < seeds*93/100 {
				t.Errorf("rate %v, %d runs: the interval held the truth in %d of %d worlds", rate, runs, held, seeds)
			}
			if off := float64(passed)/seeds - stated; off < -0.1 || off > 0.1 {
				t.Errorf("rate %v, %d runs: all passed in %d of %d worlds, stated was %.3f", rate, runs, passed, seeds,
					stated)
			}
		}
		if n := Needed(rate, 0.01); (Tally{No: n}).Missed(rate) > 0.01 || n > 1 &&
			(Tally{No: n - 1}).Missed(rate) <= 0.01 {
			t.Errorf("rate %v: %d runs are not what is needed", rate, n)
		}
	}
}

func flaky(r *rand.Rand, rate float64, runs int) Tally {
	var t Tally
	for range runs {
		if r.Float64() < rate {
			t.Yes++
		} else {
			t.No++
		}
	}
	return t
}
