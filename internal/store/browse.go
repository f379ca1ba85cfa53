package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// A Brief is what lists show of a case.
type Brief struct {
	Case
	Brief []byte // JSON; empty for one that an earlier scrub kept
}

// Briefs are the cases that were touched since a time, the last first.
func (s *Store) Briefs(ctx context.Context, since time.Time) (all []Brief, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id, ref, title, verdict, updated, brief FROM cases
		WHERE updated >= $1 ORDER BY updated DESC, id`, stamp(since))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var b Brief
		var updated, brief string
		if err := rows.Scan(&b.ID, &b.Ref, &b.Title, &b.Verdict, &updated, &brief); err != nil {
			return nil, err
		}
		if b.Updated, err = time.Parse(timeForm, updated); err != nil {
			return nil, err
		}
		b.Brief = []byte(brief)
		all = append(all, b)
	}
	return all, rows.Err()
}

// CountCases is how many cases there are.
func (s *Store) CountCases(ctx context.Context) (n int, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT COUNT(*) FROM cases`).Scan(&n)
	return n, err
}

// OpenRefs are the issues on which something was proposed and is not over yet, or may not be.
func (s *Store) OpenRefs(ctx context.Context) ([]string, error) {
	return s.texts(ctx, `SELECT DISTINCT e.ref FROM action_events e WHERE e.kind NOT IN ('done', 'void', 'objected')
		AND e.n = (SELECT MAX(x.n) FROM action_events x WHERE x.action = e.action)`)
}

// TouchedRefs are the issues of which the ledger tells something since a time.
func (s *Store) TouchedRefs(ctx context.Context, since time.Time) ([]string, error) {
	return s.texts(ctx, `SELECT DISTINCT ref FROM action_events WHERE at >= $1`, stamp(since))
}

// texts are the first columns of what a query finds.
func (s *Store) texts(ctx context.Context, query string, args ...any) (all []string, err error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// An Audited is one thing that somebody did on the page.
type Audited struct {
	ID     string    `json:"-"`
	At     time.Time `json:"at"`
	Who    string    `json:"who"`
	Did    string    `json:"did"`
	Target string    `json:"target,omitempty"` // what it was done to
	Repo   string    `json:"repo,omitempty"`
	Detail string    `json:"detail,omitempty"`
}

// Audit puts on record what somebody did. Nothing removes it.
func (s *Store) Audit(ctx context.Context, a Audited) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO audit (id, at, who, did, target, repo, detail)
		VALUES ($1, $2, $3, $4, $5, $6,
			$7)`, a.ID, stamp(a.At), clean(a.Who), clean(a.Did), clean(a.Target), clean(a.Repo), clean(a.Detail))
	return err
}

// Audits are the last things that people did.
func (s *Store) Audits(ctx context.Context, most int) (all []Audited, err error) {
	rows, err := s.db.QueryContext(ctx,
		`SELECT id, at, who, did, target, repo, detail FROM audit ORDER BY at DESC, id LIMIT $1`,
		most)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var a Audited
		var at string
		if err := rows.Scan(&a.ID, &at, &a.Who, &a.Did, &a.Target, &a.Repo, &a.Detail); err != nil {
			return nil, err
		}
		if a.At, err = time.Parse(timeForm, at); err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, rows.Err()
}

// A View is a list that somebody looks at again and again.
type View struct {
	Name  string `json:"name"`
	Query string `json:"query"`
}

// PutView keeps a view of somebody's in place of one of the same name; one without a query is forgotten.
func (s *Store) PutView(ctx context.Context, who string, v View) error {
	if v.Query == "" {
		_, err := s.db.ExecContext(ctx, `DELETE FROM views WHERE who = $1 AND name = $2`, clean(who), clean(v.Name))
		return err
	}
	_, err := s.db.ExecContext(ctx, `INSERT INTO views (who, name, query) VALUES ($1, $2, $3)
		ON CONFLICT (who, name) DO UPDATE SET query = excluded.query`, clean(who), clean(v.Name), clean(v.Query))
	return err
}

// Views are somebody's, by name.
func (s *Store) Views(ctx context.Context, who string) (all []View, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT name, query FROM views WHERE who = $1 ORDER BY name`, clean(who))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var v View
		if err := rows.Scan(&v.Name, &v.Query); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// Visit says that somebody is here, and when they were before that; zero for never.
func (s *Store) Visit(ctx context.Context, who string, now time.Time) (before time.Time, err error) {
	err = s.tx(ctx, "visit/"+who, func(tx *sql.Tx) error {
		var at string
		err := tx.QueryRowContext(ctx, `SELECT at FROM visits WHERE who = $1`, clean(who)).Scan(&at)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if at != "" {
			if before, err = time.Parse(timeForm, at); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO visits (who, at) VALUES ($1, $2)
			ON CONFLICT (who) DO UPDATE SET at = excluded.at`, clean(who), stamp(now))
		return err
	})
	return before, err
}

// CountActions is how many actions something happened to.
func (s *Store) CountActions(ctx context.Context, kind string) (n int, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT COUNT(DISTINCT action) FROM action_events WHERE kind = $1`, kind).Scan(&n)
	return n, err
}

// CountEvents is how often something happened to actions since a time.
func (s *Store) CountEvents(ctx context.Context, kind string, since time.Time) (n int, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT COUNT(*) FROM action_events WHERE kind = $1 AND at >= $2`, kind,
		stamp(since)).Scan(&n)
	return n, err
}

// Doing are the items that somebody works on.
func (s *Store) Doing(ctx context.Context, most int) ([]Item, error) {
	return s.items(ctx, `WHERE doing <> '' ORDER BY updated DESC LIMIT $1`, most)
}

// A Budget is what was used up of something since a time.
type Budget struct {
	Name  string
	Since time.Time
	Used  int64
}

// Budgets are all there are.
func (s *Store) Budgets(ctx context.Context) (all []Budget, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT name, since, used FROM budgets ORDER BY name`)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var b Budget
		var since string
		if err := rows.Scan(&b.Name, &since, &b.Used); err != nil {
			return nil, err
		}
		b.Since, _ = time.Parse(timeForm, since) // as Spend reads it
		all = append(all, b)
	}
	return all, rows.Err()
}

// FirstSaid is when the first verdict was given of each case, by its ID, if that is since a time.
func (s *Store) FirstSaid(ctx context.Context, since time.Time) (all map[string]time.Time, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT kase, at FROM verdicts WHERE n = 1 AND at >= $1`, stamp(since))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	all = map[string]time.Time{}
	for rows.Next() {
		var id, at string
		if err := rows.Scan(&id, &at); err != nil {
			return nil, err
		}
		if all[id], err = time.Parse(timeForm, at); err != nil {
			return nil, err
		}
	}
	return all, rows.Err()
}
