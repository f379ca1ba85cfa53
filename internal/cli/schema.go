package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/schema"
)

func (a *app) schema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print the JSON Schema of the --json output",
		Long: `Prints the JSON Schema of an answer. The field "schema" of every answer names its
schema and version, as in "case/1"; some commands print a list of answers.
Without NAME it lists the names.`,
		Example: "  scrub schema\n  scrub schema case > case.schema.json",
		Args:    console.AtMost(1, "one name"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				names := schema.Names()
				return a.Answer(names, strings.Join(names, "\n")+"\n")
			}
			s, err := schema.Of(args[0])
			if err != nil {
				return console.Usage("%w", err)
			}
			_, err = a.Out.Write(s)
			return err
		},
	}
}
