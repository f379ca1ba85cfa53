package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/console"
	"scrub/internal/evidence"
	"scrub/internal/pipeline"
	"scrub/internal/profile"
	"scrub/internal/report"
	"scrub/internal/sandbox"
)

func (a *app) logs() *cobra.Command {
	var f runFlags
	var what, out string
	c := &cobra.Command{
		Use:   "logs FILE --for WHAT",
		Short: "Run a program so that the project tells what it does, and say what is in it",
		Long: `Runs a program in the box with the logging, debugging and checking that the
profile has for a question, brings what it wrote (graphs, IR, generated code,
a minifier's result) out into a folder, and says in a few lines what is in
it. For PyTorch the questions are graph-breaks, recompiles, inductor (which
drives the minifier to its end if the backend fails), accuracy (compiled
against eager and 64 bits, down to the first operation that differs) and
crash. The folder is overwritten.`,
		Example: `  scrub logs repro.py --for recompiles --python venv/bin/python
  scrub logs repro.py --for inductor -o graphs && scrub minimize graphs/repro.py`,
		Args: console.Wants(1, "one FILE"),
		RunE: func(c *cobra.Command, args []string) error { return a.runLogs(c.Context(), args[0], what, out, f) },
	}
	f.add(c, 1)
	c.Flags().StringVar(&what, "for", "", "what you want to know: the profile's questions, as -h of this command lists for PyTorch")
	c.Flags().StringVarP(&out, "out", "o", "", "the folder for what it left behind (default: FILE without its ending, and -logs)")
	return c
}

func (a *app) runLogs(ctx context.Context, file, what, out string, f runFlags) error {
	if out == "" {
		out = strings.TrimSuffix(file, filepath.Ext(file)) + "-logs"
	}
	r, err := a.ready(ctx, file, f)
	if err != nil {
		return err
	}
	v, q, prof := r.view, r.q, r.prof
	defer v.Close()
	at := slices.IndexFunc(prof.Logs, func(l profile.Logs) bool { return l.For == what })
	if at < 0 {
		return console.Usage("--for %q: %s can be asked for %s", what, prof.Name, questions(prof.Logs))
	}
	logs := prof.Logs[at]
	v.Tell(pipeline.Event{Step: "logs", Text: logs.About})
	limits := sandbox.Limits{Time: evidence.Time(f.timeout, logs), Memory: int64(prof.Run.Memory), Scratch: 2 << 30}
	e, err := evidence.Gather(ctx, q.Repro, q.Runtime, logs, limits, r.box)
	v.Pause()
	if err != nil {
		return err
	}
	if err := writeEvidence(out, e); err != nil {
		return err
	}
	return a.Answer(e, "%s", report.Clean(logsText(out, e)))
}

func questions(all []profile.Logs) string {
	words := make([]string, len(all))
	for i, l := range all {
		words[i] = l.For
	}
	return strings.Join(words, ", ")
}

// writeEvidence puts what a program left into a folder. Its names are what
// the program chose, so they are kept inside of it.
func writeEvidence(dir string, e evidence.Evidence) error {
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

func logsText(dir string, e evidence.Evidence) string {
	var b strings.Builder
	for _, s := range e.Says {
		fmt.Fprintf(&b, "- %s\n", s)
	}
	switch {
	case e.Code == nil:
		b.WriteString("the program did not end within its time\n")
	case *e.Code != 0:
		fmt.Fprintf(&b, "the program ended with code %d\n", *e.Code)
	}
	if len(e.Says) == 0 {
		b.WriteString("nothing that the profile knows to tell\n")
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
