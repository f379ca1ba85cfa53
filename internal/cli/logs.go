package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/cli/flags"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/explained"
)

func (a *app) logs() *cobra.Command {
	var r explained.LogsRequest
	var out string
	c := &cobra.Command{
		Use:   "logs FILE --for WHAT",
		Short: "Run a program with the project's diagnostics enabled, and summarize the output",
		Long: `Runs a program in the sandbox with the logging, debugging and checks that the
profile defines for a topic, copies what it wrote (graphs, IR, generated code, a
minifier's result) to a folder, and summarizes it in a few lines. For PyTorch
the topics are graph-breaks, recompiles, inductor (which runs the minifier to
completion if the backend fails), accuracy (compiled against eager and 64-bit,
down to the first operation that differs) and crash. The folder is overwritten.`,
		Example: `  scrub logs repro.py --for recompiles --python venv/bin/python
  scrub logs repro.py --for inductor -o graphs && scrub minimize graphs/repro.py`,
		Args: console.Wants(1, "one FILE"),
		RunE: func(c *cobra.Command, args []string) error { return a.runLogs(c.Context(), args[0], out, r) },
	}
	flags.Program(c, &r.Program, 1)
	c.Flags().StringVar(&r.For, "for", "",
		"the topic: one of those that the profile defines")
	c.Flags().StringToStringVar(&r.Set, "set", nil,
		"NAME=VALUE of a variable for the program's environment, besides those of the topic; may be given several times")
	c.Flags().StringVarP(&out, "out", "o", "",
		"output folder (default: FILE without its extension, plus -logs)")
	return c
}

func (a *app) runLogs(ctx context.Context, file, out string, r explained.LogsRequest) (err error) {
	if out == "" {
		out = strings.TrimSuffix(file, filepath.Ext(file)) + "-logs"
	}
	if r.Text, err = program(file); err != nil {
		return err
	}
	return a.With(func(d *desk.Desk) error {
		e, err := explained.Desk{Desk: d}.Logs(ctx, r)
		if err != nil {
			return err
		}
		if err := writeEvidence(out, e); err != nil {
			return err
		}
		return a.Answer(e, logsText(out, e))
	})
}

// writeEvidence puts what a program left into a folder. Its names are what
// the program chose, so they are kept inside of it.
func writeEvidence(dir string, e explained.Logs) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return console.Usage("%w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range e.Names {
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := root.WriteFile(name, e.Files[name], 0o644); err != nil {
			return err
		}
	}
	if e.Found != "" {
		return root.WriteFile(bug.Script, e.Files[e.Found], 0o644)
	}
	return nil
}

// logsText is what is in the evidence, in a few lines.
func logsText(dir string, e explained.Logs) string {
	var b strings.Builder
	for _, s := range e.Says {
		fmt.Fprintf(&b, "- %s\n", s)
	}
	switch {
	case e.Code == nil:
		b.WriteString("the program timed out\n")
	case *e.Code != 0:
		fmt.Fprintf(&b, "the program ended with exit code %d\n", *e.Code)
	}
	if len(e.Says) == 0 {
		b.WriteString("no findings\n")
	}
	fmt.Fprintf(&b, "%d files in %s\n", len(e.Names), dir)
	if e.Found != "" {
		fmt.Fprintf(&b, "a smaller program: %s\n", filepath.Join(dir, bug.Script))
	}
	for _, name := range e.LeftOut {
		fmt.Fprintf(&b, "left out, too large: %s\n", name)
	}
	return b.String()
}
