package sweeping

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk/swept"
	"github.com/scrub-dev/scrub/internal/report"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/sweep"
)

// often is the time from one look at a sweep to the next.
const often = 500 * time.Millisecond

// follow shows how a sweep goes until nothing is left to do or the time is over.
func (a commands) follow(ctx context.Context, d swept.Desk, read *reading, f asked) error {
	ctx, done := context.WithCancel(ctx)
	defer done()
	entered := make(chan error, 1) // once all reports are read
	go func() { entered <- read.all(ctx, f.names) }()
	s := &show{commands: a, desk: d, sweep: read.sweep, began: a.Now(), from: a.Now(), printed: map[int64]string{}}
	defer s.wipe()
	var late <-chan time.Time
	if f.forTime > 0 {
		timer := time.NewTimer(f.forTime)
		defer timer.Stop()
		late = timer.C
	}
	tick := time.NewTicker(often)
	defer tick.Stop()
	reading := true
	for {
		select {
		case <-ctx.Done():
			if reading {
				<-entered
			}
			return context.Cause(ctx)
		case err := <-entered:
			if reading = false; err != nil {
				return err
			}
		case <-late:
			_, err := d.Stop(ctx, read.sweep, "the time limit of --for was reached")
			return err
		case <-tick.C:
		}
		over, err := s.look(ctx, reading)
		if err = s.bears(err); err != nil && ctx.Err() == nil {
			return err
		}
		if over && (!reading || s.stopped) {
			return nil
		}
		if s.idle() {
			if err := d.GoOn(ctx, read.queue, read.sweep); err != nil {
				a.Note("enter what is left: %v", err)
			}
		}
	}
}

// A show is how a sweep goes, on a terminal or line by line.
type show struct {
	commands
	desk    swept.Desk
	sweep   string
	began   time.Time
	done    int64 // when it was looked at first
	looked  bool
	printed map[int64]string // what was said of reports, by their numbers
	lines   int              // on the terminal, that change
	blind   int              // looks in a row that failed
	stopped bool
	last    int64     // reports that were dealt with at the last look
	still   int       // looks in a row at which that was the same
	from    time.Time // what was changed before was shown
}

// bears is err once it was seen too often in a row: a database may be away for a moment.
func (s *show) bears(err error) error {
	const often = 120
	if err == nil {
		s.blind = 0
		return nil
	}
	if s.blind++; s.blind == 1 {
		s.Note("the state cannot be read right now: %v", err)
	}
	if s.blind < often {
		return nil
	}
	return err
}

// idle reports, from time to time, that nothing has come to its end for a while.
func (s *show) idle() bool {
	const enough = 60
	return s.still > 0 && s.still%enough == 0
}

// slack is how far clocks of machines may be apart.
const slack = 2 * time.Minute

// look shows how far it has come.
func (s *show) look(ctx context.Context, reading bool) (over bool, err error) {
	p, err := s.desk.Progress(ctx, s.sweep)
	if err != nil {
		return false, err
	}
	if !s.looked {
		s.looked, s.done = true, p.Done+p.Aside
	}
	s.stopped = p.State == sweep.Stopped
	if s.still++; p.Done+p.Aside != s.last {
		s.last, s.still = p.Done+p.Aside, 0
	}
	ended, running, err := s.desk.Ended(ctx, s.sweep, s.from.Add(-slack))
	if err != nil {
		return false, err
	}
	s.wipe()
	for _, i := range ended {
		if i.Updated.After(s.from) {
			s.from = i.Updated
		}
		said := i.Verdict + i.Reason
		if s.printed[i.N] == said || s.Quiet {
			continue
		}
		s.printed[i.N] = said
		fmt.Fprintln(s.Err, line(i))
	}
	if s.ErrTTY && !s.Quiet {
		text := table(p, running, s.Now().Sub(s.began), p.Done+p.Aside-s.done, reading)
		s.lines = strings.Count(text, "\n")
		fmt.Fprint(s.Err, text)
	}
	return p.Over(), nil
}

// wipe takes away what changes.
func (s *show) wipe() {
	if s.lines > 0 {
		fmt.Fprintf(s.Err, "\x1b[%dA\x1b[J", s.lines)
		s.lines = 0
	}
}

// line is one report that has come to its end.
func line(i store.Item) string {
	what := i.Verdict
	if i.State == sweep.Aside {
		what = "set aside"
	}
	text := fmt.Sprintf("%-18s %s  %s", what, i.Source, i.Title)
	if i.State == sweep.Aside {
		text = fmt.Sprintf("%-18s %s  %s", what, i.Source, i.Reason)
	}
	return bug.Short(strings.ReplaceAll(report.Clean(text), "\n", " "), 160)
}

// table is how far a sweep has come, in a few lines.
func table(p swept.Progress, running []store.Item, took time.Duration, done int64, reading bool) string {
	var b strings.Builder
	more := ""
	if reading {
		more = ", still reading"
	}
	fmt.Fprintf(&b, "\n%d of %d reports%s", p.Done+p.Aside, p.Reports, more)
	if done > 0 && took > 0 {
		rate := float64(done) / took.Minutes()
		fmt.Fprintf(&b, ", %.0f a minute", rate)
		if left := p.Reports - p.Done - p.Aside; left > 0 && rate > 0 {
			fmt.Fprintf(&b, ", about %v left", time.Duration(float64(left)/rate*float64(time.Minute)).Round(time.Second))
		}
	}
	b.WriteString("\n" + verdicts(p))
	for _, i := range running {
		fmt.Fprintf(&b, "  %-7s %s\n", i.Step, bug.Short(bug.Squeeze(report.Clean(i.Source+"  "+i.Title)), 90))
	}
	return b.String()
}

// verdicts are the reports by verdict, the most frequent first.
func verdicts(p swept.Progress) string {
	var b strings.Builder
	names := slices.SortedFunc(maps.Keys(p.Verdicts), func(x, y string) int {
		return cmp.Or(cmp.Compare(p.Verdicts[y], p.Verdicts[x]), cmp.Compare(x, y))
	})
	for _, v := range names {
		fmt.Fprintf(&b, "  %6d %s\n", p.Verdicts[v], v)
	}
	if p.Aside > 0 {
		fmt.Fprintf(&b, "  %6d set aside\n", p.Aside)
	}
	return b.String()
}

// summary is what came of a sweep.
func summary(p swept.Progress) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Sweep %s: %s.\n\n%s", p.Sweep, bug.Count(int(p.Reports), "report"), verdicts(p))
	if left := p.Reports - p.Done - p.Aside; left > 0 {
		fmt.Fprintf(&b, "  %6d to go\n", left)
	}
	if p.State == sweep.Stopped {
		fmt.Fprintf(&b, "\nIt stopped: %s. The same command resumes it.\n", p.Why)
	}
	fmt.Fprintf(&b, "\nscrub sweep report shows it in full, and scrub actions what could be done about it.\n")
	return b.String()
}
