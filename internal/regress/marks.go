package regress

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/profile"
)

// A Mark says in a checkout that a test is expected to fail, or is left out,
// because of an issue.
type Mark struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

func (m Mark) String() string { return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.Text) }

// near is how many lines a mark and the number may be apart.
const near = 2

// Marks looks through a checkout for marks near the number of an issue.
func Marks(checkout fs.FS, marks []profile.Pattern, number int) ([]Mark, error) {
	if number == 0 || len(marks) == 0 {
		return nil, nil
	}
	names := regexp.MustCompile(fmt.Sprintf(`(#|issues/|issue[ _-]?|gh-?|GH-?|pull/)%d\b`, number))
	var found []Mark
	err := fs.WalkDir(checkout, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && errors.Is(err, fs.ErrPermission):
			return nil
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.Type().IsRegular() || path.Ext(name) != ".py":
			return nil
		}
		if info, err := d.Info(); err != nil || info.Size() > testSize {
			return err
		}
		text, err := fs.ReadFile(checkout, name)
		if err != nil {
			return err
		}
		if names.Match(text) {
			found = append(found, marksIn(name, string(text), marks, names)...)
		}
		return nil
	})
	return found, err
}

// testSize is more than any file of tests has.
const testSize = 8 << 20

func marksIn(name, text string, marks []profile.Pattern, number *regexp.Regexp) []Mark {
	lines := strings.Split(text, "\n")
	var found []Mark
	for i, line := range lines {
		if !slices.ContainsFunc(marks, func(m profile.Pattern) bool { return m.MatchString(line) }) {
			continue
		}
		around := lines[max(0, i-near):min(len(lines), i+near+1)]
		if slices.ContainsFunc(around, number.MatchString) {
			found = append(found, Mark{name, i + 1, strings.TrimSpace(line)})
		}
	}
	return found
}

// Remove takes a mark out of a checkout: a decorator that is all of its line. Anything
// else is for a person to edit.
func (m Mark) Remove(checkout string) error {
	tree, err := os.OpenRoot(checkout) // a link in it does not lead out of it
	if err != nil {
		return err
	}
	defer tree.Close()
	name := filepath.FromSlash(m.File)
	text, err := tree.ReadFile(name)
	if err != nil {
		return err
	}
	lines := strings.SplitAfter(string(text), "\n")
	if m.Line < 1 || m.Line > len(lines) || strings.TrimSpace(lines[m.Line-1]) != m.Text {
		return fmt.Errorf("%s:%d has changed since it was read", m.File, m.Line)
	}
	whole := strings.Count(m.Text, "(") == strings.Count(m.Text, ")") && !strings.HasSuffix(m.Text, "\\")
	if !strings.HasPrefix(m.Text, "@") || !whole {
		return fmt.Errorf("%s:%d is no decorator on a line of its own: edit it by hand", m.File, m.Line)
	}
	return tree.WriteFile(name, []byte(strings.Join(slices.Delete(lines, m.Line-1, m.Line), "")), 0o644)
}
