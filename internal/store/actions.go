package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// PutAction keeps an entry of the ledger in place of the one of its ID.
func (s *Store) PutAction(ctx context.Context, id, ref string, proposed time.Time, body []byte) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO actions (id, ref, proposed, body) VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO UPDATE SET ref = excluded.ref, proposed = excluded.proposed, body = excluded.body`, id, ref, stamp(proposed), string(body))
	return err
}

// Action returns an entry by its ID.
func (s *Store) Action(ctx context.Context, id string) ([]byte, bool, error) {
	return s.text(ctx, `SELECT body FROM actions WHERE id = $1`, id)
}

// Actions returns all entries, the first proposed first.
func (s *Store) Actions(ctx context.Context) ([][]byte, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT body FROM actions ORDER BY proposed, id`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all [][]byte
	for rows.Next() {
		var body string
		if err := rows.Scan(&body); err != nil {
			return nil, err
		}
		all = append(all, []byte(body))
	}
	return all, rows.Err()
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
	return []byte(text), err == nil, err
}

// Answers is what was answered last, by what was asked.
type Answers struct{ *Store }

// Get returns an answer.
func (a Answers) Get(ctx context.Context, key string) ([]byte, bool, error) {
	return a.text(ctx, `SELECT value FROM answers WHERE key = $1`, key)
}

// Put keeps an answer in place of the last one.
func (a Answers) Put(ctx context.Context, key string, value []byte) error {
	_, err := a.db.ExecContext(ctx, `INSERT INTO answers (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, string(value))
	return err
}
