// Package store keeps what scrub knows: in one SQLite file that several processes
// may use at once, or in a PostgreSQL database. Both are asked the same SQL.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// A Store is safe for use by any number of goroutines and processes.
type Store struct {
	db *sql.DB
	engine
	saved atomic.Int64
}

// An engine is what SQLite and PostgreSQL do differently.
type engine interface {
	// enter makes sure that nobody else is in a transaction about the same thing.
	enter(ctx context.Context, tx *sql.Tx, about string) error
	// lock takes a lock of that name, which ends with the process at the latest.
	lock(ctx context.Context, name string) (release func(), err error)
	// keep takes a lock likewise; again takes it anew whenever it is lost, until ctx is done.
	keep(ctx context.Context, name string) (again, release func(), err error)
	// forget removes what is left of a lock that is held and not needed any more.
	forget(name string)
	// tidy gives the room of what was removed back.
	tidy(ctx context.Context) error
	// size is how many bytes the state takes.
	size(ctx context.Context) (int64, error)
	// jobs makes the tables of the jobs, or brings them up to date.
	jobs(ctx context.Context) error
	// place is where the jobs are.
	place(ctx context.Context) (Place, error)
}

// Open opens the state: a file, which is made with its folder if need be, or a
// PostgreSQL database, as in postgres://user@host/name. It brings its tables up
// to date.
func Open(ctx context.Context, where string) (*Store, error) {
	open, name := openFile, "state file "+where
	if strings.HasPrefix(where, "postgres://") || strings.HasPrefix(where, "postgresql://") {
		open, name = openServer, "state database"
		if u, err := url.Parse(where); err == nil {
			name += " " + u.Redacted()
		}
	}
	s, err := open(where)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), s.db.Close())
	}
	return s, nil
}

// Close lets go of it.
func (s *Store) Close() error { return s.db.Close() }

// tx runs f in one transaction. Nobody else is in one about the same thing.
func (s *Store) tx(ctx context.Context, about string, f func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := s.enter(ctx, tx, about); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// ErrLocked means that another process is at it.
var ErrLocked = errors.New("another process holds the lock")

// Lock takes a lock of that name for everybody who uses this state.
func (s *Store) Lock(ctx context.Context, name string) (release func(), err error) {
	return s.lock(ctx, name)
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
	err = s.tx(ctx, "journal/"+key, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO journal (key, value, day) VALUES ($1, $2, CAST(CURRENT_DATE AS `+
			`TEXT)) ON CONFLICT (key) DO NOTHING`, key, pack(value))
		if err != nil {
			return err
		}
		onRecord, _, err = get(ctx, tx, key)
		return err
	})
	if err == nil {
		s.saved.Add(1)
	}
	return onRecord, err
}

// Saved is how many answers this process has put on record.
func (s *Store) Saved() int64 { return s.saved.Load() }

// A Decision is what one person said about running one program.
type Decision struct {
	Program string    `json:"program"` // its digest
	Said    string    `json:"said"`
	Who     string    `json:"who"`
	At      time.Time `json:"at"`
}

// Decide puts d on record.
func (s *Store) Decide(ctx context.Context, d Decision) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO decisions (program, said, who, at) VALUES ($1, $2, $3, $4) ON `+
		`CONFLICT (program, at, who) DO NOTHING`,
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
