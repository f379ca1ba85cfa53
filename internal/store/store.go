// Package store keeps what scrub knows, in one SQLite file that several
// processes may use at once. Its SQL is the part that PostgreSQL shares.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // registers the driver
)

// A Store is safe for use by any number of goroutines and processes.
type Store struct {
	db   *sql.DB
	file string
}

// Open opens the state file, making it and its folder if need be, and
// brings its tables up to date.
func Open(ctx context.Context, file string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, fmt.Errorf("state file %s: %w", file, err)
	}
	// What is in it is nobody else's business.
	if f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, fmt.Errorf("state file %s: %w", file, err)
	} else if err := errors.Join(f.Chmod(0o600), f.Close()); err != nil {
		return nil, fmt.Errorf("state file %s: %w", file, err)
	}
	// Every transaction takes the write lock at once: one that starts by
	// reading and upgrades later can find itself unable to.
	opts := url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(20000)", "journal_mode(WAL)",
		"synchronous(NORMAL)"}}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?"+opts.Encode())
	if err != nil {
		return nil, fmt.Errorf("state file %s: %w", file, err)
	}
	s := &Store{db, file}
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("state file %s: %w", file, err), db.Close())
	}
	return s, nil
}

// Close lets go of the file.
func (s *Store) Close() error { return s.db.Close() }

// tx runs f in one transaction.
func (s *Store) tx(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// Get implements journal.Log.
func (s *Store) Get(ctx context.Context, key string) ([]byte, bool, error) {
	return get(ctx, s.db, key)
}

type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func get(ctx context.Context, q queryer, key string) ([]byte, bool, error) {
	var value string
	err := q.QueryRowContext(ctx, `SELECT value FROM journal WHERE key = $1`, key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	text, err := unpack(value)
	return text, err == nil, err
}

// Put implements journal.Log.
func (s *Store) Put(ctx context.Context, key string, value []byte) (onRecord []byte, err error) {
	err = s.tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO journal (key, value, day) VALUES ($1, $2, CAST(CURRENT_DATE AS TEXT)) ON CONFLICT (key) DO NOTHING`, key, pack(value))
		if err != nil {
			return err
		}
		onRecord, _, err = get(ctx, tx, key)
		return err
	})
	return onRecord, err
}

// A Decision is what one person said about running one program.
type Decision struct {
	Program string    `json:"program"` // its digest
	Said    string    `json:"said"`
	Who     string    `json:"who"`
	At      time.Time `json:"at"`
}

// Decide puts d on record.
func (s *Store) Decide(ctx context.Context, d Decision) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO decisions (program, said, who, at) VALUES ($1, $2, $3, $4) ON CONFLICT (program, at, who) DO NOTHING`,
		d.Program, d.Said, d.Who, stamp(d.At))
	return err
}

// Decision returns the last thing anybody said about program.
func (s *Store) Decision(ctx context.Context, program string) (Decision, bool, error) {
	all, err := s.decisions(ctx, `SELECT program, said, who, at FROM decisions WHERE program = $1 ORDER BY at DESC LIMIT 1`, program)
	if err != nil || len(all) == 0 {
		return Decision{}, false, err
	}
	return all[0], true, nil
}

// Decisions returns all that anybody said about programs, the latest first.
func (s *Store) Decisions(ctx context.Context) ([]Decision, error) {
	return s.decisions(ctx, `SELECT program, said, who, at FROM decisions ORDER BY at DESC, program, who`)
}

func (s *Store) decisions(ctx context.Context, query string, args ...any) (all []Decision, err error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var d Decision
		var at string
		if err := rows.Scan(&d.Program, &d.Said, &d.Who, &at); err != nil {
			return nil, err
		}
		if d.At, err = time.Parse(timeForm, at); err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, rows.Err()
}

// timeForm has a fixed width, so that times sort as text.
const timeForm = "2006-01-02T15:04:05.000000000Z"

func stamp(t time.Time) string { return t.UTC().Format(timeForm) }
