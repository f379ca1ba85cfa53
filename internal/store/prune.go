package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Pruned is what went, or would go.
type Pruned struct {
	Answers int64 `json:"answers"` // runs, readings and the like that would have to be made again
	Cases   int64 `json:"cases"`
	Before  int64 `json:"bytes_before"`
	After   int64 `json:"bytes_after"`
}

// Prune forgets what was found out before a day: answers, and cases that were
// not touched since. What people have decided, and what was done in public,
// stays. With dry it only counts.
func (s *Store) Prune(ctx context.Context, before time.Time, dry bool) (Pruned, error) {
	var p Pruned
	var err error
	if p.Before, err = s.size(ctx); err != nil {
		return p, err
	}
	day, moment := before.UTC().Format(time.DateOnly), stamp(before)
	err = s.tx(ctx, "prune", func(tx *sql.Tx) error {
		for _, what := range []struct {
			n            *int64
			table, where string
			arg          string
		}{
			{&p.Answers, "journal", "day <= $1", day},
			{&p.Cases, "cases", "updated < $1", moment},
		} {
			if err := tx.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+what.table+" WHERE "+what.where,
				what.arg).Scan(what.n); err != nil {
				return err
			}
			if dry {
				continue
			}
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+what.table+" WHERE "+what.where, what.arg); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || dry {
		p.After = p.Before
		return p, err
	}
	if err := s.tidy(ctx); err != nil {
		return p, fmt.Errorf("give the room back: %w", err)
	}
	p.After, err = s.size(ctx)
	return p, err
}
