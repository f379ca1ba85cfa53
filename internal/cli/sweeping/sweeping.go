// Package sweeping has the commands about whole backlogs.
package sweeping

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/swept"
	"github.com/scrub-dev/scrub/internal/queue"
	"github.com/scrub-dev/scrub/internal/sweep"
)

type commands struct {
	*console.Console
	host string // what somebody calls this machine
}

// Commands are scrub sweep, with all below it, scrub worker, scrub watch and scrub stats.
func Commands(on *console.Console) []*cobra.Command {
	a := commands{Console: on}
	return []*cobra.Command{a.sweep(), a.duplicates(), a.worker(), a.watch(), a.stats()}
}

// asked is what the flags of scrub sweep say.
type asked struct {
	r       swept.Request
	search  string
	depth   string
	limit   int
	forTime time.Duration
	workers int
	budget  []string
	again   bool
	names   []string // the sources as they were named
}

func (a commands) sweep() *cobra.Command {
	var f asked
	c := &cobra.Command{
		Use:   "sweep SOURCE…",
		Short: "Reproduce a whole backlog of reports, on this machine or on many",
		Long: `Takes every report of a backlog as deep as --steps says, cheap steps for all
before expensive ones for any, and shows how far it has come. Reports that seem
to be about the same bug are grouped: one of them is bisected and minimized, and
its answer is tried on the others first.

SOURCE is a folder of reports, a file of JSON lines, what gh issue list --json
prints, - for the same on stdin, or OWNER/REPO with --search.

Nothing is posted: proposals gather, and scrub actions lists them. Programs in
which something dangerous was found wait for a person; --approve-clean runs the
others without asking.

Ctrl-C stops it; the same command resumes it. With a state in
PostgreSQL this command only enters the reports and watches; scrub worker, on
any number of machines, does the work.`,
		Example: `  scrub sweep reports/ --approve-clean
  scrub sweep owner/repo --search 'is:open label:bug' --steps triage
  scrub sweep reports/ --approve-clean --yes --steps small --for 2h --budget cpu=10h,disk=50
  gh issue list -R owner/repo --limit 500 --json number,url,title,body,author,createdAt,comments,labels,state | scrub sweep - --approve-clean
  scrub sweep report --format html > backlog.html`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return console.Usage("%s needs at least one SOURCE; see %s -h", c.CommandPath(), c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			f.names, f.r.Sources = args, whole(args)
			return a.run(c.Context(), f)
		},
	}
	eachFlags(c, &f.r.Issue)
	c.Flags().StringVar(&f.depth, "steps", "run", lastStep)
	c.Flags().StringVar(&f.search, "search", "is:open", "which issues of OWNER/REPO, in GitHub's search syntax")
	c.Flags().IntVar(&f.limit, "limit", 0, "take at most this many reports")
	c.Flags().DurationVar(&f.forTime, "for", 0, "stop after this time; the same command resumes")
	c.Flags().IntVar(&f.workers, "workers", -1,
		"reports worked on at once by this process (default: one for each processor; 0 with PostgreSQL)")
	c.Flags().StringSliceVar(&f.budget, "budget", nil,
		"what may be used: cpu=10h of processor time, disk=50 GiB of environments, requests=1000 to GitHub")
	c.Flags().BoolVar(&f.r.Apart, "no-groups", false, "treat every report on its own")
	c.Flags().BoolVar(&f.again, "retry", false, "retry reports that were set aside")
	c.AddCommand(a.list(), a.stop(), a.report())
	return c
}

// whole are sources by names that nothing else has: two folders may be called the same.
func whole(names []string) []string {
	all := slices.Clone(names)
	for i, s := range names {
		if _, err := os.Stat(s); err != nil {
			continue
		}
		if full, err := filepath.Abs(s); err == nil {
			all[i] = full
		}
	}
	return all
}

// complete puts into the request what flags say in words.
func (f *asked) complete() (requests int64, err error) {
	if f.r.Depth, err = sweep.ParseStep(f.depth); err != nil {
		return 0, console.Usage("--steps: %w", err)
	}
	if f.limit < 0 || f.forTime < 0 {
		return 0, console.Usage("--limit and --for must not be negative")
	}
	for _, b := range f.budget {
		name, value, _ := strings.Cut(b, "=")
		switch name {
		case "cpu":
			f.r.CPU, err = time.ParseDuration(value)
		case "disk":
			_, err = fmt.Sscanf(strings.TrimRight(value, "GiBb "), "%d", &f.r.Issue.Versions.Disk)
		case "requests":
			_, err = fmt.Sscanf(value, "%d", &requests)
		default:
			return 0, console.Usage("--budget: %q is not cpu=, disk= or requests=", b)
		}
		if err != nil {
			return 0, console.Usage("--budget %s: %w", b, err)
		}
	}
	return requests, nil
}

// run enters reports, and works on them if this process is to.
func (a commands) run(ctx context.Context, f asked) error {
	requests, err := f.complete()
	if err != nil {
		return err
	}
	if f.workers < 0 {
		f.workers = a.slots()
	}
	for _, name := range f.names {
		if err := known(name); err != nil {
			return err
		}
	}
	f.r.Issue.Versions.Lenient = true
	d := a.desk()
	defer d.Close()
	id, err := d.Begin(ctx, f.r)
	if err != nil {
		return err
	}
	if f.again {
		if n, err := d.Retry(ctx, id); err != nil {
			return err
		} else if n > 0 {
			a.Note("%d reports that were set aside begin again", n)
		}
	}
	err = a.both(ctx, d, id, f, requests)
	p, perr := d.Progress(context.WithoutCancel(ctx), id)
	if err = errors.Join(err, perr); err != nil {
		return err
	}
	return a.Answer(p, summary(p))
}

// both reads reports and, if it is asked to, works on them, until nothing is left
// or the time is over.
func (a commands) both(ctx context.Context, d swept.Desk, id string, f asked, requests int64) error {
	return a.beside(ctx, d, f.workers, func(ctx context.Context, q *queue.Queue) error {
		read := &reading{desk: d, queue: q, sweep: id, limit: f.limit, search: f.search,
			forge: f.r.Issue.Source.Forge, requests: &swept.Requests{Most: requests}, in: a.In, note: a.Note}
		return a.follow(ctx, d, read, f)
	})
}

// desk is the part of the application that is about backlogs.
func (a commands) desk() swept.Desk {
	d := a.Desk()
	d.Tell, d.MayRun, d.MayInstall = nil, nil, nil // nobody is asked in the middle of a thousand reports
	return a.on(d, "")
}

func (a commands) on(d *desk.Desk, host string) swept.Desk {
	id, machine := a.Self(host)
	return swept.Desk{Desk: d, Worker: id, Host: machine, Used: console.Used, Alone: a.alone}
}

func (a commands) list() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List sweeps and how far they have come",
		Args:  console.Wants(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			d := a.desk()
			defer d.Close()
			all, err := d.Sweeps(c.Context())
			if err != nil {
				return err
			}
			var b strings.Builder
			for _, p := range all {
				fmt.Fprintf(&b, "%s  %-8s %6d of %-6d %s  %s\n", p.Sweep, p.State, p.Done+p.Aside, p.Reports, p.Depth,
					strings.Join(p.Sources, " "))
			}
			if len(all) == 0 {
				b.WriteString("No sweeps yet; scrub sweep SOURCE starts one.\n")
			}
			return a.Answer(all, b.String())
		},
	}
}

func (a commands) stop() *cobra.Command {
	return &cobra.Command{
		Use:   "stop [SWEEP]",
		Short: "Stop a sweep on all machines; the same scrub sweep command resumes it",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return console.Usage("scrub sweep stop takes at most one SWEEP")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			d := a.desk()
			defer d.Close()
			id, err := d.Stop(c.Context(), strings.Join(args, ""), "somebody stopped it")
			if err != nil {
				return err
			}
			p, err := d.Progress(c.Context(), id)
			if err != nil {
				return err
			}
			return a.Answer(p, fmt.Sprintf("Sweep %s is stopped; jobs that run now end within seconds.\n", id))
		},
	}
}

// lastStep is what --steps says.
const lastStep = "the last step to take: triage (read only), run, when (find the release), small (minimize), " +
	"why (find the component) or test (regression test)"
