package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
	_ "modernc.org/sqlite" // registers the driver
)

// A file is a state in one file.
type file struct {
	db   *sql.DB
	name string
}

func openFile(name string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, err
	}
	// What is in it is nobody else's business.
	if f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, err
	} else if err := errors.Join(f.Chmod(0o600), f.Close()); err != nil {
		return nil, err
	}
	// Every transaction takes the write lock at once: one that starts by
	// reading and upgrades later can find itself unable to.
	opts := url.Values{
		"_txlock": {"immediate"}, "_pragma": {"busy_timeout(20000)", "journal_mode(WAL)", "synchronous(NORMAL)"},
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: name}).EscapedPath()+"?"+opts.Encode())
	if err != nil {
		return nil, err
	}
	return &Store{db: db, engine: file{db, name}}, nil
}

// enter has nothing to do: a transaction holds the only write lock there is.
func (file) enter(context.Context, *sql.Tx, string) error { return nil }

func (f file) lockFile(name string) string { return f.name + "." + name + ".lock" }

// lock takes a lock beside the file.
func (f file) lock(_ context.Context, name string) (release func(), err error) {
	held, err := os.OpenFile(f.lockFile(name), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(held.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = held.Close() // nothing was written
		return nil, fmt.Errorf("%w (%s)", ErrLocked, held.Name())
	}
	return func() { _ = held.Close() }, nil // closing lets go of it
}

func (f file) tidy(ctx context.Context) error {
	for _, statement := range []string{"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := f.db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

func (f file) size(context.Context) (int64, error) {
	total := int64(0)
	for _, name := range []string{f.name, f.name + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			total += info.Size()
		}
	}
	return total, nil
}
