package web

import (
	"cmp"
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
	var failed error
	for _, ref := range refs(all) {
		d := v.Desk(v.who.Name, nil)
		_, err := applied.Desk{Desk: d}.Apply(v.r.Context(), applied.ApplyRequest{On: ref.String(), Forge: v.Forge,
			DryRun:  true,
			Request: func(text string) { requests.WriteString(text) }})
		failed = cmp.Or(failed, err, d.Close())
	}
	words := ""
	if failed != nil {
		words = failed.Error()
	}
	f := v.frame("Write")
	f.At = "/inbox"
	v.show(http.StatusOK, f.Apply(all, requests.String(), len(all) > 0, words))
	return nil
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
