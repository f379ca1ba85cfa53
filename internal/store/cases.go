package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Case is one case file and what is needed to list it.
type Case struct {
	ID      string    `json:"case"`
	Ref     string    `json:"ref,omitempty"`
	Title   string    `json:"title"`
	Verdict string    `json:"verdict"`
	Updated time.Time `json:"updated"`
	Body    []byte    `json:"-"` // JSON; empty in a listing
	Version string    `json:"-"` // the newest it was asked on; not in a listing
	Listed  []byte    `json:"-"` // JSON, what lists show of it; see Brief
}

// shortID is how long the names of cases were in an earlier scrub.
const shortID = 8

// PutCase keeps c in place of what was kept under its ID before. What was said
// of it before stays on record.
func (s *Store) PutCase(ctx context.Context, c Case) error {
	return s.tx(ctx, "case/"+c.ID, func(tx *sql.Tx) error {
		for _, longer := range []string{
			`UPDATE cases SET id = $1 WHERE id = $2 AND NOT EXISTS (SELECT 1 FROM cases WHERE id = $1)`,
			`UPDATE verdicts SET kase = $1 WHERE kase = $2 AND NOT EXISTS (SELECT 1 FROM verdicts WHERE kase = $1)`,
			`DELETE FROM cases WHERE id = $2 AND id <> $1`} {
			if _, err := tx.ExecContext(ctx, longer, c.ID, c.ID[:min(len(c.ID), shortID)]); err != nil {
				return err
			}
		}
		var last string
		var n int64
		err := tx.QueryRowContext(ctx, `SELECT n, verdict FROM verdicts WHERE kase = $1 ORDER BY n DESC LIMIT 1`,
			c.ID).Scan(&n, &last)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if n == 0 || last != c.Verdict {
			if _, err := tx.ExecContext(ctx, `INSERT INTO verdicts (kase, n, at, verdict, version) VALUES ($1, $2, $3, $4, $5)`,
				c.ID, n+1, stamp(c.Updated), c.Verdict, clean(c.Version)); err != nil {
				return err
			}
		}
		return putCase(ctx, tx, c)
	})
}

// A Said is what was said of a case at a time.
type Said struct {
	At      time.Time
	Verdict string
	Version string // the newest it was asked on
}

// Said is all that was said of a case, the first first.
func (s *Store) Said(ctx context.Context, id string) ([]Said, error) {
	return s.said(ctx, `SELECT at, verdict, version FROM verdicts WHERE kase = $1 ORDER BY n`, id)
}

// Saids are the verdicts that were given since a time, of all cases.
func (s *Store) Saids(ctx context.Context, since time.Time) ([]Said, error) {
	return s.said(ctx, `SELECT at, verdict, version FROM verdicts WHERE at >= $1 ORDER BY at`, stamp(since))
}

func (s *Store) said(ctx context.Context, query string, args ...any) (all []Said, err error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var one Said
		var at string
		if err := rows.Scan(&at, &one.Verdict, &one.Version); err != nil {
			return nil, err
		}
		if one.At, err = time.Parse(timeForm, at); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

func putCase(ctx context.Context, to execer, c Case) error {
	_, err := to.ExecContext(ctx, `INSERT INTO cases (id, ref, title, verdict, body, updated, brief) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (id) DO UPDATE SET ref = excluded.ref, title = excluded.title, verdict = excluded.verdict,
		body = excluded.body, updated = excluded.updated, brief = excluded.brief`,
		c.ID, clean(c.Ref), clean(c.Title), c.Verdict, pack(c.Body), stamp(c.Updated), clean(string(c.Listed)))
	return err
}

// Cases lists all cases, the last touched first.
func (s *Store) Cases(ctx context.Context) ([]Case, error) {
	return s.list(ctx, `SELECT id, ref, title, verdict, updated, '' FROM cases ORDER BY updated DESC, id`)
}

// ErrNoCase means that no case has that name.
var ErrNoCase = errors.New("no such case")

// Case returns the case whose ref, or the beginning of whose ID, is name.
func (s *Store) Case(ctx context.Context, name string) (Case, error) {
	if exact, err := s.list(ctx, `SELECT id, ref, title, verdict, updated, body FROM cases WHERE id = $1`, name); err != nil ||
		len(exact) == 1 {
		return append(exact, Case{})[0], err
	}
	like := strings.NewReplacer("%", "", "_", "").Replace(name) + "%"
	found, err := s.list(ctx, `SELECT id, ref, title, verdict, updated, body FROM cases WHERE ref = $1 OR id LIKE `+
		`$2 ORDER BY updated DESC, id`, name, like)
	switch {
	case err != nil:
		return Case{}, err
	case len(found) == 0 || name == "":
		return Case{}, fmt.Errorf("%s: %w", name, ErrNoCase)
	case len(found) > 1 && found[0].Ref != name:
		return Case{}, fmt.Errorf("%s is ambiguous: %s or %s; give a longer prefix", name, found[0].ID, found[1].ID)
	}
	return found[0], nil
}

func (s *Store) list(ctx context.Context, query string, args ...any) ([]Case, error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Case
	for rows.Next() {
		c, err := scanCase(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, rows.Err()
}

func scanCase(rows *sql.Rows) (Case, error) {
	var c Case
	var updated, body string
	if err := rows.Scan(&c.ID, &c.Ref, &c.Title, &c.Verdict, &updated, &body); err != nil {
		return c, err
	}
	var err error
	if c.Body, err = unpack(body); err != nil {
		return c, err
	}
	c.Updated, err = time.Parse(timeForm, updated)
	return c, err
}
