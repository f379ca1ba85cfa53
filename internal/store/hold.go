package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"time"
)

// Hold holds a lock until it is let go, whatever becomes of the connection to a
// database meanwhile. A process that ends holds nothing.
func (s *Store) Hold(ctx context.Context, name string) (release func(), err error) {
	ctx, stop := context.WithCancel(ctx)
	again, let, err := s.keep(ctx, name)
	if err != nil {
		stop()
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		again()
	}()
	return func() {
		stop()
		<-done
		let()
	}, nil
}

// Free reports whether nobody holds a lock.
func (s *Store) Free(ctx context.Context, name string) (bool, error) {
	release, err := s.lock(ctx, name)
	if errors.Is(err, ErrLocked) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	s.forget(name)
	release()
	return true, nil
}

// keep holds a lock beside the file, which is never lost.
func (f file) keep(ctx context.Context, name string) (again, release func(), err error) {
	let, err := f.lock(ctx, name)
	return func() {}, func() {
		f.forget(name)
		let()
	}, err
}

// forget removes what a lock was taken on. Its holder calls it.
func (f file) forget(name string) { _ = os.Remove(f.lockFile(name)) } // it is taken again in any case

func (server) forget(string) {}

// alive is the time from one look at a connection to the next.
const alive = 2 * time.Second

// keep holds a lock of the database. It is lost with the connection, and taken
// again on another.
func (s server) keep(ctx context.Context, name string) (again, release func(), err error) {
	c, err := s.db.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := take(ctx, c, name); err != nil {
		return nil, nil, errors.Join(err, c.Close())
	}
	again = func() {
		tick := time.NewTicker(alive)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			soon, enough := context.WithTimeout(ctx, 2*alive)
			if c.PingContext(soon) != nil {
				c = s.anew(soon, c, name)
			}
			enough()
		}
	}
	return again, func() { give(ctx, c, name) }, nil
}

// anew is another connection that has the lock, if there is one; else the old one.
func (s server) anew(ctx context.Context, old *sql.Conn, name string) *sql.Conn {
	next, err := s.db.Conn(ctx)
	if err != nil {
		return old
	}
	if take(ctx, next, name) != nil { // the old one may not be over yet
		_ = next.Close()
		return old
	}
	_ = old.Close()
	return next
}
