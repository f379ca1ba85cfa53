package pass

import (
	"slices"

	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/reduce/lift"
	"github.com/scrub-dev/scrub/internal/reduce/textpass"
)

// Python are the passes for Python, in the order in which they pay: what one
// look at the program tells, then what is around the bug, then the bug itself.
var Python = slices.Concat(
	reduce.Tier(0, lift.Call, lift.Straight, Tidy, Unrun, Folds, Slice, Rows, Singles, Coupled, Unwrap, Iteration, Calls, Returns,
		Dissolve, Variables, Decorated),
	reduce.Tier(1, textpass.Quoted, lift.StraightAgain, Fold, Parameters, Items, Entries),
	noRetry(reduce.Tier(1, Hoist, Plain)),
	noRetry(reduce.Tier(2, Numbers, Strings, Parens)),
)

// fickle passes have so much to propose that it is asked about only once. That
// every statement and argument must stay is known from the others.
func noRetry(all []reduce.Pass) []reduce.Pass {
	for i := range all {
		all[i].NoRetry = true
	}
	return all
}
