// Package swept is the part of the desk that is about whole backlogs: it enters
// reports as jobs, does the jobs, and says how far they have come.
package swept

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/queue"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/sweep"
)

// A Desk is the application, asked about backlogs.
type Desk struct {
	*desk.Desk
	Worker string               // what this process is called; nobody else is
	Host   string               // what this machine is called
	Used   func() time.Duration // of processors' time, by this process and those it started
	// Alone does a job in a process of its own, and says how that ended if it
	// ended too soon. Nil if there is no such way.
	Alone func(ctx context.Context, t queue.Task) (died string, err error)
	// Asked is told of questions that were not on record, and then of their
	// answers; may be nil.
	Asked func(key string, answered bool)
	Slice time.Duration // that a job takes at most, but for the question it is at; a minute
}

// A Request is what to find out about the reports of a backlog.
type Request struct {
	Sources []string          `json:"sources"` // as they were named
	Issue   desk.IssueRequest `json:"issue"`   // what to find out about each; its source is left out
	Depth   sweep.Step        `json:"depth"`
	Apart   bool              `json:"apart,omitempty"` // make no groups
	Urgency queue.Urgency     `json:"urgency,omitempty"`
	CPU     time.Duration     `json:"cpu_ns,omitempty"` // of processors' time, all together; 0 for no limit
}

// ID names the sweep: the same reports, asked the same.
func (r Request) ID() string {
	r.CPU, r.Urgency, r.Issue.Fresh, r.Issue.Round, r.Issue.Versions.Disk = 0, 0, false, "", 0
	return bug.Digest(r)[:8]
}

// A Found is a report of a backlog.
type Found struct {
	Source string // what to call it
	Report bug.Report
	Err    error // why it cannot be read, if it cannot
}

// Begin enters a sweep, or goes on with it.
func (d Desk) Begin(ctx context.Context, r Request) (id string, err error) {
	if !sweep.Test.Reaches(r.Depth) || r.Depth == "" {
		return "", refusal.Bad("%q is not a step", r.Depth)
	}
	if err := d.fits(ctx, r); err != nil {
		return "", err
	}
	kept, err := d.Kept(ctx)
	if err != nil {
		return "", err
	}
	id = r.ID()
	if r.Issue.Fresh {
		r.Issue.Round = d.Now().UTC().Format(time.RFC3339Nano)
	}
	body, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	if err := kept.PutSweep(ctx, store.Sweep{ID: id, At: d.Now(), State: sweep.Going, Body: body}); err != nil {
		return "", err
	}
	if r.Issue.Fresh {
		_, err = d.again(ctx, id, sweep.Done, sweep.Aside)
	}
	return id, err
}

// fits makes sure that what is asked makes sense, before it is asked of every report.
func (d Desk) fits(ctx context.Context, r Request) error {
	nothing := desk.Source{Report: &bug.Report{Title: "?", Body: "?"}, Name: "?", Offline: true}
	_, err := d.Triage(ctx, desk.TriageRequest{Source: nothing, Profile: r.Issue.Profile})
	if err != nil {
		return err
	}
	_, err = d.Machine.Box(r.Issue.Box)
	return err
}

// Add enters reports. Those that are there already, and have not changed since,
// stay as they are.
func (d Desk) Add(ctx context.Context, q *queue.Queue, id string, found []Found) (begun int, err error) {
	begin, err := d.add(ctx, q, id, found)
	return len(begin), err
}

func (d Desk) add(ctx context.Context, q *queue.Queue, id string, found []Found) (begin []store.Item, err error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return nil, err
	}
	front, err := kept.Foremost(ctx, sweep.Waiting)
	if err != nil {
		return nil, err
	}
	last := map[string]int64{}
	var items []store.Item
	for _, f := range found {
		if f.Err != nil {
			items = append(items, store.Item{Source: f.Source, Digest: bug.Digest(f.Err.Error()), Title: f.Source,
				State: sweep.Aside, Reason: bug.Short(bug.Squeeze(f.Err.Error()), mostReason), Updated: d.Now()})
			continue
		}
		r := bounded(f.Report)
		data, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		if err := (store.Answers{Store: kept}).Put(ctx, reportKey(bug.Digest(r)), data); err != nil {
			return nil, err
		}
		repo := r.Ref.Repo
		if _, known := last[repo]; !known {
			last[repo], err = kept.LastPlace(ctx, repo, sweep.Open)
			if err != nil {
				return nil, err
			}
			last[repo] = max(last[repo], front)
		}
		last[repo]++
		items = append(items, store.Item{Source: f.Source, Digest: bug.Digest(r), Repo: repo, Title: r.Title,
			State: sweep.Waiting, Step: string(sweep.Triage), Place: last[repo], Updated: d.Now()})
	}
	if begin, err = kept.AddItems(ctx, id, items); err != nil {
		return nil, err
	}
	return begin, d.enter(ctx, q, id, begin)
}

// mostReason is how much is kept of why a report could not be dealt with.
const mostReason = 500

// reportKey is by what a report is kept: by all it says, since many may be called the same.
func reportKey(digest string) string { return "report/" + digest }

// enter puts the next step of reports into the queue.
func (d Desk) enter(ctx context.Context, q *queue.Queue, id string, items []store.Item) error {
	r, _, err := d.request(ctx, id)
	if err != nil {
		return err
	}
	urgency := r.Urgency
	if urgency == 0 {
		urgency = queue.Backlog
	}
	var all []queue.Entry
	for _, i := range items {
		if i.State != sweep.Waiting && i.State != sweep.Running {
			continue
		}
		all = append(all, queue.Entry{Task: queue.Task{Sweep: id, Item: i.N, Do: i.Step}, Urgency: urgency,
			Rank: sweep.Step(i.Step).Rank(i.Place)})
	}
	return q.Put(ctx, all...)
}

// GoOn puts into the queue what a sweep has left to do and is not there: after it
// was stopped, there may be such.
func (d Desk) GoOn(ctx context.Context, q *queue.Queue, id string) error {
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	const page = 500
	for after := int64(0); ; {
		items, err := kept.Items(ctx, id, after, page, sweep.Waiting, sweep.Running)
		if err != nil {
			return err
		}
		if err := d.enter(ctx, q, id, items); err != nil {
			return err
		}
		if len(items) < page {
			break
		}
		after = items[len(items)-1].N
	}
	if err := d.unwaited(ctx, q, kept, id); err != nil {
		return err
	}
	return d.gatherIfDue(ctx, q, id)
}

// unwaited has those go on that wait for one which has come to its end.
func (d Desk) unwaited(ctx context.Context, q *queue.Queue, kept *store.Store, id string) error {
	const page = 500
	seen := map[int64]bool{}
	for after := int64(0); ; {
		items, err := kept.Items(ctx, id, after, page, sweep.Behind)
		if err != nil {
			return err
		}
		for _, i := range items {
			if after = i.N; seen[i.Leader] {
				continue
			}
			seen[i.Leader] = true
			first, err := kept.Item(ctx, id, i.Leader)
			if err != nil {
				return err
			}
			if first.State == sweep.Done || first.State == sweep.Aside {
				if err := d.release(ctx, q, first); err != nil {
					return err
				}
			}
		}
		if len(items) < page {
			return nil
		}
	}
}

// Retry has reports that were set aside begin again.
func (d Desk) Retry(ctx context.Context, id string) (n int, err error) {
	return d.again(ctx, id, sweep.Aside)
}

// again has reports in some states begin again.
func (d Desk) again(ctx context.Context, id string, states ...string) (n int, err error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return 0, err
	}
	const page = 500
	for {
		items, err := kept.Items(ctx, id, 0, page, states...)
		if err != nil || len(items) == 0 {
			return n, err
		}
		for _, i := range items {
			i.State, i.Reason, i.Verdict, i.Leader, i.Updated = sweep.Waiting, "", "", 0, d.Now()
			i.Step = string(sweep.Triage)
			if err := kept.SetItem(ctx, i); err != nil && !errors.Is(err, store.ErrStale) {
				return n, err
			}
			n++
		}
	}
}

// Stop has everybody leave a sweep alone, until it is begun again.
func (d Desk) Stop(ctx context.Context, name, why string) (id string, err error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return "", err
	}
	w, err := kept.Sweep(ctx, name)
	if errors.Is(err, store.ErrNoSweep) {
		return "", noSweep(name, err)
	}
	if err != nil {
		return "", err
	}
	return w.ID, kept.SetSweep(ctx, w.ID, sweep.Stopped, why)
}

// Pause waits, unless it is told to stop.
func (d Desk) Pause(ctx context.Context, how time.Duration) error { return machine.Wait(ctx, how) }

// request is what was asked of a sweep, and how it is now.
func (d Desk) request(ctx context.Context, id string) (Request, store.Sweep, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return Request{}, store.Sweep{}, err
	}
	w, err := kept.Sweep(ctx, id)
	if err != nil {
		return Request{}, w, err
	}
	var r Request
	if err := json.Unmarshal(w.Body, &r); err != nil {
		return r, w, fmt.Errorf("sweep %s is damaged: %w", id, err)
	}
	return r, w, nil
}
