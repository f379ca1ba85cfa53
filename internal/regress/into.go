package regress

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/profile"
)

//go:embed into.py
var inserter string

// At is the file of a project that a test belongs into.
func (t Test) At(place profile.Place) string { return strings.ReplaceAll(place.File, "{name}", t.Name) }

// Into is the text of a file with the test in it; before is the text it has
// now, empty if there is none. It fails rather than break the file.
func (t Test) Into(ctx context.Context, place profile.Place, before string, run bug.Runner) (string, error) {
	if before == "" {
		return t.Text, nil
	}
	order, err := json.Marshal(struct {
		Text   string `json:"text"`
		Name   string `json:"name"`
		Class  string `json:"class"`
		Method string `json:"method"`
	}{before, t.Name, place.Class, t.Method})
	if err != nil {
		return "", err
	}
	o, err := run(ctx, bug.Repro{Files: bug.Files{"into.py": inserter, "order.json": string(order)},
		Command: []string{"python", "into.py"}})
	if err != nil {
		return "", err
	}
	var got struct{ Text, Why string }
	if err := json.Unmarshal([]byte(o.Stdout), &got); o.Failed() || err != nil {
		return "", fmt.Errorf("put the test into %s: it %s", t.At(place), o.Words())
	}
	if got.Why != "" {
		return "", fmt.Errorf("%s: %s", t.At(place), got.Why)
	}
	return got.Text, nil
}

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

// Put writes the test where it belongs in a work tree, and says where that is.
// What is there already stays.
func (t Test) Put(ctx context.Context, dir string, place profile.Place, run bug.Runner) (string, error) {
	name := filepath.FromSlash(t.At(place))
	tree, err := os.OpenRoot(dir) // a link in it does not lead out of it
	if err != nil {
		return "", err
	}
	defer tree.Close()
	before, err := tree.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	after, err := t.Into(ctx, place, string(before), run)
	if err != nil {
		return "", err
	}
	if err := tree.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return "", err
	}
	return filepath.Join(dir, name), tree.WriteFile(name, []byte(after), 0o644)
}
