package forgetest

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

// RunWrites checks f, a forge that holds Issue, on which whoever asks may
// write and is not subscribed to. It leaves traces.
func RunWrites(t *testing.T, f forge.Forge) {
	ctx, ref := t.Context(), Issue.Ref
	live := func() forge.Live {
		l, err := f.Live(ctx, ref)
		if err != nil {
			t.Fatalf("Live: %v", err)
		}
		return l
	}
	before := live()
	if before.Title != Issue.Title || before.Body != Issue.Body || before.State != bug.Open || before.Locked ||
		!slices.Equal(before.Labels, Issue.Labels) || len(before.Comments) != 1 {
		t.Errorf("Live = %+v, want what is in %+v", before, Issue)
	}
	if s, err := f.Subscription(ctx, ref); s != forge.Unsubscribed || err != nil {
		t.Errorf("Subscription = %v, %v, want %v", s, err, forge.Unsubscribed)
	}
	comments(t, f, live)
	labels(t, f, live)
	stateAndSubscription(t, f)
	r, err := f.Report(ctx, ref)
	if err != nil || r.State != bug.Open || len(r.Comments) != 2 || r.Comments[1].Body != "second" {
		t.Errorf("Report after all this = %+v, %v", r, err)
	}
	none := bug.Ref{Repo: ref.Repo, Number: 8}
	if err := f.Comment(ctx, none, "x"); !errors.Is(err, forge.ErrNotFound) {
		t.Errorf("a comment on nothing: %v", err)
	}
	if _, err := f.Subscription(ctx, none); !errors.Is(err, forge.ErrNotFound) {
		t.Errorf("a subscription to nothing: %v", err)
	}
}

// comments makes, edits and deletes comments.
func comments(t *testing.T, f forge.Forge, live func() forge.Live) {
	ctx, ref := t.Context(), Issue.Ref
	must(t, "comment", f.Comment(ctx, ref, "first\n\n"+forge.Mark(strings.Repeat("a", 64))))
	last := live().Comments
	if len(last) != 2 || !strings.HasPrefix(last[1].Body, "first") || !last[1].Own || last[0].Own {
		t.Fatalf("comments after one was made: %+v", last)
	}
	must(t, "edit", f.EditComment(ctx, ref, last[1].ID, "second"))
	if c := live().Comments; len(c) != 2 || c[1].Body != "second" || c[0].Body != Issue.Comments[0].Body {
		t.Errorf("comments after one was edited: %+v", c)
	}
	must(t, "comment", f.Comment(ctx, ref, "third"))
	must(t, "delete", f.DeleteComment(ctx, ref, live().Comments[2].ID))
	if c := live().Comments; len(c) != 2 || c[1].Body != "second" {
		t.Errorf("comments after one was deleted: %+v", c)
	}
	if f.DeleteComment(ctx, ref, "999999") == nil {
		t.Error("a comment was deleted that never was")
	}
}

// labels adds and removes labels.
func labels(t *testing.T, f forge.Forge, live func() forge.Live) {
	ctx, ref := t.Context(), Issue.Ref
	for range 2 { // adding again changes nothing
		must(t, "add labels", f.AddLabels(ctx, ref, forge.Label{Name: "module: new label", Why: "why"},
			forge.Label{Name: "crash", Why: "it crashes"}))
	}
	if l := live().Labels; !slices.Equal(l, append(slices.Clone(Issue.Labels), "module: new label", "crash")) {
		t.Errorf("labels after two were added: %q", l)
	}
	must(t, "remove label", f.RemoveLabel(ctx, ref, "module: shell"))
	if l := live().Labels; !slices.Equal(l, []string{"bug", "module: new label", "crash"}) {
		t.Errorf("labels after one was removed: %q", l)
	}
}

func must(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

func stateAndSubscription(t *testing.T, f forge.Forge) {
	ctx, ref := t.Context(), Issue.Ref
	must(t, "close", f.SetState(ctx, ref, bug.Closed, "not planned"))
	if l, err := f.Live(ctx, ref); err != nil || l.State != bug.Closed ||
		strings.ReplaceAll(l.Reason, "_", " ") != "not planned" {
		t.Errorf("after closing: %v %q", l.State, l.Reason)
	}
	must(t, "reopen", f.SetState(ctx, ref, bug.Open, "reopened"))
	if s, err := f.Subscription(ctx, ref); s != forge.Subscribed || err != nil {
		t.Errorf("whoever writes is subscribed: got %v, %v", s, err)
	}
	for _, s := range []forge.Subscription{forge.Ignored, forge.Unsubscribed, forge.Subscribed} {
		must(t, "subscribe", f.SetSubscription(ctx, ref, s))
		if got, err := f.Subscription(ctx, ref); got != s || err != nil {
			t.Errorf("Subscription = %v, %v, want %v", got, err, s)
		}
	}
}

// RunPulls checks that a change can be proposed to the repository of Issue, which has a commit base.
func RunPulls(t *testing.T, f forge.Forge, base string) {
	ctx, on := t.Context(), bug.Ref{Repo: Issue.Ref.Repo}
	p := forge.Pull{Branch: "scrub/abc", Base: base, Title: "Say what goes together", Body: "Counted.",
		Files: map[string]string{"AGENTS.md": "new\n", "src/AGENTS.md": "also new\n"}}
	if at, err := f.Pulled(ctx, on, p.Branch); at != "" || err != nil {
		t.Errorf("Pulled before = %q, %v", at, err)
	}
	must(t, "open a pull request", f.OpenPull(ctx, on, p))
	at, err := f.Pulled(ctx, on, p.Branch)
	if at == "" || err != nil {
		t.Errorf("Pulled after = %q, %v", at, err)
	}
	if at, err := f.Pulled(ctx, on, "scrub/other"); at != "" || err != nil {
		t.Errorf("another branch: %q, %v", at, err)
	}
}
