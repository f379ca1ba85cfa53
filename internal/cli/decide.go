package cli

import (
	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/console"

	"github.com/spf13/cobra"
)

func (a *app) decide() *cobra.Command {
	var by string
	c := &cobra.Command{
		Use:   "decide PROGRAM proceed|skip|change",
		Short: "Say whether a program may run",
		Long: `Puts on record whether a program may run. PROGRAM is the digest that scrub
issue and scrub show print; it stands for exactly those bytes, so an edited
program is a new one that nobody has decided about. "change" means that only
a tamed version may run, which scrub issue takes with --modified.`,
		Example: `  scrub decide 1f0c9a1b2c3d4e5f proceed --by ann`,
		Args:    console.Wants(2, "a PROGRAM and proceed, skip or change"),
		RunE: func(c *cobra.Command, args []string) error {
			said := casefile.Word(args[1])
			if said != casefile.Proceed && said != casefile.Skip && said != casefile.Change {
				return console.Usage("%q: say proceed, skip or change", args[1])
			}
			if len(args[0]) != len(bug.Repro{}.Digest()) {
				return console.Usage("%q is no program's digest; scrub show CASE prints it", args[0])
			}
			s, err := a.Open(c.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			consent, err := a.Decided(c.Context(), s, args[0], said, by)
			if err != nil {
				return err
			}
			return a.Answer(consent, "%s: %s, says %s\n", args[0], said, by)
		},
	}
	c.Flags().StringVar(&by, "by", a.Getenv("USER"), "who decides")
	return c
}
