package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"scrub/internal/classify"
	"scrub/internal/console"
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
		RunE: func(_ *cobra.Command, args []string) error { return a.classifyLog(args[0], name) },
	}
	c.Flags().StringVar(&name, "profile", "", "what is known about the project: a name or a folder (default: the one whose package the log names)")
	return c
}

func (a *app) classifyLog(file, name string) error {
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
	p, err := console.ProfileIn(name, string(text))
	if err != nil {
		return err
	}
	c, err := classify.Log(p, strings.ToValidUTF8(string(text), "\uFFFD"))
	if err != nil {
		return err
	}
	if err := a.Answer(c, "%s", report.Clean(report.Class(c))); err != nil || !c.Unknown() {
		return err
	}
	return console.Ends(console.No, nil)
}
