package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/cli/flags"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
)

func (a *app) vet() *cobra.Command {
	var r desk.VetRequest
	var sarif bool
	c := &cobra.Command{
		Use:   "vet FILE|SOURCE…",
		Short: "Scan programs for dangers before they run",
		Long: `Scans programs, in a sandbox and without running them, and lists what they would
do: access the network, files outside their folder or a shell, load data that
can run code, hide something, and so on. FILE is a Python file; any other SOURCE
is a report, whose best program is scanned.

The exit code is 4 if a finding needs approval, and 0 otherwise. Notes are shown
but do not count.`,
		Example: `  scrub vet repro.py
  scrub vet backlog/*.json --json | jq -r '.[] | select(.needs_approval) | .source'
  scrub vet *.py --sarif > vet.sarif`,
		Args: atLeast("FILE or SOURCE"),
		RunE: func(c *cobra.Command, args []string) error { return a.runVet(c.Context(), args, r, sarif) },
	}
	flags.Source(c, &r.Source)
	c.Flags().StringVar(&r.Profile, "profile", "",
		"project profile, a name or a folder (default: by the issue's repository)")
	c.Flags().StringVar(&r.Python, "python", "",
		"interpreter whose parser is used (default: the active environment's, or python3)")
	c.Flags().BoolVar(&sarif, "sarif", false, "print SARIF 2.1.0, for tools that scan code")
	flags.Box(c, &r.Box)
	return c
}

func (a *app) runVet(ctx context.Context, names []string, r desk.VetRequest, sarif bool) error {
	return a.With(func(d *desk.Desk) error {
		all := []desk.Vetted{}
		failed := a.each(names, func(name string) error {
			one, err := a.toVet(name, r)
			if err != nil {
				return err
			}
			v, err := d.Vet(ctx, one)
			if err == nil {
				all = append(all, v)
			}
			return err
		})
		if len(all) == 0 {
			return failed
		}
		if err := errors.Join(a.sayVet(all, sarif), failed); err != nil {
			return err
		}
		if slices.ContainsFunc(all, func(v desk.Vetted) bool { return v.Asks }) {
			return console.Ends(console.No, nil)
		}
		return nil
	})
}

// toVet completes r with the program or the report that name is.
func (a *app) toVet(name string, r desk.VetRequest) (_ desk.VetRequest, err error) {
	if filepath.Ext(name) != ".py" {
		r.Source, err = a.source(name, r.Source)
		return r, err
	}
	text, err := program(name)
	r.Program = &desk.File{Name: name, Text: text}
	return r, err
}

func (a *app) sayVet(all []desk.Vetted, sarif bool) error {
	if sarif {
		return json.NewEncoder(a.Out).Encode(vetSARIF(all))
	}
	var b strings.Builder
	for _, v := range all {
		b.WriteString(vetText(v))
	}
	return a.Answer(all, b.String())
}

// vetText is what a person must know of a program.
func vetText(v desk.Vetted) string {
	var b strings.Builder
	switch {
	case v.Program == "":
		fmt.Fprintf(&b, "%s: no program found\n", v.Source)
	case len(v.Findings) == 0:
		fmt.Fprintf(&b, "%s: no findings\n", v.Source)
	case v.Asks:
		fmt.Fprintf(&b, "%s: needs approval before it runs\n", v.Source)
	default:
		fmt.Fprintf(&b, "%s: notes only\n", v.Source)
	}
	lines, shown := strings.Split(v.Text, "\n"), 0
	for _, f := range v.Findings {
		if f.Line != shown && f.Line > 0 && f.Line <= len(lines) {
			shown = f.Line
			fmt.Fprintf(&b, "%5d  %s\n", f.Line, bug.Short(lines[f.Line-1], 120))
		}
		mark := map[string]string{"note": "-", "warning": "!", "error": "!!"}[string(f.Severity)]
		fmt.Fprintf(&b, "       %s %s: %s (%s)\n", mark, f.Class, f.Says(), f.Name)
	}
	return b.String()
}
