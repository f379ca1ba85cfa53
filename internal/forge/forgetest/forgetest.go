// Package forgetest is what every forge must pass.
package forgetest

import (
	"errors"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

// Issue is the issue that a forge under test must hold.
var Issue = bug.Report{
	Ref:      bug.Ref{Repo: "octo/snail", Number: 7},
	Title:    "Snail turns left",
	Body:     "It should turn right.\n\n```python\nraise ValueError(\"left\")\n```",
	Author:   "ann",
	Created:  time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC),
	State:    bug.Open,
	Labels:   []string{"bug", "module: shell"},
	Comments: []bug.Comment{{Author: "bob", Created: time.Date(2024, 5, 2, 0, 0, 0, 0, time.UTC), Body: "Same here."}},
}

// Collaborator is the one person who may change the repository of Issue.
const Collaborator = "carla"

// Run checks r, a forge that holds Issue and nothing else.
func Run(t *testing.T, r forge.Reader) {
	got, err := r.Report(t.Context(), Issue.Ref)
	for i := range got.Comments {
		got.Comments[i].ID = "" // every forge has its own
	}
	if err != nil || bug.Digest(got) != bug.Digest(Issue) {
		t.Errorf("Report(%v) = %+v, %v, want %+v", Issue.Ref, got, err, Issue)
	}
	for user, want := range map[string]bool{Collaborator: true, Issue.Author: false, "": false, "carl": false} {
		if yes, err := r.Collaborator(t.Context(), Issue.Ref.Repo, user); yes != want || want && err != nil {
			t.Errorf("Collaborator(%q) = %v, %v", user, yes, err)
		}
	}
	if yes, _ := r.Collaborator(t.Context(), "octo/other", Collaborator); yes {
		t.Error("a collaborator of one repository is none of another")
	}
	none := bug.Ref{Repo: "octo/snail", Number: 8}
	if got, err := r.Report(t.Context(), none); !errors.Is(err, forge.ErrNotFound) {
		t.Errorf("Report(%v) = %+v, %v, want ErrNotFound", none, got, err)
	}
}
