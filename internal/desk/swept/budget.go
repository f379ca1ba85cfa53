package swept

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"scrub/internal/bug"
	"scrub/internal/forge"
	"scrub/internal/forge/github"
	"scrub/internal/store"
)

// ErrBudget means that as many requests were made as were allowed.
var ErrBudget = errors.New("the budget of requests is used up")

const (
	hourly = 3000 // requests about one repository, by everybody who shares a state; GitHub allows an account 5,000
	window = time.Hour
)

// Forge is where the issues of a repository are read. At most so many requests
// are made, if that is not 0, and all who share this state stay within an hourly
// limit for each repository.
func (d Desk) Forge(ctx context.Context, where string, repo bug.Ref, most int64) (forge.Forge, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return nil, err
	}
	var made atomic.Int64
	spend := func(ctx context.Context) error {
		if most > 0 && made.Add(1) > most {
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
