// Package cli is the scrub command: the only place where flags, the
// environment, the clock and the terminal are read.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/report"
	"scrub/internal/runtimes"
	"scrub/internal/store"
)

// Exit codes that scripts can rely on.
const (
	exitDone      = 0
	exitFailed    = 1 // scrub itself could not do it
	exitUsage     = 2
	exitUndecided = 3 // a person must decide first
	exitNo        = 4 // the question was answered "no"
)

// An exit is an error with an exit code of its own.
type exit struct {
	code int
	err  error // nil if all has been said
}

func (e exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e exit) Unwrap() error { return e.err }

func usage(form string, args ...any) error {
	return exit{exitUsage, fmt.Errorf(form, args...)}
}

// An app is one call of the command.
type app struct {
	in       *os.File
	out, err io.Writer
	errTTY   bool // somebody watches what goes to err
	inTTY    bool // and can answer
	getenv   func(string) string
	now      func() time.Time

	state string
	json  bool
	quiet bool
}

// Main runs the command that args name and returns its exit code.
func Main(ctx context.Context, args []string, in, out, errOut *os.File) int {
	a := &app{in: in, out: out, err: errOut, inTTY: isTerminal(in), errTTY: isTerminal(errOut), getenv: os.Getenv, now: time.Now}
	root := a.root()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	code := exitDone
	var e exit
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &e):
		code = e.code
		if e.err == nil {
			return code
		}
	case strings.HasPrefix(err.Error(), "unknown command"):
		code = exitUsage
	case ctx.Err() != nil:
		err, code = errors.New("stopped; what was found is on record: run the same command again to go on"), exitFailed
	default:
		code = exitFailed
	}
	line := bug.Squeeze(report.Clean(err.Error()))
	fmt.Fprintf(errOut, "scrub: %s\n", line)
	return code
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "scrub",
		Short: "Find out what a bug report is worth, by measuring",
		Long: `scrub takes a bug report and finds out what a careful maintainer would:
is there a program in it, is it safe to run, does it still fail, the same
way, how often? It runs the program in a box that lets nothing out, and says
what it saw. Nothing is written in public.

Start with:  scrub demo       eight reports, eight fates, no network needed
             scrub doctor     what this machine has and what it lacks
             scrub issue FILE`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.PersistentFlags().StringVar(&a.state, "state", "", "the file that keeps what was found (default: scrub/scrub.db under the user's state folder)")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print one JSON document on stdout; everything else goes to stderr")
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "show no progress")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usage("%w; see %s -h", err, c.CommandPath()) })
	root.AddCommand(a.issue(), a.triage(), a.vet(), a.run(), a.minimize(), a.bisect(), a.demo(), a.cases(), a.show(), a.report(), a.decide(), a.doctor(), a.profile(), a.man(root))
	return root
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}

// wants checks the number of arguments.
func wants(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return usage("%s wants %s; see %s -h", c.CommandPath(), what, c.CommandPath())
		}
		return nil
	}
}

// open opens the state file.
func (a *app) open(ctx context.Context) (*store.Store, error) {
	file := a.state
	if file == "" {
		dir := a.getenv("XDG_STATE_HOME")
		if dir == "" {
			dir = filepath.Join(a.getenv("HOME"), ".local", "state")
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

// places is where interpreters are looked for.
func (a *app) places(named []string) runtimes.Places {
	return runtimes.Places{Named: named, Venv: a.getenv("VIRTUAL_ENV"), Conda: a.getenv("CONDA_PREFIX"), Home: a.getenv("HOME")}
}
