package culprit

import (
	"slices"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
)

// Projects name the pull request of a commit in different ways.
func TestPullOf(t *testing.T) {
	for _, tt := range []struct {
		subject, body string
		want          int
	}{
		{"Merge pull request #12 from ann/faster", "", 12},
		{"Make it faster (#13)", "* Half (#9)\n* Whole", 13},
		{"Make it faster, as in #9 (#14)", "", 14},
		{"[inductor] Make it faster", "Differential Revision: D1\nPull Request resolved: " +
			"https://github.com/a/b/pull/15\nApproved by: ann", 15},
		{"Auto merge of #16 - ann:faster, r=bob", "", 16},
		{"Revert \"Make it faster (#13)\" (#17)", "This reverts commit abc.", 17},
		{"Make it faster, fixes #9", "", 0},
		{"Make it faster", "See #10 (#11) for more", 0},
	} {
		if got := PullOf(bug.Commit{Subject: tt.subject, Body: tt.body}); got != tt.want {
			t.Errorf("%q: %d, want %d", tt.subject, got, tt.want)
		}
	}
}

func commits() []bug.Commit {
	return []bug.Commit{
		{ID: "a", Subject: "Tidy up (#1)", Files: []string{"snail/shell.py"}},
		{ID: "b", Subject: "Release 1.2 (#2)", Files: []string{"snail/__init__.py", "CHANGES.md"}},
		{ID: "c", Subject: "Explain how snails turn (#3)", Files: []string{"docs/turn.rst"}},
		{ID: "d", Subject: "Snails turn at corners (#4)", Body: "Closes #77",
			Files: []string{"snail/turn.py", "snail/tests/test_turn.py"}},
		{ID: "e", Subject: "Revert \"Faster shells (#0)\" (#5)", Files: []string{"snail/shell.py"}},
		{ID: "f", Subject: "Mention #77 (#6)", Files: []string{"snail/food.py"}},
		{ID: "g", Subject: "Snails eat (#8)", Files: []string{"snail/food.py"}, Aside: true},
	}
}

// Evidence from several channels puts one first; what can hardly be it says why.
func TestRank(t *testing.T) {
	all := Rank(Clue{Number: 77, Title: "Snail does not turn at corners",
		Files: []string{"snail/move.py", "snail/turn.py"}}, commits())
	if all[0].Pull != 4 || all[0].Share < 0.95 || len(all[0].Evidence) < 3 || len(all[0].Doubts) > 0 {
		t.Errorf("%+v", all[0])
	}
	for _, s := range all {
		doubts := strings.Join(s.Doubts, "; ")
		if want := map[string]string{"b": "it is a release commit", "c": "it changes only documentation and tests",
			"g": "it is not on the main branch: it may be a backport", "e": "it reverts another change, " +
				"which may be the cause"}[s.Commit.ID]; doubts != want {
			t.Errorf("%s: %q, want %q", s.Commit.ID, doubts, want)
		}
	}
	if at := slices.IndexFunc(all, func(s Suspect) bool { return s.Pull == 6 }); at != 1 {
		t.Errorf("who mentions the issue comes in place %d", at)
	}
	// Without a clue nobody is named.
	none := Rank(Clue{}, commits()[:1])
	if len(none[0].Evidence) != 0 || none[0].Share != 1 {
		t.Errorf("%+v", none)
	}
	if two := Rank(Clue{Title: "Something is wrong"}, commits()); two[0].Share > 0.6 {
		t.Errorf("nothing speaks for %+v", two[0])
	}
}

// A change to the file in which it was raised weighs more than one to a file
// further out, and that more than one to neither.
func TestTheInnermostFileWeighsMost(t *testing.T) {
	clue := Clue{Files: []string{"snail/shell.py", "snail/turn.py"}}
	all := Rank(clue, []bug.Commit{
		{ID: "neither", Files: []string{"snail/eye.py"}}, {ID: "outer", Files: []string{"snail/shell.py"}},
		{ID: "inner", Files: []string{"snail/turn.py"}},
	})
	got := []string{all[0].Commit.ID, all[1].Commit.ID, all[2].Commit.ID}
	if !slices.Equal(got, []string{"inner", "outer", "neither"}) || all[0].Share < 2*all[1].Share {
		t.Errorf("%q, with %.2f and %.2f", got, all[0].Share, all[1].Share)
	}
}
