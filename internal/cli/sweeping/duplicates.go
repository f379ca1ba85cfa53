package sweeping

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/duplicated"
)

func (a commands) duplicates() *cobra.Command {
	var r duplicated.Request
	c := &cobra.Command{
		Use:   "duplicates [CASE | OWNER/REPO#N]",
		Short: "Find reports of the same bug that nobody has linked, by what their programs showed",
		Long: `Compares the cases on record by what was measured: the same statement of the
project failed with the same error, the same change fixed or introduced them, or
each one's program shows what the other reports. Words are not compared. Nothing
is run and nothing is closed; with --propose a comment on the newer report of each
pair is proposed, which scrub actions lists.`,
		Example: `  scrub duplicates
  scrub duplicates octo/snail#7 --search
  scrub duplicates --json | jq -r '.pairs[] | [.newer.ref, .older.ref] | @tsv'`,
		Args: console.AtMost(1, "one case or OWNER/REPO#N"),
		RunE: func(c *cobra.Command, args []string) error {
			r.Of = strings.Join(args, "")
			return a.With(func(d *desk.Desk) error {
				found, err := duplicated.Desk{Desk: d}.Find(c.Context(), r)
				if err != nil {
					return err
				}
				return a.Answer(found, duplicatesText(found))
			})
		},
	}
	c.Flags().BoolVar(&r.Search, "search", false, "also list issues of the forge with the same words")
	c.Flags().BoolVar(&r.Propose, "propose", false, "propose a comment on the newer report of each pair")
	c.Flags().StringVar(&r.Forge, "forge", "", "a folder or a server to search in")
	return c
}

func duplicatesText(f duplicated.Found) string {
	var b strings.Builder
	name := func(k duplicated.Known) string {
		if k.Ref != "" {
			return k.Ref
		}
		return k.Case
	}
	for _, p := range f.Pairs {
		fmt.Fprintf(&b, "%s is the same bug as %s: %s\n", name(p.Newer), name(p.Older), strings.Join(p.Evidence, "; "))
	}
	for _, l := range f.Listed {
		fmt.Fprintf(&b, "%s has the same words; to compare it, run: scrub issue %s\n", l, l)
	}
	if b.Len() == 0 {
		return "no duplicates among the cases on record\n"
	}
	return b.String()
}
