package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/report"
)

// atMost is how much of a log is read: the end of a longer one says what
// happened.
const atMost = 16 << 20

func (a *app) classify() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:   "classify LOG",
		Short: "Classify the failure in a log: kind, component and next steps",
		Long: `Reads the output of a program (a file, or - for stdin) and reports the kind of
failure, the component, whether it happened at compile time or at run time,
where to look, and which labels fit. It uses only the profile's table; nothing
is run. The exit code is 4 if the log shows no failure that the table knows.`,
		Example: `  python repro.py 2>&1 | scrub classify - --profile pytorch
  scrub classify ci.log --json | jq -r '[.category, .component] | @tsv'`,
		Args: console.Wants(1, "one LOG, or - for stdin"),
		RunE: func(c *cobra.Command, args []string) error { return a.classifyLog(c.Context(), args[0], name) },
	}
	c.Flags().StringVar(&name, "profile", "",
		"project profile, a name or a folder (default: the one whose package the log mentions)")
	return c
}

func (a *app) classifyLog(ctx context.Context, file, name string) error {
	in := io.Reader(a.In)
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return console.Usage("%w", err)
		}
		defer f.Close()
		if st, err := f.Stat(); err == nil && st.Size() > atMost {
			if _, err := f.Seek(-atMost, io.SeekEnd); err != nil {
				return err
			}
		}
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, atMost))
	if err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return a.With(func(d *desk.Desk) error {
		c, err := d.Classify(ctx, desk.ClassifyRequest{Log: string(text), Profile: name})
		if err != nil {
			return err
		}
		if err := a.Answer(c, report.Class(c.Class)); err != nil || !c.Unknown() {
			return err
		}
		return console.Ends(console.No, nil)
	})
}
