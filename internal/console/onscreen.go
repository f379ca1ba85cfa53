package console

import (
	"context"
	"strings"
	"sync"

	"github.com/scrub-dev/scrub/internal/console/screen"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/report"
)

// OnScreen has d show a search on the whole terminal from the first news of it on,
// with keys to pause it and to stop it. What it returns last gives the terminal
// back. Where nobody sits at a terminal nothing is different.
func (a *Console) OnScreen(ctx context.Context, d *desk.Desk, title string) (context.Context, func()) {
	if !a.InTTY || !a.ErrTTY || !a.animated() || a.Quiet {
		return ctx, func() {}
	}
	ctx, stop := context.WithCancel(ctx)
	env := []string{"TERM=" + a.Getenv("TERM"), "COLORTERM=" + a.Getenv("COLORTERM")}
	s := &screen.Screen{In: a.In, Out: a.Err, Env: env, Title: report.Clean(title), Plain: a.Getenv("NO_COLOR") != "",
		Now: a.Now, Stop: stop}
	var once sync.Once
	opened := make(chan struct{})
	plain, ofMachine := d.Tell, d.Machine.Tell
	d.Tell = func(e event.Event) {
		if e.State == event.Going && e.Show != "" {
			once.Do(func() {
				a.pause()
				s.Open(ctx)
				close(opened)
			})
		}
		e.Text, e.Show = report.Clean(strings.ReplaceAll(e.Text, "\n", " ")), report.Clean(e.Show)
		select {
		case <-opened:
			s.Tell(e)
		default:
			plain(e)
		}
	}
	d.Machine.Tell = d.Tell
	// Between two questions is where it waits.
	ctx, piece := journal.Sliced(ctx, func() bool {
		select {
		case <-opened:
			s.Wait(ctx)
		default:
		}
		return false
	}, nil)
	return ctx, func() {
		select {
		case <-opened:
			s.Close()
		default:
		}
		piece.End()
		stop()
		d.Tell, d.Machine.Tell = plain, ofMachine
	}
}
