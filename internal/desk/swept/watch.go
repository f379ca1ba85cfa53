package swept

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/project"
	"github.com/scrub-dev/scrub/internal/queue"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/sweep"
)

// A WatchRequest is a repository whose issues are kept answered.
type WatchRequest struct {
	Request
	Repo string // OWNER/REPO
	Next bool   // it has begun, and ends when somebody stops it
}

// ErrStopped means that somebody has stopped what goes on.
var ErrStopped = errors.New("somebody stopped it")

// A watched is what is known of a repository that is watched.
type watched struct {
	Since   time.Time         `json:"since"`   // issues that changed before were seen
	Release string            `json:"release"` // the newest that was seen
	Pre     bool              `json:"pre"`     // and it is a pre-release, of a night perhaps
	Round   time.Time         `json:"round"`   // when the round began whose news were not told yet
	Was     map[string]string `json:"was"`     // in it: the verdicts that are being looked at again
	New     []string          `json:"new"`     // and the issues that were written or changed
	Before  string            `json:"before"`  // and the release that was the newest then
}

func watchKey(repo string) string { return "watch/1/" + repo }

// Round looks once at what is new: issues that were written or changed, and a
// release. What is to be done about it is entered; the rest is for Digest to tell.
func (d Desk) Round(ctx context.Context, q *queue.Queue, r WatchRequest) (id string, entered int, err error) {
	ref, err := bug.ParseRef(r.Repo + "#1")
	if err != nil {
		return "", 0, refusal.Bad("%s: want OWNER/REPO", r.Repo)
	}
	ref.Number = 0
	r.Sources, r.Urgency = []string{"watch " + r.Repo}, queue.New
	if _, w, err := d.request(ctx, r.ID()); r.Next && err == nil && w.State == sweep.Stopped {
		return w.ID, 0, ErrStopped
	}
	if id, err = d.Begin(ctx, r.Request); err != nil {
		return id, 0, err
	}
	kept, err := d.Kept(ctx)
	if err != nil {
		return id, 0, err
	}
	w, err := d.watched(ctx, kept, r.Repo)
	if err != nil {
		return id, 0, err
	}
	if err := d.adopt(ctx, kept, id, r.Repo); err != nil {
		return id, 0, err
	}
	if err := d.changed(ctx, q, id, ref, r, &w); err != nil {
		return id, 0, err
	}
	if err := d.released(ctx, q, id, r, &w); err != nil {
		return id, 0, err
	}
	return id, len(w.New) + len(w.Was), errors.Join(d.keepWatched(ctx, kept, r.Repo, w), d.GoOn(ctx, q, id))
}

// watched is what is known of a repository; from now on, if it is new.
func (d Desk) watched(ctx context.Context, kept *store.Store, repo string) (watched, error) {
	w := watched{Since: d.Now(), Was: map[string]string{}}
	data, ok, err := store.Answers{Store: kept}.Get(ctx, watchKey(repo))
	if err == nil && ok {
		err = json.Unmarshal(data, &w)
	}
	if w.Round.IsZero() {
		w.Round, w.Before = d.Now(), w.Release
	}
	return w, err
}

func (d Desk) keepWatched(ctx context.Context, kept *store.Store, repo string, w watched) error {
	data, err := json.Marshal(w)
	if err != nil {
		return err
	}
	return store.Answers{Store: kept}.Put(ctx, watchKey(repo), data)
}

// adopt makes the cases of a repository that are known already part of what is
// watched.
func (d Desk) adopt(ctx context.Context, kept *store.Store, id, repo string) error {
	rows, err := kept.Cases(ctx)
	if err != nil {
		return err
	}
	var items []store.Item
	for _, row := range rows {
		if ref, err := bug.ParseRef(row.Ref); err != nil || ref.Repo != repo {
			continue
		}
		c, err := d.Case(ctx, row.ID)
		if err != nil {
			return err
		}
		about := bounded(c.Report)
		data, err := json.Marshal(about)
		if err == nil {
			err = store.Answers{Store: kept}.Put(ctx, reportKey(bug.Digest(about)), data)
		}
		if err != nil {
			return err
		}
		items = append(items, store.Item{Source: row.Ref, Digest: bug.Digest(about), Repo: repo, Title: row.Title,
			State: sweep.Done, Step: string(sweep.Run), Verdict: row.Verdict, Reason: c.Reason, Case: row.ID,
			Updated: d.Now()})
	}
	_, err = kept.AddNew(ctx, id, items)
	return err
}

// changed enters the issues that were written or changed since the last look.
func (d Desk) changed(ctx context.Context, q *queue.Queue, id string, ref bug.Ref, r WatchRequest, w *watched) error {
	f, err := d.Forge(ctx, r.Issue.Source.Forge, ref, new(Requests))
	if err != nil {
		return err
	}
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	heard := &action.Ledger{Store: kept, Now: d.Now} // what people say of what was done
	var found []Found
	last := w.Since
	err = f.Changed(ctx, ref, w.Since, func(l forge.Listed) error {
		about, err := f.Report(ctx, l.Ref)
		var moved forge.Moved
		switch {
		case errors.Is(err, forge.ErrGone), errors.Is(err, forge.ErrNotFound), errors.As(err, &moved):
			return nil
		case errors.Is(err, forge.ErrToken) || errors.Is(err, forge.ErrLimited) || ctx.Err() != nil:
			return err
		}
		if err == nil {
			err = heard.Review(ctx, about)
		}
		about.Comments = unspoken(about)
		found = append(found, Found{Source: l.Ref.String(), Report: about, Err: err})
		if l.Updated.After(last) {
			last = l.Updated
		}
		return nil
	})
	if err != nil {
		return err
	}
	begun, err := d.add(ctx, q, id, found)
	if err != nil {
		return err
	}
	for _, i := range begun {
		if !slices.Contains(w.New, i.Source) {
			w.New = append(w.New, i.Source)
		}
	}
	w.Since = last
	return nil
}

// unspoken are the comments of a report without scrub's own, unless somebody
// asked it to look again: that it has spoken itself is no news.
func unspoken(r bug.Report) []bug.Comment {
	if action.SaidIn(r) != "" {
		return r.Comments
	}
	return action.Others(r.Comments)
}

// released looks whether a release has come out, or a build if those are watched, and has those looked at again
// that it touches: what still failed, and what was said to be fixed.
func (d Desk) released(ctx context.Context, q *queue.Queue, id string, r WatchRequest, w *watched) error {
	pkg, err := d.packageOf(r)
	if err != nil || pkg == "" {
		return err
	}
	envs, err := d.Machine.Environments(ctx, r.Issue.Box, r.Issue.Versions)
	if err != nil {
		return err
	}
	look := envs.Index.Newest
	if slices.Contains(r.Issue.Versions.On, machine.Nightly) {
		look = envs.Index.Nightly
	}
	newest, err := look(ctx, pkg)
	if err != nil {
		return err
	}
	first := w.Release == ""
	if newest.Version == w.Release {
		return nil
	}
	if w.Release, w.Pre = newest.Version, newest.Pre; first {
		w.Before = newest.Version // it was there before anybody watched
	}
	return d.touched(ctx, q, id, pkg, w)
}

// packageOf is the package whose releases are watched.
func (d Desk) packageOf(r WatchRequest) (string, error) {
	prof, err := project.For(r.Issue.Profile, r.Repo)
	return cmp.Or(r.Issue.Versions.Package, prof.Package, path.Base(r.Repo)), err
}

// touched enters again the cases that a release touches.
func (d Desk) touched(ctx context.Context, q *queue.Queue, id, pkg string, w *watched) error {
	kept, err := d.Kept(ctx)
	if err != nil {
		return err
	}
	const page = 500
	for after := int64(0); ; {
		items, err := kept.Items(ctx, id, after, page, sweep.Done)
		if err != nil {
			return err
		}
		var again []store.Item
		for _, i := range items {
			after = i.N
			if !touches(i.Verdict) || i.Case == "" {
				continue
			}
			c, err := d.Case(ctx, i.Case)
			if errors.Is(err, store.ErrNoCase) {
				continue
			}
			if err != nil {
				return err
			}
			if c.Package != pkg || c.Last() == w.Release || c.Report.State == bug.Closed && i.Verdict != string(casefile.Fixed) {
				continue
			}
			w.Was[i.Source] = i.Verdict
			i.State, i.Step, i.Leader, i.Updated = sweep.Waiting, string(sweep.Run), 0, d.Now()
			again = append(again, i)
		}
		for _, i := range again {
			if err := kept.SetItem(ctx, i); err != nil && !errors.Is(err, store.ErrStale) {
				return err
			}
		}
		if err := d.enter(ctx, q, id, again); err != nil || len(items) < page {
			return err
		}
	}
}

// touches reports whether a release can change what was said.
func touches(verdict string) bool {
	switch casefile.Verdict(verdict) {
	case casefile.Reproduces, casefile.Flaky, casefile.Hangs, casefile.Fixed:
		return true
	}
	return false
}

// Digest is what has changed since the last one, and ends the round.
func (d Desk) Digest(ctx context.Context, id, repo string) (sweep.Digest, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return sweep.Digest{}, err
	}
	w, err := d.watched(ctx, kept, repo)
	if err != nil {
		return sweep.Digest{}, err
	}
	g := sweep.Digest{Schema: "digest/1", Repo: repo, Since: w.Round}
	if w.Release != w.Before {
		g.Release, g.Pre = w.Release, w.Pre
	}
	for _, source := range slices.Sorted(keys(w)) {
		i, err := kept.ItemOf(ctx, id, source)
		if err != nil {
			return g, err
		}
		n := sweep.News{Source: source, Title: i.Title, Was: w.Was[source], Is: i.Verdict, Why: i.Reason,
			New: slices.Contains(w.New, source), Aside: i.State == sweep.Aside}
		if i.Case != "" {
			c, err := d.Case(ctx, i.Case)
			if err != nil && !errors.Is(err, store.ErrNoCase) {
				return g, err
			}
			n.In, n.By = when(c.Case)
			n.Version = c.Last()
		}
		g.News = append(g.News, n)
	}
	w.Round, w.Was, w.New = time.Time{}, map[string]string{}, nil
	return g, d.keepWatched(ctx, kept, repo, w)
}

// keys are the sources that a round is about.
func keys(w watched) func(func(string) bool) {
	return func(yield func(string) bool) {
		seen := map[string]bool{}
		for s := range w.Was {
			seen[s] = true
		}
		for _, s := range w.New {
			seen[s] = true
		}
		for s := range seen {
			if !yield(s) {
				return
			}
		}
	}
}

// when is the release that a case was fixed in, and the pull request that did it.
func when(c casefile.Case) (in, by string) {
	if c.When == nil {
		return "", ""
	}
	if _, to, ok := c.When.Exact(); ok && c.When.Found.Found.Is == bug.No {
		in = to
	}
	if s, ok := c.When.Culprit(); ok && s.Pull != 0 {
		by = fmt.Sprintf("#%d", s.Pull)
	}
	return in, by
}
