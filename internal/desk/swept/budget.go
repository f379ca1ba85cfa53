package swept

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/forge/github"
	"github.com/scrub-dev/scrub/internal/store"
)

// ErrBudget means that as many requests were made as were allowed.
var ErrBudget = errors.New("the budget of requests is used up")

const (
	hourly = 3000 // requests about one repository, by everybody who shares a state; GitHub allows an account 5,000
	window = time.Hour
)

// Requests are those that may still be made, for all repositories together.
type Requests struct {
	Most int64 // 0 for no limit
	made atomic.Int64
}

// Forge is where the issues of a repository are read. At most so many requests
// are made, and all who share this state stay within an hourly limit for each
// repository.
func (d Desk) Forge(ctx context.Context, where string, repo bug.Ref, r *Requests) (forge.Forge, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return nil, err
	}
	spend := func(ctx context.Context) error {
		if r.Most > 0 && r.made.Add(1) > r.Most {
			return ErrBudget
		}
		for {
			wait, err := kept.Spend(ctx, "requests "+repo.String(), 1, hourly, window, d.Now())
			if err != nil || wait == 0 {
				return err
			}
			if err := d.Pause(ctx, wait); err != nil {
				return err
			}
		}
	}
	return d.Machine.Forge(ctx, where, repo, github.Options{Cache: store.Answers{Store: kept}, Spend: spend})
}
