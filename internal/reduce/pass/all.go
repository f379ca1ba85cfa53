package pass

import (
	"slices"

	"scrub/internal/reduce"
)

// Python are the passes for Python, in the order in which they pay: what one
// look at the program tells, then what is around the bug, then the bug itself.
var Python = slices.Concat(
	tier(0, Lift, Tidy, Unrun, Folds, Slice, Rows, Singles, Coupled, Unwrap, Iteration, Calls, Returns, Dissolve, Variables, Decorated),
	tier(1, Fold, Parameters, Items, Entries, Hoist, Plain),
	tier(2, Numbers, Strings, Parens),
)

func tier(n int, all ...reduce.Pass) []reduce.Pass {
	for i := range all {
		all[i].Tier = n
	}
	return all
}
