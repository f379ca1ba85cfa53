package regress

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
