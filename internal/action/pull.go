package action

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

// PullText is a pull request as a person reads it before saying yes: title, words, the commit it is on, and every file
// as it shall be. It stands for exactly these bytes.
func PullText(p forge.Pull) (string, error) {
	a := txtar.Archive{Comment: []byte(p.Title + "\n\n" + p.Body + "\n\nOn commit " + p.Base + "\n")}
	for _, name := range slices.Sorted(maps.Keys(p.Files)) {
		a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(p.Files[name])})
	}
	text := string(txtar.Format(&a))
	back, err := readPull(text)
	if err != nil || back.Title != p.Title || back.Body != p.Body || back.Base != p.Base || !maps.Equal(back.Files, p.Files) {
		return "", errors.Join(errors.New("the files cannot be shown as they are: a line of one looks like the name of another"), err)
	}
	return text, nil
}

// readPull is what a text stands for.
func readPull(text string) (forge.Pull, error) {
	a := txtar.Parse([]byte(text))
	said, base, ok := cutLast(strings.TrimSuffix(string(a.Comment), "\n"), "\n\nOn commit ")
	title, body, also := strings.Cut(said, "\n\n")
	if !ok || !also || len(a.Files) == 0 {
		return forge.Pull{}, errors.New("it is no pull request")
	}
	p := forge.Pull{Title: title, Body: body, Base: base, Files: map[string]string{}}
	for _, f := range a.Files {
		p.Files[f.Name] = string(f.Data)
	}
	return p, nil
}

// cutLast cuts at the last sep.
func cutLast(s, sep string) (before, after string, ok bool) {
	at := strings.LastIndex(s, sep)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(sep):], true
}

// pull is what a is to open. Its branch is named after it.
func (a Action) pull() (forge.Pull, error) {
	p, err := readPull(a.Text)
	p.Branch = "scrub/" + a.Short()
	p.Body += "\n\n" + forge.Mark(a.ID())
	return p, err
}

// pulls opens the pull requests that were agreed to.
func (l *Ledger) pulls(ctx context.Context, mine []Entry) error {
	var errs []error
	for i := range mine {
		if err := l.openPull(ctx, &mine[i]); err != nil {
			errs = append(errs, fmt.Errorf("%s %s: %w", mine[i].Action.Kind, mine[i].Action.Short(), err),
				l.failed(ctx, mine[i:i+1], err))
		}
	}
	return errors.Join(errs...)
}

// openPull opens one: logged before, looked for before, and believed only when it is seen.
func (l *Ledger) openPull(ctx context.Context, e *Entry) error {
	p, err := e.Action.pull()
	if err != nil {
		return err
	}
	at, err := l.Writer.Pulled(ctx, e.Action.On, p.Branch)
	if err != nil {
		return err
	}
	if at == "" {
		if err := errors.Join(l.room(ctx), l.Wait(ctx, pause), l.claim(ctx, e)); err != nil {
			return err
		}
		failed := l.Writer.OpenPull(ctx, e.Action.On, p)
		if at, err = l.Writer.Pulled(ctx, e.Action.On, p.Branch); err != nil {
			return errors.Join(failed, err)
		}
		if at == "" && failed == nil {
			failed = errors.New("it was accepted but is not visible")
		}
		if at == "" {
			return failed
		}
	}
	e.Done, e.Failed = l.Now(), ""
	return l.add(ctx, *e, event{Kind: done})
}

// OpenPull implements forge.Writer.
func (r *Rehearsal) OpenPull(_ context.Context, ref bug.Ref, p forge.Pull) error {
	var files strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p.Files)) {
		fmt.Fprintf(&files, "%s\n%s", name, indent(p.Files[name]))
	}
	r.Say(fmt.Sprintf("POST /repos/%s/pulls %s, branch %s on %s\n%s", ref.Repo, p.Title, p.Branch, p.Base,
		indent(p.Body+"\n\n"+files.String())))
	if r.pulls == nil {
		r.pulls = map[string]bool{}
	}
	r.pulls[p.Branch] = true
	return nil
}

// Pulled implements forge.Writer.
func (r *Rehearsal) Pulled(ctx context.Context, ref bug.Ref, branch string) (string, error) {
	if r.pulls[branch] {
		return "nowhere: this is a rehearsal", nil
	}
	return r.Writer.Pulled(ctx, ref, branch)
}
