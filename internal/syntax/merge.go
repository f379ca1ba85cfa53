package syntax

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

//go:embed python/merge.py
var merger string

// Merge puts the modules of a program, by file name, into it. Whether the
// result does the same is for a run to say.
func Merge(ctx context.Context, text string, modules bug.Files, run bug.Runner) (string, error) {
	files := bug.Files{"merge.py": merger, "main.module": text}
	for name, text := range modules {
		name = strings.TrimSuffix(strings.ReplaceAll(strings.TrimSuffix(name, ".py"), "/", "."), ".__init__")
		files[name+".module"] = text
	}
	o, err := run(ctx, bug.Repro{Files: files, Command: []string{"python", "merge.py"}})
	if err != nil {
		return "", err
	}
	var whole string
	if o.Failed() || json.Unmarshal([]byte(lastLine(o.Stdout)), &whole) != nil {
		return "", fmt.Errorf("the files could not be put into one: it %s: %.300s", o.Words(), o.Stderr)
	}
	return whole, nil
}
