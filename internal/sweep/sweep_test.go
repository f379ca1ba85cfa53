package sweep

import (
	"slices"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/casefile"
)

func TestStepsFollow(t *testing.T) {
	for _, tt := range []struct {
		from, depth Step
		verdict     casefile.Verdict
		since       bool
		want        Step
	}{
		{Triage, Triage, "", false, ""},
		{Triage, Test, "", false, Run},
		{Run, Run, casefile.Fixed, false, ""},
		{Run, Test, casefile.Fixed, false, When},
		{Run, Test, casefile.Reproduces, false, Small},
		{Run, Test, casefile.Reproduces, true, When},
		{When, Small, casefile.Fixed, false, Small},
		{Small, Test, casefile.Fixed, false, Test},
		{Small, Test, casefile.Flaky, false, Why},
		{Run, Test, casefile.NeedsInfo, false, ""},
		{Run, Test, casefile.Unsure, false, When},
		{When, Test, casefile.Unsure, false, ""},
	} {
		if got, _ := tt.from.After(tt.depth, tt.verdict, tt.since); got != tt.want {
			t.Errorf("after %s of %s, %s: %q, want %q", tt.from, tt.depth, tt.verdict, got, tt.want)
		}
	}
}

// Cheap steps for all come before dear ones for any, and repositories take turns.
func TestRank(t *testing.T) {
	type job struct {
		step  Step
		place int64
	}
	jobs := []job{{Small, 1}, {Run, 70_000}, {Triage, 90_000}, {Run, 2}, {Triage, 1}}
	slices.SortFunc(jobs, func(a, b job) int { return int(a.step.Rank(a.place) - b.step.Rank(b.place)) })
	want := []job{{Triage, 1}, {Triage, 90_000}, {Run, 2}, {Run, 70_000}, {Small, 1}}
	if !slices.Equal(jobs, want) {
		t.Errorf("%v", jobs)
	}
}

func TestNewsInWords(t *testing.T) {
	for _, tt := range []struct {
		n    News
		want string
	}{
		{News{Was: "reproduces", Is: "reproduces", Version: "2.16"}, "still fails on 2.16"},
		{News{Was: "reproduces", Is: "fixed", In: "2.15", By: "#12", Version: "2.16"}, "fixed in 2.15, by #12"},
		{News{Was: "flaky", Is: "fixed", Version: "2.16"}, "fixed in 2.16"},
		{News{Was: "fixed", Is: "reproduces", Version: "2.16"}, "fails again on 2.16"},
		{News{Was: "fixed", Is: "fixed"}, "still fixed"},
		{News{Was: "fixed", Is: "unsure", Why: "?"}, "was fixed, is unsure: ?"},
		{News{Is: "needs-info", Why: "No program."}, "needs-info: No program."},
		{News{Is: "fixed", Aside: true, Why: "no room"}, "could not be checked: no room"},
	} {
		if got := tt.n.Words(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.n, got, tt.want)
		}
	}
}

// What strangers write cannot speak to anybody in a digest.
func TestDigestIsInert(t *testing.T) {
	d := Digest{Repo: "o/r", News: []News{{Source: "o/r#1", Is: "reproduces", New: true,
		Title: "x) ![](http://evil) @everyone <img src=x>\n# big"}}}
	text := d.Markdown()
	if strings.Contains(text, "@everyone") || strings.Contains(text, " <img") || strings.Contains(text, "\n# big") {
		t.Error(text)
	}
}
