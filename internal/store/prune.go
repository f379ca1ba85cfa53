package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
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
	p := Pruned{Before: s.size()}
	day, moment := before.UTC().Format(time.DateOnly), stamp(before)
	err := s.tx(ctx, func(tx *sql.Tx) error {
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
	for _, tidy := range []string{"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := s.db.ExecContext(ctx, tidy); err != nil {
			return p, fmt.Errorf("give the room back: %w", err)
		}
	}
	p.After = s.size()
	return p, nil
}

// size is how much the state takes on the disk.
func (s *Store) size() int64 {
	total := int64(0)
	for _, name := range []string{s.file, s.file + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			total += info.Size()
		}
	}
	return total
}
