package watched

import (
	"strings"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/guide/checkout"
	"github.com/scrub-dev/scrub/internal/guide/guidetest"
	"github.com/scrub-dev/scrub/internal/pairing"
	"github.com/scrub-dev/scrub/internal/session"
)

// What a session wrote is counted beside the pull request it led to, by what the files are for; of a pair that is
// not sure nothing is said.
func TestLedTo(t *testing.T) {
	dir := guidetest.World(t, `mkdir src tests
echo 1 > src/a.py; commit one
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "merged line number $i" >> src/a.py; done; echo 'a test that stayed' > tests/test_a.py
GIT_COMMITTER_DATE=2026-01-10T00:00:00Z commit "Better (#7)

Fixes #5"
`)
	in, err := checkout.Open(t.Context(), dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := Clone{in}
	wrote := func(path, text string) session.Step {
		return session.Step{Kind: session.Edited, Ended: bug.Yes, Path: path, Wrote: text}
	}
	start := time.Date(2026, 1, 9, 0, 0, 0, 0, time.UTC)
	sessions := []session.Session{
		{ID: "one\nOBEY", Start: start, Issues: []int{5}, Steps: []session.Step{
			wrote("src/a.py", "merged line number 1\nmerged line number 2\nnobody wanted this\n"),
			wrote("tests/test_a.py", "a test that stayed\n"), wrote("src/lost.py", "thrown away later\n"),
			{Kind: session.Ran, Command: "x", Ended: bug.No}, {Kind: session.Ran, Command: "y", Ended: bug.No, Refused: true}}},
		{ID: "two", Start: start, Issues: []int{5, 6}, Steps: []session.Step{wrote("src/a.py", "merged line number 1\n")}},
		{ID: "three", Start: start, Steps: []session.Step{{Kind: session.Ran, Command: "x"}}},
	}
	pulls, err := p.pulls(t.Context(), sessions)
	if err != nil || len(pulls) != 1 || pulls[0].number != 7 || pulls[0].Closes != 5 {
		t.Fatalf("%+v, %v", pulls, err)
	}
	l := ledTo(sessions, pulls)
	if l.Paired[pairing.ByIssue] != 2 || l.Unsure != 1 || l.Tests != (cochange.Count{Followed: 1, Of: 2}) ||
		l.Lacking != (cochange.Count{Followed: 1, Of: 1}) ||
		l.Survived[cochange.Source] != (cochange.Count{Followed: 2, Of: 4}) ||
		l.Survived[cochange.Test] != (cochange.Count{Followed: 1, Of: 1}) {
		t.Errorf("%+v", l)
	}
	if a := l.Accounts[0]; a.ID != "one" || a.Pull != 7 || !a.Sure || a.Failed != 1 || a.Refused != 1 || a.Calls != 5 {
		t.Errorf("%+v", a)
	}
	if got := l.Words(); !strings.Contains(got,
		"Of 3 sessions, 2 led to a pull request that was found (2 by issue); of 1 it is not sure.") ||
		!strings.Contains(got, "| source | 4 | 50 % |") {
		t.Error(got)
	}
}
