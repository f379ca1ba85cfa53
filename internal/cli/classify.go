package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"scrub/internal/console"
	"scrub/internal/desk"
	"scrub/internal/report"
)

// atMost is how much of a log is read: the end of a longer one says what
// happened.
const atMost = 16 << 20

func (a *app) classify() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:   "classify LOG",
		Short: "Say what kind of failure a log shows, whose code it is and what to do next",
		Long: `Reads what a program printed (a file, or - for stdin) and says what kind of
failure it is, in which part of the project, whether while compiling or while
running, where to look, and which labels fit. It goes by the profile's table
alone: nothing is run. The exit code is 4 if the log shows no failure that
the table knows.`,
		Example: `  python repro.py 2>&1 | scrub classify - --profile pytorch
  scrub classify ci.log --json | jq -r '[.category, .component] | @tsv'`,
		Args: console.Wants(1, "one LOG, or - for stdin"),
		RunE: func(c *cobra.Command, args []string) error { return a.classifyLog(c.Context(), args[0], name) },
	}
	c.Flags().StringVar(&name, "profile", "",
		"what is known about the project: a name or a folder (default: the one whose package the log names)")
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
	return a.with(func(d *desk.Desk) error {
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
