// Package guided is the part of the desk that is about what coding agents should know of a project.
package guided

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/guide"
	"github.com/scrub-dev/scrub/internal/project"
	"github.com/scrub-dev/scrub/internal/refusal"
)

// A Desk is the application, asked about guides.
type Desk struct{ *desk.Desk }

// with is a request with what this machine keeps for it.
func (d Desk) with(ctx context.Context, r guide.Request) (guide.Request, error) {
	kept, err := d.Kept(ctx)
	r.Log, r.Work = kept, filepath.Join(d.Machine.Cache, "clones")
	return r, err
}

// say tells who listens what is being done.
func (d Desk) say(text string) {
	if d.Tell != nil {
		d.Tell(event.Event{Step: "guide", State: event.Going, Text: text, At: d.Now()})
	}
}

// Guide says what coding agents should know about a project.
func (d Desk) Guide(ctx context.Context, r guide.Request) (guide.Guide, error) {
	r, err := d.with(ctx, r)
	if err != nil {
		return guide.Guide{}, err
	}
	d.say("reading the history of " + r.Dir)
	return guide.Make(ctx, r)
}

// Propose enters a pull request with what a guide says, for a person to agree to. Nothing is sent.
func (d Desk) Propose(ctx context.Context, r guide.Request, repo string) (desk.Action, error) {
	on, err := bug.ParseRef(repo + "#1")
	if err != nil {
		return desk.Action{}, refusal.Bad("%s: want OWNER/REPO", repo)
	}
	on.Number = 0
	g, err := d.Guide(ctx, r)
	if err != nil {
		return desk.Action{}, err
	}
	if r, err = d.with(ctx, r); err != nil {
		return desk.Action{}, err
	}
	files, err := g.Files(ctx, r)
	if err != nil {
		return desk.Action{}, err
	}
	if len(files) == 0 {
		return desk.Action{}, refusal.Bad("there is nothing to propose: the files of %s are up to date", r.Dir)
	}
	text, err := action.PullText(forge.Pull{Title: "Add project conventions for coding agents", Body: g.Words(),
		Base: g.Commit, Files: files})
	if err != nil {
		return desk.Action{}, err
	}
	return d.offer(ctx, action.Action{Kind: action.OpenPull, On: on, Text: text,
		Why: "counted on the project's own history"})
}

// Check says whether what files for agents claim is still so: those that are named, or all there are.
func (d Desk) Check(ctx context.Context, r guide.Request, names []string) (guide.Checked, error) {
	r, err := d.with(ctx, r)
	if err != nil {
		return guide.Checked{}, err
	}
	return guide.Check(ctx, r, names)
}

// Hints say what usually goes with files that were just touched.
func (d Desk) Hints(ctx context.Context, r guide.Request, touched []string) ([]guide.Hint, error) {
	r, err := d.with(ctx, r)
	if err != nil {
		return nil, err
	}
	return guide.Hints(ctx, r, touched)
}

// offer enters something that follows from no issue, such as a pull request.
func (d Desk) offer(ctx context.Context, a action.Action) (desk.Action, error) {
	l, err := d.Ledger(ctx, nil, project.Policy("", a.On.Repo, ""))
	if err != nil {
		return desk.Action{}, err
	}
	if err := l.Propose(ctx, bug.Report{Ref: a.On}, []action.Action{a}); err != nil {
		return desk.Action{}, err
	}
	all, err := d.Actions(ctx, desk.ActionsRequest{All: true})
	at := slices.IndexFunc(all, func(one desk.Action) bool { return one.ID == a.ID() })
	if err != nil || at < 0 {
		return desk.Action{}, errors.Join(err, errors.New("the proposal is not on record"))
	}
	return all[at], nil
}
