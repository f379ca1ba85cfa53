package store

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
)

// A Place is where jobs are kept: beside the rest, in the same file or database.
// One of the two is nil.
type Place struct {
	File   *sql.DB
	Server *pgxpool.Pool // who has it closes it
}

// Jobs is where jobs are kept.
func (s *Store) Jobs(ctx context.Context) (Place, error) { return s.place(ctx) }

var migrating = &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)}

func (f file) place(context.Context) (Place, error) { return Place{File: f.db}, nil }

func (f file) jobs(ctx context.Context) error {
	m, err := rivermigrate.New(riversqlite.New(f.db), migrating)
	if err != nil {
		return err
	}
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	// PostgreSQL cannot do all of it in one transaction; SQLite can, and it keeps other processes out.
	//lint:ignore SA1019 see above
	if _, err := m.MigrateTx(ctx, tx, rivermigrate.DirectionUp, nil); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func (s server) place(ctx context.Context) (Place, error) {
	c, err := pgxpool.ParseConfig(s.address)
	if err != nil {
		return Place{}, err
	}
	noticed(c.ConnConfig.RuntimeParams)
	pool, err := pgxpool.NewWithConfig(ctx, c)
	return Place{Server: pool}, err
}

// jobs holds a lock of its own meanwhile: not all that River does to its tables
// can be done in one transaction.
func (s server) jobs(ctx context.Context) error {
	own, err := pgx.Connect(ctx, s.address)
	if err != nil {
		return err
	}
	defer own.Close(context.WithoutCancel(ctx)) // and with it the lock
	if _, err := own.Exec(ctx, `SELECT pg_advisory_lock(hashtextextended('scrub jobs', 0))`); err != nil {
		return err
	}
	place, err := s.place(ctx)
	if err != nil {
		return err
	}
	defer place.Server.Close()
	m, err := rivermigrate.New(riverpgxv5.New(place.Server), migrating)
	if err != nil {
		return err
	}
	_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return err
}
