// Package console is what every command shares: where it reads and writes, how
// it shows its work, asks for consent, finds its box, and ends.
package console

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"scrub/internal/bug"
	"scrub/internal/runtimes"
	"scrub/internal/sandbox"
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

	boxes map[BoxFlags]sandbox.Box // those that were asked for
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

// Places is where interpreters are looked for, to run in the box of f.
func (a *Console) Places(ctx context.Context, f BoxFlags, named []string) (runtimes.Places, error) {
	p := runtimes.Places{Named: named, Venv: a.Getenv("VIRTUAL_ENV"), Conda: a.Getenv("CONDA_PREFIX"), Pyenv: a.Getenv("PYENV_VERSION"), Home: a.Getenv("HOME"), Env: a.ChildEnv()}
	var err error
	if p.Box, err = a.Box(f); err != nil {
		return p, err
	}
	p.In, p.Image, err = f.identity(ctx)
	return p, err
}

// Pythons are the interpreters that a person has named, or the one there is, as
// they are in the box of f.
func (a *Console) Pythons(ctx context.Context, f BoxFlags, named []string) ([]bug.Runtime, error) {
	places, err := a.Places(ctx, f, named)
	if err != nil {
		return nil, err
	}
	return places.Find(ctx, nil)
}

// Parser is the interpreter that reads programs for r.
func (a *Console) Parser(ctx context.Context, f BoxFlags, r bug.Runtime) (bug.Runtime, error) {
	places, err := a.Places(ctx, f, nil)
	if err != nil {
		return r, err
	}
	return places.Parser(ctx, r)
}

// passes are the variables that programs which scrub starts outside a box may
// see: where things are, and how to reach the internet. No token is among them.
var passes = strings.Fields(`PATH HOME USER LOGNAME LANG LC_ALL LC_CTYPE TERM TMPDIR TZ SSL_CERT_FILE SSL_CERT_DIR
	HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy XDG_RUNTIME_DIR XDG_CACHE_HOME XDG_DATA_HOME XDG_CONFIG_HOME
	DOCKER_HOST DOCKER_CONTEXT CONTAINER_HOST CONDA_EXE CONDA_PREFIX CONDA_ENVS_PATH CONDA_ENVS_DIRS MAMBA_ROOT_PREFIX`)

// ChildEnv is the environment of such a program.
func (a *Console) ChildEnv() []string {
	var env []string
	for _, name := range passes {
		if v := a.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// CacheDir is a folder of the user's cache.
func (a *Console) CacheDir(name string) string {
	cache := a.Getenv("XDG_CACHE_HOME")
	if cache == "" {
		cache = filepath.Join(a.Getenv("HOME"), ".cache")
	}
	return filepath.Join(cache, "scrub", name)
}

// Reply is the next line that a person types, unless the command is told to stop.
func (a *Console) Reply(ctx context.Context, in *bufio.Reader) (string, error) {
	type read struct {
		line string
		err  error
	}
	got := make(chan read, 1) // so that whoever reads can leave when nobody waits any more
	go func() {
		line, err := in.ReadString('\n')
		got <- read{line, err}
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(a.Err)
		return "", context.Cause(ctx)
	case r := <-got:
		return strings.ToLower(strings.TrimSpace(r.line)), r.err
	}
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
