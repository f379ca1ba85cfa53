package forgetest

import (
	"errors"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

// RunLists checks that l, which holds Issue and nothing else, finds it when it
// should.
func RunLists(t *testing.T, l forge.Lister) {
	repo := bug.Ref{Repo: Issue.Ref.Repo}
	find := func(list func(told func(forge.Listed) error) error) (n int) {
		t.Helper()
		err := list(func(i forge.Listed) error {
			if i.Ref != Issue.Ref || i.Updated.IsZero() {
				t.Errorf("%+v", i)
			}
			n++
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		return n
	}
	for words, want := range map[string]int{"is:open": 1, "is:closed": 0, `is:open label:"module: shell"`: 1,
		"label:nonsense": 0, "turns": 1, "snake": 0, "": 1} {
		if n := find(func(told func(forge.Listed) error) error {
			return l.Search(t.Context(), repo, words,
				told)
		}); n != want {
			t.Errorf("%q finds %d, want %d", words, n, want)
		}
	}
	for since, want := range map[time.Time]int{{}: 1, Issue.Created: 1, time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC): 0} {
		if n := find(func(told func(forge.Listed) error) error {
			return l.Changed(t.Context(), repo, since,
				told)
		}); n != want {
			t.Errorf("since %v: %d, want %d", since, n, want)
		}
	}
	stop := errors.New("enough")
	if err := l.Search(t.Context(), repo, "", func(forge.Listed) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("it was told to stop: %v", err)
	}
}
