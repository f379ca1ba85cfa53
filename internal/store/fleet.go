package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// A Worker is a process that does jobs.
type Worker struct {
	ID      string
	Machine string
	Slots   int64
	Started time.Time
}

// PutWorker says that w works. It does for as long as it holds its lock.
func (s *Store) PutWorker(ctx context.Context, w Worker) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO workers (id, machine, slots, started) VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO NOTHING`, w.ID, clean(w.Machine), w.Slots, stamp(w.Started))
	return err
}

// DropWorker says that it works no more.
func (s *Store) DropWorker(ctx context.Context, id string) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM workers WHERE id = $1`, id)
	return err
}

// Workers are those that were said to work.
func (s *Store) Workers(ctx context.Context) (all []Worker, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id, machine, slots, started FROM workers ORDER BY started, id`)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var w Worker
		var started string
		if err := rows.Scan(&w.ID, &w.Machine, &w.Slots, &started); err != nil {
			return nil, err
		}
		if w.Started, err = time.Parse(timeForm, started); err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, rows.Err()
}

// PutHome says that a machine has what some jobs need.
func (s *Store) PutHome(ctx context.Context, needs, machine string) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO homes (needs, machine) VALUES ($1, $2) ON CONFLICT (needs, machine)
		DO NOTHING`, clean(needs), clean(machine))
	return err
}

// AtHome reports whether a machine has what a job needs, and whether another one
// that works has it.
func (s *Store) AtHome(ctx context.Context, needs, machine string) (here, elsewhere bool, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT DISTINCT h.machine FROM homes h JOIN workers w ON w.machine = h.machine
		WHERE h.needs = $1`, clean(needs))
	if err != nil {
		return false, false, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return false, false, err
		}
		here, elsewhere = here || name == machine, elsewhere || name != machine
	}
	return here, elsewhere, rows.Err()
}

// Spend takes n from what may be used of something in a time by everybody
// together. If that is used up, nothing is taken and it says how long to wait.
func (s *Store) Spend(ctx context.Context, name string, n, limit int64, every time.Duration,
	now time.Time) (wait time.Duration, err error) {
	err = s.tx(ctx, "budget/"+name, func(tx *sql.Tx) error {
		var text string
		var used int64
		err := tx.QueryRowContext(ctx, `SELECT since, used FROM budgets WHERE name = $1`, name).Scan(&text, &used)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		since, bad := time.Parse(timeForm, text)
		if bad != nil || now.Sub(since) >= every || now.Before(since) {
			since, used = now, 0
		}
		if used+n > limit && used > 0 {
			wait = every - now.Sub(since)
			return nil
		}
		wait = 0
		_, err = tx.ExecContext(ctx, `INSERT INTO budgets (name, since, used) VALUES ($1, $2, $3)
			ON CONFLICT (name) DO UPDATE SET since = excluded.since, used = excluded.used`, name, stamp(since), used+n)
		return err
	})
	return wait, err
}
