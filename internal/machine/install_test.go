package machine

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/runtimes/index"
	"github.com/scrub-dev/scrub/internal/runtimes/runtimestest"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

// Before anything is installed a person is told which package it is, how that is
// known, and what speaks against it.
func TestLacks(t *testing.T) {
	shelf := runtimestest.NewShelf("1.0")
	defer shelf.Close()
	prof := profile.Profile{Project: profile.Project{Name: "p", Modules: map[string]string{"slime": "snail"}}}
	day := time.Date(2021, 3, 1, 0, 0, 0, 0, time.UTC)
	a := &Machine{Now: func() time.Time { return day }}
	envs := &runtimes.Environments{Index: index.Index{URL: shelf.Index()}, Pythons: []bug.Runtime{}}
	got, err := a.Lacks(t.Context(), []string{"slime", "leaf", "nowhere", "--index-url=x", "a b", "os; evil"}, prof, "slug",
		envs)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"slime -> snail": {"first published only 25 days ago"},
		"leaf -> leaf": {"may be a different one", "first published only 89 days ago",
			"slug does not list it"},
		"nowhere -> nowhere": {"may be a different one", "has no package nowhere", "slug does not list it"},
	}
	if len(got) != len(want) {
		t.Errorf("%+v", got)
	}
	for _, l := range got {
		said := want[l.Module+" -> "+l.Package]
		if len(said) != len(l.Doubts) {
			t.Errorf("%s: %q, want %q", l.Module, l.Doubts, said)
			continue
		}
		for i, s := range said {
			if !strings.Contains(l.Doubts[i], s) {
				t.Errorf("%s: %q, want %q", l.Module, l.Doubts[i], s)
			}
		}
	}
}
