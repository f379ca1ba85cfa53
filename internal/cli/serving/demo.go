package serving

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/scrub-dev/scrub/examples"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk"
)

// sample reads a report that scrub brings along.
func sample(name string) (bug.Report, []byte, error) {
	text, err := examples.Reports.ReadFile(name)
	if err != nil {
		return bug.Report{}, nil, err
	}
	r, err := desk.Parse(name, bytes.NewReader(text))
	return r, text, err
}

// lay puts the sample reports as issues into a folder.
func lay(dir string) error {
	for _, name := range examples.Names {
		r, text, err := sample(name)
		if err != nil {
			return err
		}
		at := filepath.Join(dir, filepath.FromSlash(r.Ref.Repo))
		if err := os.MkdirAll(at, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(at, fmt.Sprintf("%d.md", r.Ref.Number)), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// demo takes the sample reports to their verdicts.
func demo(ctx context.Context, d *desk.Desk, base desk.IssueRequest) (string, error) {
	for _, name := range examples.Names {
		r, _, err := sample(name)
		if err != nil {
			return "", err
		}
		ask := base
		ask.Source = desk.Source{Issue: r.Ref.String(), Forge: base.Source.Forge}
		if name == "flaky.md" {
			ask.Runs = 12 // half of them fail: enough show both sides
		}
		if _, err := d.Issue(ctx, ask); err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
	}
	return "all are in the inbox now", nil
}
