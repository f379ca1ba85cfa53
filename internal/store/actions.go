package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
)

// An Event is one thing that happened to an action.
type Event struct {
	Kind string    // what happened
	Who  string    // who said so, if somebody did
	Why  string    // the reason, if there is one
	At   time.Time // when
	Body []byte    // all of it, as JSON
}

// Amend shows f what is kept of an action, the oldest first, and adds what it
// returns, if anything. Nobody else writes in between.
func (s *Store) Amend(ctx context.Context, id, ref string, f func(kept []Event) (*Event, error)) error {
	return s.tx(ctx, "action/"+id, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx,
			`SELECT action, kind, who, why, at, body FROM action_events WHERE action = $1 ORDER BY n`, id)
		if err != nil {
			return err
		}
		kept, err := events(rows)
		if err != nil {
			return err
		}
		var old []Event
		if len(kept) > 0 {
			old = kept[0]
		}
		e, err := f(old)
		if err != nil || e == nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO action_events (action, n, ref, at, kind, who, why, body)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			id, len(old)+1, ref, stamp(e.At), e.Kind, clean(e.Who), clean(e.Why), string(e.Body))
		return err
	})
}

// Action returns the events of one action, by its whole ID.
func (s *Store) Action(ctx context.Context, id string) ([]Event, error) {
	rows, err := s.db.QueryContext(ctx,
		`SELECT action, kind, who, why, at, body FROM action_events WHERE action = $1 ORDER BY n`, id)
	if err != nil {
		return nil, err
	}
	all, err := events(rows)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return all[0], nil
}

// Actions returns the events of all actions on an issue, or on any if that is
// empty, the first proposed first.
func (s *Store) Actions(ctx context.Context, ref string) ([][]Event, error) {
	where, args := "", []any(nil)
	if ref != "" {
		where, args = "WHERE first.ref = $1 ", []any{ref}
	}
	rows, err := s.db.QueryContext(ctx, `SELECT e.action, e.kind, e.who, e.why, e.at, e.body FROM action_events e
		JOIN action_events first ON first.action = e.action AND first.n = 1 `+where+`ORDER BY first.at, e.action, e.n`,
		args...)
	if err != nil {
		return nil, err
	}
	return events(rows)
}

// events reads rows of an action and an event, those of one action in a row.
func events(rows *sql.Rows) (all [][]Event, err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	last := ""
	for rows.Next() {
		var action, at, body string
		var e Event
		if err := rows.Scan(&action, &e.Kind, &e.Who, &e.Why, &at, &body); err != nil {
			return nil, err
		}
		e.At, _ = time.Parse(timeForm, at) // an earlier scrub kept the day alone
		e.Body = []byte(body)
		if action != last {
			all, last = append(all, nil), action
		}
		all[len(all)-1] = append(all[len(all)-1], e)
	}
	return all, rows.Err()
}

// clean is a text without the one character that PostgreSQL keeps in no text.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// Subscription returns what a subscription was before the first write.
func (s *Store) Subscription(ctx context.Context, ref string) (string, bool, error) {
	state, ok, err := s.text(ctx, `SELECT state FROM subscriptions WHERE ref = $1`, ref)
	return string(state), ok, err
}

// PutSubscription keeps it, unless it is kept already.
func (s *Store) PutSubscription(ctx context.Context, ref, state string) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO subscriptions (ref, state) VALUES ($1, $2) ON CONFLICT (ref) DO NOTHING`, ref, state)
	return err
}

// DropSubscription forgets it.
func (s *Store) DropSubscription(ctx context.Context, ref string) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM subscriptions WHERE ref = $1`, ref)
	return err
}

// text is the one text that a query finds.
func (s *Store) text(ctx context.Context, query string, args ...any) ([]byte, bool, error) {
	var text string
	err := s.db.QueryRowContext(ctx, query, args...).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	value, err := unpack(text)
	return value, err == nil, err
}

// Answers is what was answered last, by what was asked.
type Answers struct{ *Store }

// Get returns an answer.
func (a Answers) Get(ctx context.Context, key string) ([]byte, bool, error) {
	return a.text(ctx, `SELECT value FROM answers WHERE key = $1`, key)
}

// Put keeps an answer in place of the last one.
func (a Answers) Put(ctx context.Context, key string, value []byte) error {
	_, err := a.db.ExecContext(ctx, `INSERT INTO answers (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE `+
		`SET value = excluded.value`, key, pack(value))
	return err
}
