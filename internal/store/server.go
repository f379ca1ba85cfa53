package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// A server is a state in a PostgreSQL database.
type server struct {
	db      *sql.DB
	address string
}

func openServer(address string) (*Store, error) {
	c, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	c.RuntimeParams["timezone"] = "UTC" // as SQLite has it
	noticed(c.RuntimeParams)
	db := stdlib.OpenDB(*c)
	return &Store{db: db, engine: server{db, address}}, nil
}

// noticed has the server notice soon when nobody is at the other end any more,
// so that locks do not outlive a machine that lost its network.
func noticed(params map[string]string) {
	params["tcp_keepalives_idle"], params["tcp_keepalives_interval"], params["tcp_keepalives_count"] = "10", "5", "3"
}

// enter takes a lock that ends with the transaction.
func (server) enter(ctx context.Context, tx *sql.Tx, about string) error {
	_, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, "scrub tx "+about)
	return err
}

// lock takes a lock that ends with its connection, and so with the process.
func (s server) lock(ctx context.Context, name string) (release func(), err error) {
	c, err := s.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if err := take(ctx, c, name); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return func() { give(ctx, c, name) }, nil
}

// take takes a lock for a connection.
func take(ctx context.Context, c *sql.Conn, name string) error {
	var ok bool
	const query = `SELECT pg_try_advisory_lock(hashtextextended($1, 0))`
	err := c.QueryRowContext(ctx, query, "scrub lock "+name).Scan(&ok)
	if err == nil && !ok {
		err = fmt.Errorf("%w (%s)", ErrLocked, name)
	}
	return err
}

// give lets go of a lock, and of the connection that has it.
func give(ctx context.Context, c *sql.Conn, name string) {
	const query = `SELECT pg_advisory_unlock(hashtextextended($1, 0))`
	// the end of the connection does so, too
	_, _ = c.ExecContext(context.WithoutCancel(ctx), query, "scrub lock "+name)
	_ = c.Close()
}

func (s server) tidy(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, "VACUUM")
	return err
}

func (s server) size(ctx context.Context) (n int64, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT pg_database_size(current_database())`).Scan(&n)
	return n, err
}
