package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"strings"
)

//go:embed schema/*.sql
var schema embed.FS

// migrate applies the files of schema that have not been applied yet, in
// the order of their names. It does so in one transaction that holds the
// write lock, so of several processes one does it and the others find it done.
func (s *Store) migrate(ctx context.Context) error {
	files, err := schema.ReadDir("schema")
	if err != nil {
		return err
	}
	if n, err := s.version(ctx); err == nil && n == len(files) {
		return nil
	}
	// Each version of River's tables comes with a file of ours, if with an empty one.
	if err := s.jobs(ctx); err != nil {
		return fmt.Errorf("tables of jobs: %w", err)
	}
	return s.tx(ctx, "schema", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)`); err != nil {
			return err
		}
		var done int
		if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM schema_version`).Scan(&done); err != nil {
			return err
		}
		if done > len(files) {
			return fmt.Errorf("it was written by a newer scrub (schema %d, this one knows %d): update scrub or "+
				"choose another --state", done, len(files))
		}
		for i, file := range files[done:] {
			text, err := schema.ReadFile("schema/" + file.Name())
			if err != nil {
				return err
			}
			if err := apply(ctx, tx, string(text), done+i+1); err != nil {
				return fmt.Errorf("%s: %w", file.Name(), err)
			}
		}
		return nil
	})
}

func (s *Store) version(ctx context.Context) (n int, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT COUNT(*) FROM schema_version`).Scan(&n)
	return n, err
}

func apply(ctx context.Context, tx *sql.Tx, text string, version int) error {
	for statement := range strings.SplitSeq(text, ";\n") {
		if strings.TrimSpace(statement) == "" {
			continue
		}
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO schema_version (version) VALUES ($1)`, version)
	return err
}
