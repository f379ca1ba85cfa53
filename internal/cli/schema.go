package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"scrub/internal/console"
	"scrub/internal/schema"
)

func (a *app) schema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print the JSON Schema of what --json prints",
		Long: `Prints the JSON Schema of an answer. Every answer says in its field "schema" which
one it is and in which version, as in "case/1"; a list is a list of such
answers. Without NAME it lists the names.`,
		Example: "  scrub schema\n  scrub schema case > case.schema.json",
		Args:    cobra.MaximumNArgs(1),
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
