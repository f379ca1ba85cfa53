// Package lift puts whole programs, made from what a run showed, in the place of a
// program.
package lift

import (
	"cmp"
	"iter"
	"slices"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// Call puts the failing call, made from the values it had, in the place of
// the program. Calls in the program itself come before those of a library:
// what a person wrote is what a person knows.
var Call = reduce.Pass{Name: "the failing call alone", Once: true,
	Propose: func(p reduce.Program) iter.Seq[reduce.Edit] {
		return instead(p, func() []syntax.Lift { return p.Look().Lifts })
	}}

// Straight puts what a program asks of its libraries, one after the other, in
// its place: without functions, classes and loops of its own.
var Straight = reduce.Pass{Name: "what it does in a straight line", Once: true, Propose: straight}

// StraightAgain does so when there is less to do: of a long program, one after
// the other may be longer than the program.
var StraightAgain = reduce.Pass{Name: "what it still does in a straight line", Propose: straight}

// All are the passes that put something in the place of a program that was made of what a run showed.
var All = []reduce.Pass{Call, Straight, StraightAgain}

func straight(p reduce.Program) iter.Seq[reduce.Edit] { return instead(p, p.Straight) }

// instead proposes whole programs, in the order in which they are worth it.
func instead(p reduce.Program, programs func() []syntax.Lift) iter.Seq[reduce.Edit] {
	return func(yield func(reduce.Edit) bool) {
		if p.Trees[bug.Script] == nil {
			return
		}
		lifts := slices.Clone(programs())
		size := func(l syntax.Lift) int { return reduce.SizeOf(bug.Files{"": l.Text}).Tokens }
		slices.SortStableFunc(lifts, func(a, b syntax.Lift) int {
			return cmp.Or(-cmp.Compare(rank(a, size(a)), rank(b, size(b))), cmp.Compare(size(a), size(b)))
		})
		whole := reduce.Change{File: bug.Script, End: len(p.Files[bug.Script])}
		for _, l := range lifts {
			whole.With = l.Text
			if !yield(reduce.Edit{whole}) {
				return
			}
		}
	}
}

// short is how many tokens a call of the program's own may have to go before
// a shorter one inside a library.
const short = 80

func rank(l syntax.Lift, size int) int {
	if l.Own && size <= short {
		return 1
	}
	return 0
}
