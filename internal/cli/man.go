package cli

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/scrub-dev/scrub/internal/console"
)

func (a *app) man(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages into a folder",
		Hidden: true,
		Args:   console.Wants(1, "a folder"),
		RunE: func(_ *cobra.Command, args []string) error {
			root.DisableAutoGenTag = true
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return console.Usage("%w", err)
			}
			now := a.Now()
			return doc.GenManTree(root, &doc.GenManHeader{Title: "SCRUB", Section: "1", Date: &now}, args[0])
		},
	}
}
