// Package console is what every command shares: where it reads and writes, how
// it shows its work, asks for consent, finds its box, and ends.
package console

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"scrub/internal/runtimes"
	"scrub/internal/store"

	"github.com/spf13/cobra"
)

// Exit codes that scripts can rely on.
const (
	Done      = 0
	Failed    = 1 // scrub itself could not do it
	Misused   = 2
	Undecided = 3 // a person must decide first
	No        = 4 // the question was answered "no"
)

// An Exit is an error with an exit code of its own.
type Exit struct {
	Code int
	Err  error // nil if all has been said
}

// Ends makes the command end with code; err is nil if all has been said.
func Ends(code int, err error) error { return Exit{Code: code, Err: err} }

func (e Exit) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit code %d", e.Code)
	}
	return e.Err.Error()
}

func (e Exit) Unwrap() error { return e.Err }

func Usage(form string, args ...any) error {
	return Ends(Misused, fmt.Errorf(form, args...))
}

// A Console is one call of the command.
type Console struct {
	In       *os.File
	Out, Err io.Writer
	ErrTTY   bool // somebody watches what goes to err
	InTTY    bool // and can answer
	Getenv   func(string) string
	Now      func() time.Time

	State string
	JSON  bool
	Quiet bool
}

// Wants checks the number of arguments.
func Wants(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return Usage("%s wants %s; see %s -h", c.CommandPath(), what, c.CommandPath())
		}
		return nil
	}
}

// Open opens the state file.
func (a *Console) Open(ctx context.Context) (*store.Store, error) {
	file := a.State
	if file == "" {
		dir := a.Getenv("XDG_STATE_HOME")
		if dir == "" {
			dir = filepath.Join(a.Getenv("HOME"), ".local", "state")
		}
		file = filepath.Join(dir, "scrub", "scrub.db")
	} else if st, err := os.Stat(file); err == nil && st.IsDir() {
		file = filepath.Join(file, "scrub.db")
	}
	s, err := store.Open(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("%w; choose another place with --state FILE", err)
	}
	return s, nil
}

// Places is where interpreters are looked for.
func (a *Console) Places(named []string) runtimes.Places {
	return runtimes.Places{Named: named, Venv: a.Getenv("VIRTUAL_ENV"), Conda: a.Getenv("CONDA_PREFIX"), Home: a.Getenv("HOME")}
}

// Answer writes v as JSON if that was asked for, and else the line.
func (a *Console) Answer(v any, form string, args ...any) error {
	if !a.JSON {
		_, err := fmt.Fprintf(a.Out, form, args...)
		return err
	}
	enc := json.NewEncoder(a.Out)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func IsTerminal(f *os.File) bool {
	return f != nil && terminal(f.Fd())
}
