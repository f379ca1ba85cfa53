package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/applied"
	"github.com/scrub-dev/scrub/internal/page"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/web/door"
)

// mostBatch is how many issues can be agreed to at once.
const mostBatch = page.MostAtOnce

// batch shows exactly what would be written if somebody agreed to all of a list.
func (v visit) batch() error {
	values := v.r.URL.Query()
	q := v.query(values)
	q.Waits, q.Sort, q.Of, q.Page = true, cmp.Or(q.Sort, "certain"), mostBatch, 1
	var all []desk.Action
	for _, row := range v.Index.List(q).Rows {
		if v.who.In(row.Repo) < door.Approver || row.Ref == "" {
			continue
		}
		on, err := v.Index.Desk.Actions(v.r.Context(), desk.ActionsRequest{On: row.Ref})
		if err != nil {
			return err
		}
		all = append(all, slices.DeleteFunc(on, func(a desk.Action) bool { return !a.Waits() })...)
	}
	f := v.frame("Agree to several")
	f.At = "/inbox"
	v.show(http.StatusOK, f.Batch(all, values.Encode()))
	return nil
}

// agreed are the actions that were agreed to and that whoever asks may have written.
func (v visit) agreed() ([]desk.Action, error) {
	var all []desk.Action
	for _, ref := range v.Index.Agreed() {
		if len(refs(all)) == mostBatch {
			break // the next ones are shown when these are done
		}
		on, err := v.Index.Desk.Actions(v.r.Context(), desk.ActionsRequest{On: ref})
		if err != nil {
			return nil, err
		}
		all = append(all, slices.DeleteFunc(on, func(a desk.Action) bool {
			return a.Status != action.Approved || v.who.In(a.Action.On.Place()) < door.Approver
		})...)
	}
	return all, nil
}

// rehearse shows what was agreed to and the requests that would be sent, tried on the live issues.
func (v visit) rehearse() error {
	all, err := v.agreed()
	if err != nil {
		return err
	}
	var requests strings.Builder
	var blocked []page.Blocked
	var changes []page.Change
	for _, ref := range refs(all) {
		d := v.Desk(v.who.Name, nil)
		_, err := applied.Desk{Desk: d}.Apply(v.r.Context(), applied.ApplyRequest{On: ref.String(), Forge: v.Forge,
			DryRun:  true,
			Request: func(text string) { requests.WriteString(text) }})
		if err == nil {
			var now page.Change
			now, err = v.change(d, ref, all)
			changes = append(changes, now)
		}
		if err = errors.Join(err, d.Close()); err != nil {
			blocked = append(blocked, page.Blocked{Ref: ref.String(), Why: strings.TrimPrefix(err.Error(), ref.String()+": ")})
		}
	}
	f := v.frame("Write")
	f.At = "/inbox"
	v.show(http.StatusOK, f.Apply(all, requests.String(), blocked, changes))
	return nil
}

// change is an issue as it is now, and what would be done to it.
func (v visit) change(d *desk.Desk, ref bug.Ref, all []desk.Action) (page.Change, error) {
	r, err := d.Read(v.r.Context(), desk.Source{Issue: ref.String(), Forge: v.Forge})
	c := page.Change{Ref: ref.String(), Title: r.Title, State: string(r.State), Labels: r.Labels,
		Comments: len(r.Comments)}
	for _, a := range all {
		if a.Action.On == ref {
			c.Actions = append(c.Actions, a)
		}
	}
	for _, said := range r.Comments {
		if said.Own {
			c.Own = said.Body // the pen edits the last one
		}
	}
	return c, err
}

// apply writes what was agreed to, in the background.
func (v visit) apply() error {
	all, err := v.agreed()
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return bad("nothing was agreed to that is not done yet")
	}
	shown := strings.Split(v.r.PostFormValue("ids"), ",")
	all = slices.DeleteFunc(all, func(a desk.Action) bool { return !slices.Contains(shown, a.ID) })
	if len(all) != len(shown) {
		return bad("what was agreed to has changed since you looked: look at it once more, at /apply")
	}
	byRepo := map[string][]bug.Ref{}
	for _, ref := range refs(all) {
		byRepo[ref.Place()] = append(byRepo[ref.Place()], ref)
	}
	for repo, on := range byRepo {
		if err := v.note("has written", fmt.Sprint(on), repo, ""); err != nil {
			return err
		}
		j := page.Job{What: "Write what was agreed to on " + repo, By: v.who.Name, Repo: repo, Writes: true}
		err := v.jobs.Start(v.background(), j, func(ctx context.Context, d *desk.Desk) (string,
			error) {
			return v.write(ctx, d, on, shown)
		})
		if err != nil {
			return bad("%w", err)
		}
	}
	return v.to("/live")
}

// write carries out exactly some actions. One issue that cannot be written on does not keep the others.
func (v visit) write(ctx context.Context, d *desk.Desk, on []bug.Ref, only []string) (string, error) {
	done := 0
	var failed []error
	for _, ref := range on {
		dealt, err := applied.Desk{Desk: d}.Apply(ctx, applied.ApplyRequest{On: ref.String(), Forge: v.Forge, Only: only})
		for _, a := range dealt {
			if a.Status == action.Done {
				done++
			}
		}
		if err != nil {
			failed = append(failed, err)
		}
	}
	words := bug.Count(done, "action") + " done"
	if len(failed) > 0 {
		return "", fmt.Errorf("%s, %s left: %w", words, bug.Count(len(failed), "issue"), errors.Join(failed...))
	}
	return words, nil
}

func refs(all []desk.Action) []bug.Ref {
	var found []bug.Ref
	for _, a := range all {
		if !slices.Contains(found, a.Action.On) {
			found = append(found, a.Action.On)
		}
	}
	return found
}

// bad is that a form makes no sense.
func bad(form string, args ...any) error { return refusal.Bad(form, args...) }
