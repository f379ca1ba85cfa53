package history

import (
	"testing"
	"time"
)

// A pull request is known by what merged it, with the issue and the sessions that its commits name.
func TestPulls(t *testing.T) {
	c := clone(t, `commit() { git add -A; git commit -qm "$1"; }
echo 1 > a; commit Begin
git checkout -qb side; echo 2 > a; commit "Half

Fixes #5
Entire-Checkpoint: abc123"
git checkout -q main; GIT_COMMITTER_DATE=2026-01-05T00:00:00Z git merge -q --no-ff -m "Merge pull request #7 from jo/side" side
echo 3 > a; GIT_COMMITTER_DATE=2026-02-05T00:00:00Z commit "More (#8)"
echo 4 > a; commit "no number"
`)
	all, err := c.Pulls(t.Context(), 10, time.Time{}, time.Time{})
	if err != nil || len(all) != 2 || all[0].Number != 8 || all[0].Closes != 0 || all[1].Number != 7 || all[1].Closes != 5 ||
		all[1].Branch != "side" || len(all[1].Checkpoints) != 1 || all[1].Checkpoints[0] != "abc123" {
		t.Errorf("%+v, %v", all, err)
	}
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if some, err := c.Pulls(t.Context(), 10, from, from.AddDate(0, 1, 0)); err != nil || len(some) != 1 || some[0].Number != 7 {
		t.Errorf("%+v, %v", some, err)
	}
}
