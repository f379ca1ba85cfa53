package watched

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/guide/checkout"
	"github.com/scrub-dev/scrub/internal/guide/guidetest"
	"github.com/scrub-dev/scrub/internal/session"
)

// What a file for agents asks for is counted before it did and since, with whole names only.
func TestEffects(t *testing.T) {
	dir := guidetest.World(t, `
printf 'fmt:\n\ttrue\n' > Makefile
echo 'Run `+"`make fmt`"+` at the end.' > AGENTS.md; GIT_COMMITTER_DATE=2026-01-10T00:00:00Z commit one
printf 'Run `+"`make fmt`"+` at the end.\nTests call `+"`t.Parallel()`"+` unless they use `+"`os.Chdir()`"+`.\n' > AGENTS.md; GIT_COMMITTER_DATE=2026-01-20T00:00:00Z commit two
echo 'Run `+"`make fmt`"+`.' > CLAUDE.md; GIT_COMMITTER_DATE=2026-01-25T00:00:00Z commit three`)
	in, err := checkout.Open(t.Context(), dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := Clone{in}
	var sessions []session.Session
	for day := 1; day <= 30; day++ {
		body := "func TestA(t *testing.T) {\n"
		if day >= 20 {
			body += "\tt.Parallel()\n"
		}
		command := "make fmt-all"
		if day >= 10 && day%2 == 0 {
			command = "cd x && make fmt; echo"
		}
		sessions = append(sessions, session.Session{Start: time.Date(2026, 1, day, 1, 0, 0, 0, time.UTC),
			Steps: []session.Step{
				{Kind: session.Ran, Command: "make fmt"}, // before the change: it does not count
				{Kind: session.Edited, Ended: bug.Yes, Path: "a_test.go", Wrote: body + "}\nfunc helper() {}\n"},
				{Kind: session.Edited, Ended: bug.No, Path: "a_test.go", Wrote: "func TestB() {}\n"},
				{Kind: session.Edited, Ended: bug.Yes, Path: "a_test.go", Wrote: "func TestC() { t.Chdir(x) }\n"}, // excused
				{Kind: session.Edited, Ended: bug.Yes, Path: "a_test.go", Wrote: "func TestD() {}\n", Was: "func TestD() {\n"},
				{Kind: session.Edited, Ended: bug.Yes, Path: "a.go", Wrote: "func TestE() {}\n"},
				{Kind: session.Ran, Command: command},
			}})
	}
	all, err := p.effects(t.Context(), sessions)
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v: nine sessions before the first rule are too few", all, err)
	}
	e := all[0]
	if e.Rule != "t.Parallel()" || e.Before != (cochange.Count{Followed: 0, Of: 19}) ||
		e.After != (cochange.Count{Followed: 11, Of: 11}) {
		t.Errorf("%+v", e)
	}
	all, err = p.effects(t.Context(), append(sessions, session.Session{Start: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
		Steps: []session.Step{{Kind: session.Edited, Ended: bug.Yes}}}))
	if err != nil || len(all) != 2 || all[0].Rule != "make fmt" || all[0].File != "AGENTS.md" ||
		all[0].Before != (cochange.Count{Followed: 0, Of: 10}) || all[0].After != (cochange.Count{Followed: 11, Of: 21}) {
		t.Errorf("%+v, %v", all, err)
	}
	if got := all[0].Words(); !strings.Contains(got, "| 0 of 10 | 11 of 21 |") {
		t.Error(got)
	}
}

func TestRuns(t *testing.T) {
	for line, want := range map[string]bool{"make fmt": true, "make fmt:ci": false,
		"make fmt-all && make fmt;": true, "": false} {
		if got := Runs(line, "make fmt"); got != want {
			t.Error(fmt.Sprint(line, got))
		}
	}
}
