package ablate

import (
	"context"
	"fmt"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A Part is a part of a stage that can be told to do only the first so many
// things that it would do.
type Part struct {
	Name string
	// Ask tries it with the first n; -1 switches it off. What names the n-th.
	Ask func(ctx context.Context, n int) (seen Seen, what string, err error)
}

// A Depth is where in a stage a bug is: without the N-th thing that a part
// does it is gone, with it it is there.
type Depth struct {
	Part string `json:"part"`
	N    int    `json:"n"`
	What string `json:"what,omitempty"`
}

func (d Depth) String() string {
	if d.What == "" {
		return fmt.Sprintf("%s, number %d", d.Part, d.N)
	}
	return fmt.Sprintf("%s, number %d: %s", d.Part, d.N, d.What)
}

// most is how many things a part may do before it is too many to look through.
const most = 1 << 14

// Deeper finds the first part without which the bug is gone, and the one
// thing it does that brings it. It returns nil if no part is alone to blame.
func Deeper(ctx context.Context, parts []Part) (*Depth, error) {
	for _, p := range parts {
		off, _, err := p.Ask(ctx, -1)
		if err != nil {
			return nil, err
		}
		if off.Answer != bug.No {
			continue
		}
		return p.first(ctx)
	}
	return nil, nil
}

// first looks for the smallest n that shows the bug: further and further, and
// then between. An answer that says nothing ends the search.
func (p Part) first(ctx context.Context) (*Depth, error) {
	without, with := -1, 0
	for ; with < most; with = 2*with + 1 {
		seen, _, err := p.Ask(ctx, with)
		if err != nil {
			return nil, err
		}
		if seen.Answer == bug.Yes {
			break
		}
		if seen.Answer == bug.Unknown {
			return nil, nil
		}
		without = with
	}
	if with >= most {
		return nil, nil
	}
	for with-without > 1 {
		mid := without + (with-without)/2
		seen, _, err := p.Ask(ctx, mid)
		if err != nil {
			return nil, err
		}
		switch seen.Answer {
		case bug.Yes:
			with = mid
		case bug.No:
			without = mid
		default:
			return nil, nil
		}
	}
	_, what, err := p.Ask(ctx, with)
	return &Depth{Part: p.Name, N: with, What: what}, err
}
