package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Sweep is what was asked of a whole backlog.
type Sweep struct {
	ID    string
	At    time.Time // when it was asked first
	State string
	Why   string // it is in this state, if there is something to say
	Used  int64  // nanoseconds of processors' time
	Body  []byte // the request, as JSON
}

// An Item is one report of a sweep, and how far it has come.
type Item struct {
	Sweep   string
	N       int64
	Source  string // by which its report is kept
	Digest  string // of its report
	Repo    string
	Title   string
	State   string
	Step    string // the next, or the one it ended with
	Verdict string
	Reason  string
	Case    string // the ID of its case
	Place   int64  // in the order of its repository
	Leader  int64  // the item that goes first for its group; 0 for none
	Claim   string // what it says goes wrong
	Needs   string // what a machine must have for it
	Doing   string // who has it now
	Updated time.Time
}

// ErrNoSweep means that there is none of that name.
var ErrNoSweep = errors.New("no such sweep")

// PutSweep keeps s. One that is there keeps when it began and what it used.
func (s *Store) PutSweep(ctx context.Context, w Sweep) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO sweeps (id, at, state, why, used, body) VALUES ($1, $2, $3, $4, 0, $5)
		ON CONFLICT (id) DO UPDATE SET state = excluded.state, why = excluded.why, body = excluded.body`,
		w.ID, stamp(w.At), w.State, w.Why, string(w.Body))
	return err
}

// SetSweep changes the state of a sweep.
func (s *Store) SetSweep(ctx context.Context, id, state, why string) error {
	_, err := s.db.ExecContext(ctx, `UPDATE sweeps SET state = $2, why = $3 WHERE id = $1`, id, state, clean(why))
	return err
}

// UseUp adds to what a sweep has used.
func (s *Store) UseUp(ctx context.Context, id string, cpu time.Duration) error {
	_, err := s.db.ExecContext(ctx, `UPDATE sweeps SET used = used + $2 WHERE id = $1`, id, int64(cpu))
	return err
}

// Sweeps are all there are, the latest first.
func (s *Store) Sweeps(ctx context.Context) (all []Sweep, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id, at, state, why, used, body FROM sweeps ORDER BY at DESC, id`)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var w Sweep
		var at, body string
		if err := rows.Scan(&w.ID, &at, &w.State, &w.Why, &w.Used, &body); err != nil {
			return nil, err
		}
		if w.At, err = time.Parse(timeForm, at); err != nil {
			return nil, err
		}
		w.Body = []byte(body)
		all = append(all, w)
	}
	return all, rows.Err()
}

// Sweep is the one whose ID begins with name; the latest if that is empty.
func (s *Store) Sweep(ctx context.Context, name string) (Sweep, error) {
	all, err := s.Sweeps(ctx)
	if err != nil {
		return Sweep{}, err
	}
	for _, w := range all {
		if strings.HasPrefix(w.ID, name) {
			return w, nil
		}
	}
	return Sweep{}, fmt.Errorf("%s: %w", name, ErrNoSweep)
}

// AddItems adds reports to a sweep. One that is there is changed only if its
// report is another now: then it begins anew. It says which are to begin.
func (s *Store) AddItems(ctx context.Context, sweep string, items []Item) (begin []Item, err error) {
	return s.addItems(ctx, sweep, items, func(was, is string) bool { return was != is })
}

// AddNew adds the reports that a sweep does not have.
func (s *Store) AddNew(ctx context.Context, sweep string, items []Item) (added []Item, err error) {
	return s.addItems(ctx, sweep, items, func(string, string) bool { return false })
}

// addItems adds reports. One that is there is replaced if another says so of the digests.
func (s *Store) addItems(ctx context.Context, sweep string, items []Item,
	another func(was, is string) bool) (begin []Item, err error) {
	err = s.tx(ctx, "items/"+sweep, func(tx *sql.Tx) error {
		var last int64
		err := tx.QueryRowContext(ctx, `SELECT COALESCE(MAX(n), 0) FROM items WHERE sweep = $1`, sweep).Scan(&last)
		if err != nil {
			return err
		}
		begin = nil
		for _, i := range items {
			var n int64
			var digest string
			err := tx.QueryRowContext(ctx, `SELECT n, digest FROM items WHERE sweep = $1 AND source = $2`, sweep,
				i.Source).Scan(&n, &digest)
			switch {
			case errors.Is(err, sql.ErrNoRows):
				last++
				i.N = last
			case err != nil:
				return err
			case !another(digest, i.Digest):
				continue
			default:
				i.N = n
			}
			i.Sweep = sweep
			if _, err := putItem(ctx, tx, i, ""); err != nil {
				return err
			}
			begin = append(begin, i)
		}
		return nil
	})
	return begin, err
}

// ErrStale means that a report has changed since it was looked at.
var ErrStale = errors.New("the report has changed meanwhile")

// SetItem keeps i in place of what it was, unless its report is another by now.
func (s *Store) SetItem(ctx context.Context, i Item) error {
	n, err := putItem(ctx, s.db, i, ` WHERE items.digest = excluded.digest`)
	if err == nil && n == 0 {
		err = ErrStale
	}
	return err
}

type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

const itemColumns = `sweep, n, source, digest, repo, title, state, step, verdict, reason, kase, place, leader,
	claim, needs, doing, updated`

func putItem(ctx context.Context, to execer, i Item, where string) (int64, error) {
	done, err := to.ExecContext(ctx, `INSERT INTO items (`+itemColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
		ON CONFLICT (sweep, n) DO UPDATE SET digest = excluded.digest, title = excluded.title, state = excluded.state,
		step = excluded.step, verdict = excluded.verdict, reason = excluded.reason, kase = excluded.kase,
		place = excluded.place, leader = excluded.leader,
		claim = excluded.claim, needs = excluded.needs, doing = excluded.doing, updated = excluded.updated`+where,
		i.Sweep, i.N, clean(i.Source), i.Digest, clean(i.Repo), clean(i.Title), i.State, i.Step, i.Verdict,
		clean(i.Reason), i.Case, i.Place, i.Leader, clean(i.Claim),
		clean(i.Needs), i.Doing, stamp(i.Updated))
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

// Item is one report of a sweep.
func (s *Store) Item(ctx context.Context, sweep string, n int64) (Item, error) {
	all, err := s.items(ctx, `WHERE sweep = $1 AND n = $2`, sweep, n)
	if err != nil {
		return Item{}, err
	}
	if len(all) == 0 {
		return Item{}, fmt.Errorf("report %d of sweep %s: %w", n, sweep, ErrNoSweep)
	}
	return all[0], nil
}

// ItemOf is the report of a sweep from a source.
func (s *Store) ItemOf(ctx context.Context, sweep, source string) (Item, error) {
	all, err := s.items(ctx, `WHERE sweep = $1 AND source = $2`, sweep, clean(source))
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s in sweep %s: %w", source, sweep, ErrNoSweep)
	}
	if err != nil {
		return Item{}, err
	}
	return all[0], nil
}

// Items are reports of a sweep in some states, or in any, in their order, from
// behind number n on and at most so many.
func (s *Store) Items(ctx context.Context, sweep string, after int64, most int, states ...string) ([]Item, error) {
	where := `WHERE sweep = $1 AND n > $2`
	if len(states) > 0 {
		where += ` AND state IN ('` + strings.Join(states, `', '`) + `')`
	}
	return s.items(ctx, fmt.Sprintf(`%s ORDER BY n LIMIT %d`, where, most), sweep, after)
}

func (s *Store) items(ctx context.Context, where string, args ...any) (all []Item, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT `+itemColumns+` FROM items `+where, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var i Item
		var updated string
		if err := rows.Scan(&i.Sweep, &i.N, &i.Source, &i.Digest, &i.Repo, &i.Title, &i.State, &i.Step, &i.Verdict,
			&i.Reason, &i.Case, &i.Place, &i.Leader, &i.Claim, &i.Needs, &i.Doing, &updated); err != nil {
			return nil, err
		}
		if i.Updated, err = time.Parse(timeForm, updated); err != nil {
			return nil, err
		}
		all = append(all, i)
	}
	return all, rows.Err()
}

// Foremost is the smallest place of an item in a state, whatever its sweep.
func (s *Store) Foremost(ctx context.Context, state string) (place int64, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT COALESCE(MIN(place), 0) FROM items WHERE state = $1`, state).Scan(&place)
	return place, err
}

// A Tally is how many items are in a state, with a verdict.
type Tally struct {
	State, Step, Verdict string
	N                    int64
}

// Tallies counts the items of a sweep.
func (s *Store) Tallies(ctx context.Context, sweep string) (all []Tally, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT state, step, verdict, COUNT(*) FROM items WHERE sweep = $1
		GROUP BY state, step, verdict ORDER BY state, step, verdict`, sweep)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var t Tally
		if err := rows.Scan(&t.State, &t.Step, &t.Verdict, &t.N); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, rows.Err()
}

// Any reports whether an item of a sweep is in one of some states and about to take
// one of some steps.
func (s *Store) Any(ctx context.Context, sweep string, states, steps []string) (yes bool, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM items WHERE sweep = $1 AND state IN ('`+
		strings.Join(states, `', '`)+`') AND step IN ('`+strings.Join(steps, `', '`)+`'))`, sweep).Scan(&yes)
	return yes, err
}

// Led are the items of a sweep in some states that go behind another.
func (s *Store) Led(ctx context.Context, sweep string, leader int64, states ...string) ([]Item, error) {
	return s.items(ctx, `WHERE sweep = $1 AND leader = $2 AND n <> $2 AND state IN ('`+strings.Join(states, `', '`)+
		`') ORDER BY n`, sweep, leader)
}

// LastPlace is the largest place of a repository's items in some states.
func (s *Store) LastPlace(ctx context.Context, repo string, states []string) (place int64, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT COALESCE(MAX(place), 0) FROM items WHERE repo = $1 AND state IN ('`+
		strings.Join(states, `', '`)+`')`, clean(repo)).Scan(&place)
	return place, err
}

// Touched are the items of a sweep in some states that were changed since a
// moment, the first changed first.
func (s *Store) Touched(ctx context.Context, sweep string, since time.Time, states ...string) ([]Item, error) {
	return s.items(ctx, `WHERE sweep = $1 AND updated >= $2 AND state IN ('`+strings.Join(states, `', '`)+
		`') ORDER BY updated, n`, sweep, stamp(since))
}
