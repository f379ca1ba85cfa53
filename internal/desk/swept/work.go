package swept

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/pipeline"
	"github.com/scrub-dev/scrub/internal/queue"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/sweep"
)

const (
	slice  = time.Minute
	patent = 3  // times that a report may take its worker along
	heals  = 24 // tries at what may heal: for more than an hour
	fails  = 2  // and at what hardly does
)

// gather is the task of finding those that are alike.
const gather = "gather"

// Do does a job. What it returns says to the queue what becomes of the job; what
// was found out is on record.
func (d Desk) Do(ctx context.Context, q *queue.Queue, j queue.Job) error {
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	r, w, err := d.request(ctx, j.Sweep)
	if errors.Is(err, store.ErrNoSweep) || err == nil && w.State == sweep.Stopped {
		return nil // it is entered again when the sweep goes on
	}
	if err != nil {
		return err
	}
	if j.Do == gather {
		return d.gather(ctx, q, j.Sweep)
	}
	i, err := kept.Item(ctx, j.Sweep, j.Item)
	if errors.Is(err, store.ErrNoSweep) {
		return nil
	}
	if err != nil {
		return err
	}
	if i.Step != j.Do || i.State != sweep.Waiting && i.State != sweep.Running {
		return d.follow(ctx, q, i) // it has come further, but whoever was at it may not have come to the end
	}
	if put, err := d.elsewhere(ctx, kept, i, j); err != nil || put {
		return errors.Join(err, queue.Later(time.Second))
	}
	i.State, i.Doing, i.Updated = sweep.Running, d.Worker, d.Now()
	if err := kept.SetItem(ctx, i); err != nil && !errors.Is(err, store.ErrStale) {
		return err
	}
	err = d.take(ctx, q, r, i, j)
	switch {
	case errors.Is(err, journal.ErrPaused):
		return queue.Later(0)
	case err != nil && ctx.Err() == nil:
		return d.failed(ctx, q, i, j, err)
	}
	return err
}

// elsewhere reports whether a job should be left to a machine that has what it
// needs. That is a wish: nobody waits for long.
func (d Desk) elsewhere(ctx context.Context, kept *store.Store, i store.Item, j queue.Job) (bool, error) {
	const patience = 3
	if i.Needs == "" || j.Waited >= patience {
		return false, nil
	}
	here, there, err := kept.AtHome(ctx, i.Needs, d.Host)
	return !here && there, err
}

// take takes the step, in a process of its own if it has taken its worker along before.
func (d Desk) take(ctx context.Context, q *queue.Queue, r Request, i store.Item, j queue.Job) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = deadly{fmt.Sprint("panic: ", p)}
		}
	}()
	if j.Deaths == 0 || d.Alone == nil {
		return d.step(ctx, q, r, i)
	}
	died, err := d.Alone(ctx, j.Task)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if died != "" {
		return deadly{died}
	}
	return err
}

// A deadly report ends the process that deals with it.
type deadly struct{ how string }

const deadlyWords = "the process that dealt with it ended at once: "

func (d deadly) Error() string { return deadlyWords + d.how }

// failed says what becomes of a job that could not be done.
func (d Desk) failed(ctx context.Context, q *queue.Queue, i store.Item, j queue.Job, err error) error {
	tries := 1 + len(j.Failures)
	var dead deadly
	var no refusal.Refusal
	switch {
	case errors.As(err, &dead):
		for _, f := range j.Failures {
			if !strings.HasPrefix(f, deadlyWords) {
				tries--
			}
		}
		if tries+1 < patent { // the worker that was gone at first counts, too
			return err
		}
		err = fmt.Errorf("set aside: %d times %w", patent, err)
	case errors.As(err, &no):
	case mayHeal(err) && tries < heals, tries < fails:
		return err
	}
	i.State, i.Reason, i.Doing, i.Updated = sweep.Aside, bug.Short(bug.Squeeze(err.Error()), mostReason), "", d.Now()
	kept, kerr := d.Kept(ctx)
	if kerr == nil {
		kerr = kept.SetItem(ctx, i)
	}
	if errors.Is(kerr, store.ErrStale) {
		return d.anew(ctx, q, i)
	}
	if kerr == nil {
		kerr = d.follow(ctx, q, i)
	}
	if kerr != nil {
		return kerr
	}
	return queue.Never(err)
}

// step takes the next step for a report, and says which one follows.
func (d Desk) step(ctx context.Context, q *queue.Queue, r Request, i store.Item) error {
	long := d.Slice
	if long == 0 {
		long = slice
	}
	until := d.Now().Add(long)
	ctx, piece := journal.Sliced(ctx, func() bool { return d.Now().After(until) }, d.Asked)
	defer piece.End()
	next, err := d.stepped(ctx, r, &i)
	if errors.Is(context.Cause(ctx), journal.ErrPaused) {
		return journal.ErrPaused
	}
	if err != nil {
		return err
	}
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	i.Doing, i.Updated = "", d.Now()
	switch {
	case next == "":
		i.State = sweep.Done
	case !r.Apart && gathers(i, next):
		i.State, i.Step = sweep.Gather, string(next)
	default:
		i.State, i.Step = sweep.Waiting, string(next)
	}
	err = kept.SetItem(ctx, i)
	if errors.Is(err, store.ErrStale) { // it was edited meanwhile
		return d.anew(ctx, q, i)
	}
	if err != nil {
		return err
	}
	return d.follow(ctx, q, i)
}

// anew enters a report as it is now, also while it is being worked on as it was.
func (d Desk) anew(ctx context.Context, q *queue.Queue, i store.Item) error {
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	if i, err = kept.Item(ctx, i.Sweep, i.N); err != nil {
		return err
	}
	return q.Put(ctx, queue.Entry{Task: queue.Task{Sweep: i.Sweep, Item: i.N, Do: i.Step}, Urgency: queue.New,
		Rank: sweep.Step(i.Step).Rank(i.Place), Again: true})
}

// gathers reports whether a report waits for those that are alike before it takes a
// step: once before it runs, and once before the dear steps.
func gathers(i store.Item, next sweep.Step) bool {
	if next == sweep.Run {
		return i.Claim != ""
	}
	return next.Reaches(sweep.When) && !sweep.Step(i.Step).Reaches(sweep.When) && (i.Leader == 0 || i.Leader == i.N)
}

// stepped takes the step of a report that is due.
func (d Desk) stepped(ctx context.Context, r Request, i *store.Item) (next sweep.Step, err error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return "", err
	}
	data, ok, err := store.Answers{Store: kept}.Get(ctx, reportKey(i.Digest))
	if err != nil || !ok {
		return "", errors.Join(err, refusal.Bad("the report is not on record any more"))
	}
	var about bug.Report
	if err := json.Unmarshal(data, &about); err != nil {
		return "", err
	}
	step := sweep.Step(i.Step)
	ask := r.Issue
	ask.Round = cmp.Or(ask.Round, i.Digest) // all pieces of the work are one look
	ask.Source = desk.Source{Report: &about, Name: i.Source, Offline: true}
	if step == sweep.Triage {
		t, err := d.Triage(ctx, desk.TriageRequest{Source: ask.Source, Profile: ask.Profile})
		if err != nil {
			return "", err
		}
		i.Needs, i.Claim = needs(ask, t.Package, t.Reported), sweep.Claim(t.Case)
		if ends := t.Case.Triage != nil && !t.Case.Triage.ByWords; !ends {
			i.Verdict, i.Reason = "actionable", t.Reason
			if next, more := step.After(r.Depth, "", false); more {
				return next, nil
			}
			return "", nil
		}
	}
	if ask.Alike, err = d.alike(ctx, *i); err != nil {
		return "", err
	}
	if ask.Alike != nil {
		ask.Alike.Further = r.Depth.Reaches(sweep.When)
	}
	c, err := d.Issue(ctx, asked(ask, step))
	if err != nil {
		return "", err
	}
	i.Verdict, i.Reason, i.Case = string(c.Verdict), c.Reason, c.ID
	if i.Needs != "" {
		if err := kept.PutHome(ctx, i.Needs, d.Host); err != nil {
			return "", err
		}
	}
	next, _ = step.After(r.Depth, c.Verdict, ask.Since)
	return next, nil
}

// asked is what to find out as far as a step goes.
func asked(r desk.IssueRequest, step sweep.Step) desk.IssueRequest {
	r.NoBisect = r.NoBisect || !step.Reaches(sweep.When)
	r.Minimize = step.Reaches(sweep.Small)
	r.Why = step.Reaches(sweep.Why)
	r.Test = step.Reaches(sweep.Test)
	return r
}

// needs is what a machine must have for a report: the environment that is dear to make.
func needs(r desk.IssueRequest, pkg, reported string) string {
	if !r.Yes && len(r.Versions.On)+len(r.Versions.Install) == 0 || pkg == "" && len(r.Versions.Install) == 0 {
		return ""
	}
	return bug.Short(fmt.Sprintf("%s %s %s", pkg, reported, strings.Join(r.Versions.Install, " ")), 200)
}

// alike is what the one that goes first for the group of i has come to.
func (d Desk) alike(ctx context.Context, i store.Item) (*pipeline.Alike, error) {
	if i.Leader == 0 || i.Leader == i.N {
		return nil, nil
	}
	kept, err := d.Kept(ctx)
	if err != nil {
		return nil, err
	}
	first, err := kept.Item(ctx, i.Sweep, i.Leader)
	if err != nil || first.Case == "" {
		return nil, err
	}
	c, err := d.Case(ctx, first.Case)
	if errors.Is(err, store.ErrNoCase) {
		return nil, nil
	}
	return lesson(c.Case), err
}

// lesson is what a case has to say to those that are alike.
func lesson(c casefile.Case) *pipeline.Alike {
	a := &pipeline.Alike{Case: c.Report.Ref.String()}
	if a.Case == "" {
		a.Case = "case " + c.ID()
	}
	if c.When != nil {
		if from, to, ok := c.When.Exact(); ok {
			a.Versions = append(a.Versions, from, to)
		}
		if c.When.Commits != nil {
			if from, to, ok := c.When.Commits.Exact(); ok {
				a.Versions = append(a.Versions, from, to)
			}
		}
	}
	if c.Small != nil && c.Small.Verified {
		a.Program = c.Small.Program
	}
	verdict, _ := c.Verdict()
	a.Still = verdict == casefile.Reproduces
	if a.Still || verdict == casefile.Fixed {
		a.Steady = steady(c)
	}
	return a
}

// steady is what a run showed of a case whose versions all did the same in each of
// their runs.
func steady(c casefile.Case) (shown *bug.Outcome) {
	for _, a := range c.Asked {
		switch n := a.Tally.Runs(); n {
		case a.Tally.Yes:
			shown = &a.Tally.Outcomes[n-1]
		case a.Tally.No:
		default:
			return nil
		}
	}
	return shown
}

// A Result is how a step ended that was taken in a process of its own.
type Result struct {
	Paused  bool         `json:"paused,omitempty"`
	Error   string       `json:"error,omitempty"`
	Refused refusal.Kind `json:"refused,omitempty"`
	Heals   bool         `json:"heals,omitempty"`
}

// Take takes a step in this process, for a worker that does not dare to.
func (d Desk) Take(ctx context.Context, q *queue.Queue, t queue.Task) (Result, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return Result{}, err
	}
	r, _, err := d.request(ctx, t.Sweep)
	if err != nil {
		return Result{}, err
	}
	i, err := kept.Item(ctx, t.Sweep, t.Item)
	if err != nil {
		return Result{}, err
	}
	err = d.step(ctx, q, r, i)
	var no refusal.Refusal
	switch {
	case errors.Is(err, journal.ErrPaused):
		return Result{Paused: true}, nil
	case errors.As(err, &no):
		return Result{Error: err.Error(), Refused: no.Kind}, nil
	case err != nil:
		return Result{Error: err.Error(), Heals: mayHeal(err)}, nil
	}
	return Result{}, nil
}

// Err is the error that it stands for.
func (r Result) Err() error {
	switch {
	case r.Paused:
		return journal.ErrPaused
	case r.Refused != "":
		return refusal.Refusal{Kind: r.Refused, Err: errors.New(r.Error)}
	case r.Heals:
		return passing{r.Error}
	case r.Error != "":
		return errors.New(r.Error)
	}
	return nil
}

// A passing error may heal.
type passing struct{ text string }

func (p passing) Error() string { return p.text }

// Passing says so.
func (passing) Passing() bool { return true }
