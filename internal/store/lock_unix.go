package store

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// ErrLocked means that another process is at it.
var ErrLocked = errors.New("another process holds the lock")

// Lock takes a lock beside the state file, which ends with the process at the
// latest.
func (s *Store) Lock(name string) (release func(), err error) {
	f, err := os.OpenFile(s.file+"."+name+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = f.Close() // nothing was written
		return nil, fmt.Errorf("%w (%s)", ErrLocked, f.Name())
	}
	return func() { _ = f.Close() }, nil // closing lets go of it
}
