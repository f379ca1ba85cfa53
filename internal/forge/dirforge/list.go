package dirforge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

var word = regexp.MustCompile(`(?:\w+:)?"[^"]*"|\S+`)

// Search implements forge.Lister for is:open, is:closed, label: and words of the
// title.
func (d Dir) Search(ctx context.Context, repo bug.Ref, words string, told func(forge.Listed) error) error {
	all, err := d.list(repo)
	if err != nil {
		return err
	}
	for _, l := range all {
		r, err := d.Report(ctx, l.Ref)
		if err != nil {
			return fmt.Errorf("%v: %w", l.Ref, err)
		}
		if !fits(r, words) {
			continue
		}
		if err := told(l); err != nil {
			return err
		}
	}
	return nil
}

func fits(r bug.Report, words string) bool {
	for _, w := range word.FindAllString(words, -1) {
		key, value, _ := strings.Cut(w, ":")
		value = strings.Trim(value, `"`)
		ok := strings.Contains(strings.ToLower(r.Title), strings.ToLower(strings.Trim(w, `"`)))
		switch {
		case key == "is" && value == "issue":
			ok = true
		case key == "is":
			ok = string(cmp.Or(r.State, bug.Open)) == value
		case key == "label":
			ok = slices.Contains(r.Labels, value)
		}
		if !ok {
			return false
		}
	}
	return true
}

// Changed implements forge.Lister, by when the files were written.
func (d Dir) Changed(_ context.Context, repo bug.Ref, since time.Time, told func(forge.Listed) error) error {
	all, err := d.list(repo)
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b forge.Listed) int { return a.Updated.Compare(b.Updated) })
	for _, l := range all {
		if l.Updated.Before(since) {
			continue
		}
		if err := told(l); err != nil {
			return err
		}
	}
	return nil
}

// list is all issues of a repository, the smallest number first.
func (d Dir) list(repo bug.Ref) ([]forge.Listed, error) {
	dir := filepath.Join(string(d), filepath.FromSlash(repo.Repo))
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: there is no folder %s", forge.ErrNotFound, dir)
	}
	if err != nil {
		return nil, err
	}
	at := map[int]time.Time{}
	for _, f := range files {
		number, _, _ := strings.Cut(f.Name(), ".")
		n, err := strconv.Atoi(number)
		info, gone := f.Info()
		if err != nil || gone != nil || !f.Type().IsRegular() {
			continue
		}
		if info.ModTime().After(at[n]) { // also of what was written on it since
			at[n] = info.ModTime()
		}
	}
	var all []forge.Listed
	for n, t := range at {
		repo.Number = n
		all = append(all, forge.Listed{Ref: repo, Updated: t})
	}
	slices.SortFunc(all, func(a, b forge.Listed) int { return cmp.Compare(a.Ref.Number, b.Ref.Number) })
	return all, nil
}
