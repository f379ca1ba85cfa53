package sweeping

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk/swept"
	"github.com/scrub-dev/scrub/internal/queue"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/sweep"
)

// watching is what the flags of scrub watch say.
type watching struct {
	r       swept.WatchRequest
	depth   string
	every   time.Duration
	once    bool
	workers int
	listen  string
	secret  string
}

func (a commands) watch() *cobra.Command {
	var f watching
	c := &cobra.Command{
		Use:   "watch OWNER/REPO",
		Short: "Watch a repository: check new and edited issues, and recheck on every release",
		Long: `Looks for issues that were written or edited and takes each to a verdict; a comment
with /scrub recheck has one looked at again. When a release of the package comes
out, what still failed and what was said to be fixed is run on it; with
--on reported,nightly the same for every nightly build. Each time something has
changed, prints a digest that takes a minute to read.

It begins with issues that change from now on, and with the cases of the
repository that are on record already: scrub sweep takes the backlog.

With --listen it also answers GitHub's webhook at /webhook, whose signature is
checked with the secret in --secret-file, and looks at once. With a state in
PostgreSQL the work is done by scrub worker.`,
		Example: `  scrub watch owner/repo --approve-clean --yes
  scrub watch owner/repo --approve-clean --yes --once > digest.md     # for a nightly job
  scrub watch owner/repo --approve-clean --on reported,nightly --index https://host/nightly/simple
  scrub watch owner/repo --approve-clean --yes --listen :8080 --secret-file webhook.secret`,
		Args: console.Wants(1, "one OWNER/REPO"),
		RunE: func(c *cobra.Command, args []string) error {
			f.r.Repo = args[0]
			return a.runWatch(c.Context(), f)
		},
	}
	eachFlags(c, &f.r.Issue)
	c.Flags().StringVar(&f.depth, "steps", "when", lastStep)
	c.Flags().DurationVar(&f.every, "every", 5*time.Minute, "how often to check for new issues and releases")
	c.Flags().BoolVar(&f.once, "once", false, "look once, print the digest and end")
	c.Flags().IntVar(&f.workers, "workers", -1,
		"reports worked on at once by this process (default: one for each processor; 0 with PostgreSQL)")
	c.Flags().StringVar(&f.listen, "listen", "", "address for GitHub's webhook, as in :8080 (default: none)")
	c.Flags().StringVar(&f.secret, "secret-file", "", "file with the webhook's secret")
	return c
}

// runWatch looks again and again, and works on what is found.
func (a commands) runWatch(ctx context.Context, f watching) (err error) {
	if f.r.Depth, err = sweep.ParseStep(f.depth); err != nil {
		return console.Usage("--steps: %w", err)
	}
	if f.every < time.Second {
		return console.Usage("--every must be at least a second")
	}
	if f.workers < 0 {
		f.workers = a.slots()
	}
	f.r.Issue.Versions.Lenient = true
	if f.r.Issue.Yes && len(f.r.Issue.Versions.On) == 0 {
		f.r.Issue.Versions.On = []string{"reported", "newest"}
	}
	d := a.desk()
	defer d.Close()
	ring := make(chan struct{}, 1) // somebody rings: look at once
	stop, err := a.hook(ctx, f, ring)
	if err != nil {
		return err
	}
	defer stop()
	return a.beside(ctx, d, f.workers, func(ctx context.Context, q *queue.Queue) error {
		return a.rounds(ctx, d, q, f, ring)
	})
}

// rounds looks again and again.
func (a commands) rounds(ctx context.Context, d swept.Desk, q *queue.Queue, f watching, ring <-chan struct{}) error {
	for ; ; f.r.Next = true {
		err := a.round(ctx, d, q, f)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if errors.Is(err, swept.ErrStopped) {
			a.Note("%v; the same command begins again", err)
			return nil
		}
		var no refusal.Refusal
		if err != nil && (f.once || errors.As(err, &no)) {
			return err
		}
		if err != nil {
			a.Note("%v; looking again in %v", err, f.every)
		}
		if f.once {
			return nil
		}
		next := time.NewTimer(f.every)
		select {
		case <-ctx.Done():
		case <-ring:
		case <-next.C:
		}
		next.Stop()
	}
}

// round looks once, waits for what follows from it, and tells what has changed.
func (a commands) round(ctx context.Context, d swept.Desk, q *queue.Queue, f watching) error {
	id, entered, err := d.Round(ctx, q, f.r)
	if err != nil {
		return err
	}
	if entered == 0 && !f.once {
		return nil
	}
	s := &show{commands: a, desk: d, sweep: id, began: a.Now(), from: a.Now(), printed: map[int64]string{}}
	defer s.wipe()
	tick := time.NewTicker(often)
	defer tick.Stop()
	for over := entered == 0; !over; {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
		if over, err = s.look(ctx, false); s.bears(err) != nil {
			return err
		}
	}
	s.wipe()
	g, err := d.Digest(ctx, id, f.r.Repo)
	if err != nil {
		return err
	}
	return a.Document(g, g.Markdown())
}

// secretOf reads the webhook's secret.
func secretOf(file string) (string, error) {
	if file == "" {
		return "", console.Usage("--listen needs --secret-file: without a secret anybody could trigger it")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", console.Usage("%w", err)
	}
	secret := strings.TrimSpace(string(text))
	if len(secret) < 8 {
		return "", console.Usage("%s: a secret of at least 8 characters is wanted", file)
	}
	return secret, nil
}

func ringing(ring chan<- struct{}) {
	select {
	case ring <- struct{}{}:
	default: // somebody has rung already
	}
}
