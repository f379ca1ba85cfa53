// Package console is what every command shares: where it reads and writes, how
// it shows its work, asks for consent, finds its box, and ends.
package console

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/console/paper"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/remote"
	"github.com/scrub-dev/scrub/internal/report"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

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

// Codes are the exit codes with what they mean.
var Codes = []struct {
	Code  int
	Means string
}{
	{Done, "done, whatever the verdict"},
	{Failed, "scrub itself failed, or was interrupted"},
	{Misused, "wrong usage"},
	{Undecided, "a person must decide first"},
	{No, "the answer is no (`scrub run` with `--expect`: symptom not shown; `scrub vet`: approval needed; `scrub doctor`: a " +
		"requirement is missing)"},
}

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

// Usage is that the command was used in a wrong way.
func Usage(form string, args ...any) error {
	return Ends(Misused, fmt.Errorf(form, args...))
}

// A Console is one call of the command.
type Console struct {
	In       *os.File
	Out, Err io.Writer
	OutTTY   bool // somebody reads what goes to out
	ErrTTY   bool // somebody watches what goes to err
	InTTY    bool // and can answer
	Getenv   func(string) string
	Now      func() time.Time

	State  string
	Server string // the page that is asked in place of the state
	By     string // who decides, if somebody says so
	JSON   bool
	Quiet  bool

	desks []*desk.Desk
	shown *view // how the work goes, once it is shown
}

// Wants checks the number of arguments.
func Wants(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == n:
			return nil
		case n == 0:
			return Usage("%s takes no arguments; see %s -h", c.CommandPath(), c.CommandPath())
		default:
			return Usage("%s needs %s; see %s -h", c.CommandPath(), what, c.CommandPath())
		}
	}
}

// AtMost checks that a command has not more than n arguments.
func AtMost(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return Usage("%s takes at most %s; see %s -h", c.CommandPath(), what, c.CommandPath())
		}
		return nil
	}
}

// Desk is the application as this call of the command uses it: with this
// machine, this clock, and this terminal to ask and to tell. Who has it closes it.
func (a *Console) Desk() *desk.Desk {
	d := &desk.Desk{Machine: a.machine(), State: a.Where(), User: a.who(), Now: a.Now, Tell: a.view().tell}
	if a.State != "" {
		d.Flags = []string{"--state", a.State}
	}
	if a.InTTY && a.ErrTTY {
		d.MayRun, d.MayInstall = a.mayRun, a.mayInstall
	}
	a.desks = append(a.desks, d)
	return d
}

// With gives f the desk for as long as it works.
func (a *Console) With(f func(d *desk.Desk) error) (err error) {
	d := a.Desk()
	defer func() { err = errors.Join(err, d.Close()) }()
	return f(d)
}

// An Answerer answers what can be asked here and of a page elsewhere.
type Answerer interface {
	Cases(ctx context.Context) ([]desk.Row, error)
	Case(ctx context.Context, name string) (desk.Case, error)
	Actions(ctx context.Context, r desk.ActionsRequest) ([]desk.Action, error)
	Consent(ctx context.Context, r desk.ConsentRequest) ([]desk.Action, error)
}

// Asks gives f whoever answers: the page that --server names, or the desk.
func (a *Console) Asks(f func(d Answerer) error) error {
	if a.Server != "" {
		return f(remote.Client{URL: a.Server, Token: a.Getenv("SCRUB_TOKEN")})
	}
	return a.With(func(d *desk.Desk) error { return f(d) })
}

// Who is who decides.
func (a *Console) Who() string { return a.who() }

// Saved is how many answers this call has put on record, once its desks are closed.
func (a *Console) Saved() (n int64) {
	for _, d := range a.desks {
		n += d.Saved()
	}
	return n
}

// Where is where what was found is kept.
func (a *Console) Where() string {
	if a.State == "" {
		dir := a.Getenv("XDG_STATE_HOME")
		if dir == "" {
			dir = filepath.Join(a.home(), ".local", "state")
		}
		return filepath.Join(dir, "scrub", "scrub.db")
	}
	if st, err := os.Stat(a.State); err == nil && st.IsDir() {
		return filepath.Join(a.State, "scrub.db")
	}
	return a.State
}

// Close takes the live line away and ends the show.
func (a *Console) Close() {
	if a.shown != nil {
		a.shown.close()
		a.shown = nil
	}
}

// Ask asks a person, and once more when they come back to a command that they had
// put aside with Ctrl-Z. Its answer is the next line that they type, unless the
// command is told to stop.
func (a *Console) Ask(ctx context.Context, in *bufio.Reader, question string) (string, error) {
	back := make(chan os.Signal, 1)
	signal.Notify(back, continued)
	defer signal.Stop(back)
	fmt.Fprint(a.Err, question)
	type read struct {
		line string
		err  error
	}
	got := make(chan read, 1) // so that whoever reads can leave when nobody waits any more
	go func() {
		line, err := in.ReadString('\n')
		got <- read{line, err}
	}()
	for {
		select {
		case <-ctx.Done():
			fmt.Fprintln(a.Err)
			return "", Ends(Failed, errors.New("interrupted at the question; nothing was decided"))
		case <-back:
			fmt.Fprint(a.Err, question)
		case r := <-got:
			return strings.ToLower(strings.TrimSpace(r.line)), r.err
		}
	}
}

// Yes asks whether something may be done. Where nobody sits at a terminal the answer is no.
func (a *Console) Yes(ctx context.Context, question string) (bool, error) {
	if !a.InTTY || !a.ErrTTY {
		return false, nil
	}
	a.pause()
	reply, err := a.Ask(ctx, bufio.NewReader(a.In), report.Clean(question)+" [y/N]: ")
	if ctx.Err() != nil {
		return false, err
	}
	return reply == "y" || reply == "yes", nil
}

// Answer writes an answer as JSON if that was asked for, and else its text.
func (a *Console) Answer(answer any, text string) error {
	a.pause()
	if !a.JSON {
		_, err := io.WriteString(a.Out, report.Clean(text))
		return err
	}
	data, err := desk.JSON(answer)
	if err != nil {
		return err
	}
	_, err = a.Out.Write(data)
	return err
}

// Document writes an answer whose text is Markdown: as it is, or on a terminal as
// people read it.
func (a *Console) Document(answer any, markdown string) error {
	if a.JSON || !a.OutTTY || !a.animated() {
		return a.Answer(answer, markdown)
	}
	a.pause()
	p := paper.Paper{Width: min(width(a.Out)-1, 100), Colour: a.Getenv("NO_COLOR") == "", Word: inkOf}
	_, err := io.WriteString(a.Out, p.Show(report.Clean(markdown)))
	return err
}

// Last says a verdict once more below a long document on a terminal, of which the
// beginning may be out of sight.
func (a *Console) Last(verdict, reason string) {
	if a.JSON || !a.OutTTY || !a.animated() {
		return
	}
	p := paper.Paper{Colour: a.Getenv("NO_COLOR") == ""}
	fmt.Fprintf(a.Out, "\n%s: %s\n", p.In(inkOf(verdict), verdict), report.Clean(reason))
}

// inkOf is the colour of a verdict: red still fails, green does not any more, yellow
// wants a look, blue waits for somebody.
func inkOf(word string) paper.Ink {
	switch casefile.Verdict(word) {
	case casefile.Reproduces:
		return paper.Red
	case casefile.Fixed, casefile.DoesNotReproduce:
		return paper.Green
	case casefile.Flaky, casefile.DifferentError, casefile.Hangs, casefile.Changed, casefile.Unsure:
		return paper.Yellow
	case casefile.NeedsDecision, casefile.NeedsInfo, casefile.CannotRun, casefile.Refused, casefile.NotActionable:
		return paper.Blue
	}
	return paper.Plain
}

// Note writes a line for whoever watches.
func (a *Console) Note(form string, args ...any) {
	a.pause()
	fmt.Fprintf(a.Err, "scrub: %s\n", report.Clean(fmt.Sprintf(form, args...)))
}

// IsTerminal reports whether somebody sits at f.
func IsTerminal(f *os.File) bool {
	return f != nil && terminal(f.Fd())
}
