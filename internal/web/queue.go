package web

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/scrub-dev/scrub/internal/desk/swept"
	"github.com/scrub-dev/scrub/internal/page"
	"github.com/scrub-dev/scrub/internal/web/door"
)

// mostQueued is how many jobs are shown in each state.
const mostQueued = 50

// queue is what waits for workers, for whoever runs them.
func (v visit) queue() error {
	if v.who.Everywhere() < door.Reader {
		return errRole
	}
	l, err := v.line.Get(v.Now(), func() (line, error) { return v.waiting(v.r.Context()) })
	if err != nil {
		return err
	}
	v.show(http.StatusOK, v.frame("Queue").Queue(l.jobs, l.sweeps, mostQueued, v.who.Everywhere() >= door.Admin))
	return nil
}

// A line is what waits for workers.
type line struct {
	jobs   []swept.Job
	sweeps []page.Home
}

// waiting looks up what waits for workers.
func (v visit) waiting(ctx context.Context) (l line, err error) {
	if l.jobs, err = (swept.Desk{Desk: v.Index.Desk}).Jobs(ctx, mostQueued); err != nil {
		return l, err
	}
	kept, err := v.Index.Desk.Kept(ctx)
	if err != nil {
		return l, err
	}
	l.sweeps, err = v.sweeps(ctx, kept)
	return l, err
}

// queued is what those who run the workers do about what waits for them.
func (v visit) queued() error {
	if v.who.Everywhere() < door.Admin {
		return errRole
	}
	d := v.Desk(v.who.Name, nil)
	err := v.dealt(swept.Desk{Desk: d})
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return v.to("/queue")
}

// dealt does one of the things that can be done about jobs.
func (v visit) dealt(d swept.Desk) error {
	ctx, id := v.r.Context(), v.r.PostFormValue("sweep")
	n, err := strconv.ParseInt("0"+v.r.PostFormValue("n"), 10, 64)
	if err != nil {
		return bad("%q is no number", v.r.PostFormValue("n"))
	}
	do, target := v.r.PostFormValue("do"), id
	if n > 0 {
		target += fmt.Sprintf(" %d", n)
	}
	ways := map[string]struct {
		said string
		act  func() error
	}{
		"now": {"It is tried as soon as a worker is free.", func() error { return d.Hurry(ctx, n) }},
		"aside": {"Set aside. scrub sweep --retry takes it up again.",
			func() error { return d.SetAside(ctx, id, n, v.who.Name) }},
		"stop": {"Stopped. The same scrub sweep goes on with it.", func() error {
			_, err := d.Stop(ctx, id, "stopped by "+v.who.Name)
			return err
		}},
	}
	way, ok := ways[do]
	if !ok {
		return bad("%q: there is no such thing to do", do)
	}
	if err := v.note("in the queue: "+do, target, "", ""); err != nil {
		return err
	}
	defer v.line.Forget()
	if err := way.act(); err != nil {
		return err
	}
	v.say(way.said)
	return nil
}
