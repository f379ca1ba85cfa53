// Package ledger is the commands about what scrub wants to do in public.
package ledger

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"scrub/internal/action"
	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/console"
	"scrub/internal/report"
	"scrub/internal/store"
)

// A Desk is where the commands are: the console, and nothing else.
type Desk struct{ *console.Console }

// Commands are all of them.
func (a Desk) Commands() []*cobra.Command {
	return []*cobra.Command{a.actions(), a.decideOn("approve", true), a.decideOn("deny", false), a.apply(), a.subscription()}
}

// said is what people tell scrub in a thread.
var said = regexp.MustCompile(`(?m)^\s*/scrub (recheck|wrong)\b`)

// Told is the last thing that somebody told scrub, after its own last comment.
func Told(r bug.Report) string {
	last := ""
	for _, c := range r.Comments {
		if c.Own {
			last = ""
			continue
		}
		if m := said.FindStringSubmatch(c.Body); m != nil {
			last = m[1]
		}
	}
	return last
}

// Others are the comments that are not scrub's own: what it said itself is
// no evidence.
func Others(all []bug.Comment) []bug.Comment {
	return slices.DeleteFunc(slices.Clone(all), func(c bug.Comment) bool { return c.Own })
}

// Propose enters what follows from a case, of an issue as it is, into the
// ledger. If somebody told scrub that it was wrong, nothing does.
func (a Desk) Propose(ctx context.Context, s *store.Store, c casefile.Case, policy func() (action.Policy, error), as bug.Report) error {
	if Told(as) == "wrong" {
		fmt.Fprintln(a.Err, "scrub: somebody says in the thread that scrub was wrong: nothing is proposed")
		return nil
	}
	if as.Ref.Repo == "" {
		return nil
	}
	return a.Ledger(s, nil, policy).Propose(ctx, as, c.Proposals)
}

// Post asks about what was proposed for a case and does what is agreed to.
func (a Desk) Post(ctx context.Context, s *store.Store, c casefile.Case, at console.Place, checkout string) error {
	l := a.Ledger(s, nil, nil)
	all, err := l.Entries(ctx)
	if err != nil {
		return err
	}
	in := bufio.NewReader(a.In)
	for _, e := range all {
		if e.Action.On != c.Report.Ref || e.Status() != "proposed" {
			continue
		}
		if !a.InTTY || !a.ErrTTY {
			fmt.Fprintf(a.Err, "scrub: %s waits: scrub approve %s\n", entryLine(e), e.Action.Short())
			continue
		}
		fmt.Fprintf(a.Err, "\n%s\n%s\nDo it? [y]es, [n]o, [l]ater: ", report.Clean(entryLine(e)), report.Clean(indented(e.Action.Text)))
		word, err := a.Reply(ctx, in)
		if ctx.Err() != nil {
			return err // nobody there is later
		}
		if word != "y" && word != "yes" && word != "n" && word != "no" {
			continue
		}
		d := action.Decision{By: a.Getenv("USER"), Yes: word[0] == 'y', At: a.Now()}
		if _, err := l.Decide(ctx, e.Action.ID(), d); err != nil {
			return err
		}
	}
	return a.applyOn(ctx, s, at, c.Report.Ref, checkout, false)
}

func indented(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ")
}

func entryLine(e action.Entry) string {
	text := bug.Short(bug.Squeeze(e.Action.Text), 60)
	return fmt.Sprintf("%s  %-8s  %s on %v: %s", e.Action.Short(), e.Status(), e.Action.Kind, e.Action.On, text)
}

// applyOn carries out what is approved on one issue, or on all of them.
func (a Desk) applyOn(ctx context.Context, s *store.Store, at console.Place, on bug.Ref, checkout string, dry bool) error {
	if !dry {
		release, err := s.Lock("apply")
		if err != nil {
			return fmt.Errorf("another scrub is applying: %w", err)
		}
		defer release()
	}
	v := a.View()
	defer v.Close()
	all, err := a.Ledger(s, nil, nil).Entries(ctx)
	if err != nil {
		return err
	}
	shown := a.Out
	if a.JSON {
		shown = a.Err
	}
	var dealt []action.Entry
	var failed error
	for _, ref := range action.Issues(all, on) {
		prof, err := console.ProfileFor("", ref.Repo)
		if err != nil {
			return err
		}
		w, err := a.ForgeFor(ctx, s, v, at, ref)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		l := a.Ledger(s, w, console.PolicyOf("", ref.Repo, checkout))
		l.Hourly = prof.Hourly
		if dry {
			rehearsal := &action.Rehearsal{Writer: w, Say: func(request string) { fmt.Fprint(shown, report.Clean(request)) }}
			l.Writer, l.Store, l.Wait = rehearsal, action.Aside(s), func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
		}
		done, err := l.Apply(ctx, ref)
		dealt = append(dealt, done...)
		failed = errors.Join(failed, err)
	}
	v.Pause()
	if a.JSON {
		if err := a.Answer(dealt, ""); err != nil {
			return err
		}
	} else if !dry {
		for _, e := range dealt {
			fmt.Fprintln(a.Out, report.Clean(entryLine(e)))
		}
	}
	return failed
}
