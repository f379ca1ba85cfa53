package dirforge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

// Me is whoever writes on a forge in a folder.
const Me = "scrub"

// written is what was done to an issue since its file was written. It is
// kept beside it, as in a/b/7.now.json.
type written struct {
	State        bug.State          `json:"state,omitempty"`
	Reason       string             `json:"reason,omitempty"`
	Labels       []string           `json:"labels"`
	Comments     []bug.Comment      `json:"comments,omitempty"`
	Subscription forge.Subscription `json:"subscription,omitempty"`
}

func (d Dir) beside(ref bug.Ref) string {
	return filepath.Join(string(d), filepath.FromSlash(ref.Repo), fmt.Sprintf("%d.now.json", ref.Number))
}

// now is the issue with what was written, which is nil if nothing was.
func (d Dir) now(ref bug.Ref) (bug.Report, *written, error) {
	r, err := d.file(ref)
	if err != nil {
		return r, nil, err
	}
	data, err := os.ReadFile(d.beside(ref))
	if errors.Is(err, fs.ErrNotExist) {
		return r, &written{State: r.State, Labels: r.Labels, Subscription: forge.Unsubscribed}, nil
	}
	var w written
	if err == nil {
		err = json.Unmarshal(data, &w)
	}
	return r, &w, err
}

// change rewrites what is kept beside an issue, at once or not at all.
func (d Dir) change(ref bug.Ref, f func(*written) error) error {
	_, w, err := d.now(ref)
	if err != nil {
		return err
	}
	if err := f(w); err != nil {
		return err
	}
	data, err := json.MarshalIndent(w, "", "  ")
	if err != nil {
		return err
	}
	next := d.beside(ref) + ".next"
	if err := os.WriteFile(next, data, 0o600); err != nil {
		return err
	}
	return os.Rename(next, d.beside(ref))
}

// Live implements forge.Writer.
func (d Dir) Live(ctx context.Context, ref bug.Ref) (forge.Live, error) {
	r, err := d.Report(ctx, ref)
	if err != nil {
		return forge.Live{}, err
	}
	_, w, err := d.now(ref)
	if err != nil {
		return forge.Live{}, err
	}
	for i := range r.Comments {
		r.Comments[i].ID = strconv.Itoa(i)
	}
	return forge.Live{Report: r, Reason: w.Reason}, nil
}

// Comment implements forge.Writer.
func (d Dir) Comment(_ context.Context, ref bug.Ref, body string) error {
	return d.change(ref, func(w *written) error {
		w.Comments = append(w.Comments, bug.Comment{Author: Me, Body: body})
		w.Subscription = forge.Subscribed
		return nil
	})
}

// EditComment implements forge.Writer.
func (d Dir) EditComment(_ context.Context, ref bug.Ref, id, body string) error {
	return d.onOwn(ref, id, func(w *written, n int) { w.Comments[n].Body = body })
}

// DeleteComment implements forge.Writer.
func (d Dir) DeleteComment(_ context.Context, ref bug.Ref, id string) error {
	return d.onOwn(ref, id, func(w *written, n int) { w.Comments = slices.Delete(w.Comments, n, n+1) })
}

// onOwn changes a comment that was written here.
func (d Dir) onOwn(ref bug.Ref, id string, f func(w *written, n int)) error {
	r, err := d.file(ref)
	if err != nil {
		return err
	}
	return d.change(ref, func(w *written) error {
		n, err := strconv.Atoi(id)
		if err != nil || n-len(r.Comments) < 0 || n-len(r.Comments) >= len(w.Comments) {
			return fmt.Errorf("comment %s: %w", id, forge.ErrForbidden)
		}
		f(w, n-len(r.Comments))
		return nil
	})
}

// AddLabels implements forge.Writer.
func (d Dir) AddLabels(_ context.Context, ref bug.Ref, labels ...forge.Label) error {
	return d.change(ref, func(w *written) error {
		for _, l := range labels {
			if !slices.Contains(w.Labels, l.Name) {
				w.Labels = append(w.Labels, l.Name)
			}
		}
		w.Subscription = forge.Subscribed
		return nil
	})
}

// RemoveLabel implements forge.Writer.
func (d Dir) RemoveLabel(_ context.Context, ref bug.Ref, label string) error {
	return d.change(ref, func(w *written) error {
		w.Labels = slices.DeleteFunc(w.Labels, func(l string) bool { return l == label })
		w.Subscription = forge.Subscribed
		return nil
	})
}

// SetState implements forge.Writer.
func (d Dir) SetState(_ context.Context, ref bug.Ref, to bug.State, reason string) error {
	return d.change(ref, func(w *written) error {
		w.State, w.Reason, w.Subscription = to, reason, forge.Subscribed
		return nil
	})
}

// Subscription implements forge.Writer.
func (d Dir) Subscription(_ context.Context, ref bug.Ref) (forge.Subscription, error) {
	_, w, err := d.now(ref)
	if err != nil {
		return forge.Unknown, err
	}
	return w.Subscription, nil
}

// SetSubscription implements forge.Writer.
func (d Dir) SetSubscription(_ context.Context, ref bug.Ref, s forge.Subscription) error {
	return d.change(ref, func(w *written) error {
		w.Subscription = s
		return nil
	})
}

// pull is the file of a pull request, as in a/b/pulls/scrub-1234.json.
func (d Dir) pull(ref bug.Ref, branch string) string {
	return filepath.Join(string(d), filepath.FromSlash(ref.Repo), "pulls", strings.ReplaceAll(branch, "/", "-")+".json")
}

// Pulled implements forge.Writer.
func (d Dir) Pulled(_ context.Context, ref bug.Ref, branch string) (string, error) {
	at := d.pull(ref, branch)
	if _, err := os.Stat(at); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	return at, nil
}

// OpenPull implements forge.Writer.
func (d Dir) OpenPull(_ context.Context, ref bug.Ref, p forge.Pull) error {
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	at := d.pull(ref, p.Branch)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(at+".next", data, 0o600); err != nil {
		return err
	}
	return os.Rename(at+".next", at)
}
