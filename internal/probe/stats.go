package probe

import "math"

// tail is how seldom the truth lies beyond each end of an interval.
const tail = 0.025

// Rate is how often the symptom shows, with the interval that holds the true
// rate at least 95 times in a hundred (Clopper and Pearson's, which is exact).
func (t Tally) Rate() (rate, low, high float64) {
	k, n := t.Yes, t.Yes+t.No
	if n == 0 {
		return 0, 0, 1
	}
	high = 1
	if k > 0 {
		low = solve(func(p float64) bool { return 1-atMost(k-1, n, p) < tail })
	}
	if k < n {
		high = solve(func(p float64) bool { return atMost(k, n, p) > tail })
	}
	return float64(k) / float64(n), low, high
}

// solve returns where a condition that holds of small rates stops to hold.
func solve(holds func(p float64) bool) float64 {
	low, high := 0.0, 1.0
	for range 50 {
		if middle := (low + high) / 2; holds(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// atMost is the probability of k or fewer yeses in n runs.
func atMost(k, n int, p float64) float64 {
	sum, term := 0.0, math.Pow(1-p, float64(n))
	for i := 0; i <= k; i++ {
		sum += term
		term *= float64(n-i) / float64(i+1) * p / (1 - p)
	}
	return min(1, sum)
}

// Missed is the probability that runs which all passed are wrong about a
// symptom that shows in that share of runs.
func (t Tally) Missed(rate float64) float64 {
	return math.Pow(1-rate, float64(t.No))
}

// AtMost is how many runs are ever made of one question: more would cost more
// than the answer is worth.
const AtMost = 60

// Needed is how many runs it takes to miss a symptom of that rate with a
// probability of risk at most.
func Needed(rate, risk float64) int {
	if rate >= 1 {
		return 1
	}
	if rate <= 0 {
		return math.MaxInt
	}
	return int(math.Ceil(math.Log(risk) / math.Log(1-rate)))
}
