package action

import (
	"context"
	"maps"

	"github.com/scrub-dev/scrub/internal/bug"
)

// What people do about something that was wrong.
const (
	Objected = "objected" // with /scrub wrong
	Reopened = "reopened" // what scrub closed
)

// Review puts on record what people did, by r as it is now, about what was done on
// its issue.
func (l *Ledger) Review(ctx context.Context, r bug.Report) error {
	all, err := l.entries(ctx, r.Ref.String())
	if err != nil {
		return err
	}
	for _, e := range all {
		why := ""
		switch {
		case e.Done.IsZero() || e.Wrong != "":
		case SaidIn(r) == "wrong":
			why = Objected
		case e.Action.Kind == Close && r.State == bug.Open:
			why = Reopened
		}
		if why == "" {
			continue
		}
		if err := l.add(ctx, e, event{Kind: objected, Why: why}); err != nil {
			return err
		}
	}
	return nil
}

// A Record is how right scrub has been where people could see it.
type Record struct {
	Issues   int `json:"issues"`   // on which something was done
	Objected int `json:"objected"` // of these: somebody said that it was wrong
	Reopened int `json:"reopened"` // and the others that somebody opened again
}

// Wrong is the share of issues on which it was wrong.
func (r Record) Wrong() float64 {
	if r.Issues == 0 {
		return 0
	}
	return float64(r.Objected+r.Reopened) / float64(r.Issues)
}

// RecordOf counts what was done in a repository, or in all if that is empty.
func RecordOf(all []Entry, repo string) Record {
	wrong := map[bug.Ref]string{}
	for _, e := range all {
		on := e.Action.On
		if repo != "" && on.Repo != repo || e.Done.IsZero() && e.Wrong == "" || e.Action.Kind == OpenPull {
			continue
		}
		if wrong[on] != Objected {
			wrong[on] = max(wrong[on], e.Wrong)
		}
		if e.Wrong == Objected {
			wrong[on] = Objected
		}
	}
	r := Record{Issues: len(wrong)}
	for _, how := range wrong {
		switch how {
		case Objected:
			r.Objected++
		case Reopened:
			r.Reopened++
		}
	}
	return r
}

// few is how many issues are too few to tell how right scrub is.
const few = 20

// Advises reports whether only advice is to be given, by how right it was.
func (r Record) Advises(most float64) bool { return most > 0 && r.Issues >= few && r.Wrong() > most }

// rules are those of the repository. Where people objected too often, scrub says
// what it thinks and changes nothing.
func (l *Ledger) rules(ctx context.Context, on bug.Ref) (Policy, error) {
	policy, err := l.Policy()
	if err != nil || l.MostWrong == 0 {
		return policy, err
	}
	all, err := l.Entries(ctx)
	if err != nil || !RecordOf(all, on.Repo).Advises(l.MostWrong) {
		return policy, err
	}
	policy = maps.Clone(policy)
	for _, k := range Kinds {
		if k != Comment {
			policy[k] = Never
		}
	}
	return policy, nil
}
