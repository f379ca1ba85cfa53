package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/console"
)

// reference is the page that lists all commands, verdicts, exit codes and variables.
func reference(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Reference\n\nMade from the code by `go test ./internal/cli -update`. The JSON that commands print is in " +
		"[answers.md](answers.md),\nthe keys of a profile are in [profiles.md](profiles.md).\n\n## Commands\n\n")
	for _, g := range root.Groups() {
		fmt.Fprintf(&b, "**%s**\n\n", strings.TrimSuffix(g.Title, ":"))
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && !c.Hidden && c.Name() != "help" && c.Name() != "completion" {
				fmt.Fprintf(&b, "- [`scrub %s`](#scrub-%s): %s\n", c.Name(), c.Name(), c.Short)
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("Every command takes these flags:\n\n")
	flagsOf(&b, root.PersistentFlags())
	each(root, func(c *cobra.Command) { commandOf(&b, c) })
	b.WriteString("## Verdicts\n\n| verdict | means |\n|---|---|\n")
	for _, v := range casefile.Verdicts {
		fmt.Fprintf(&b, "| `%s` | %s |\n", v, v.Meaning())
	}
	b.WriteString("\n## Exit codes\n\n| code | means |\n|---|---|\n")
	for _, e := range console.Codes {
		fmt.Fprintf(&b, "| %d | %s |\n", e.Code, e.Means)
	}
	b.WriteString("\n## Environment variables\n\n| variable | what it says |\n|---|---|\n")
	for _, v := range console.Variables {
		fmt.Fprintf(&b, "| `%s` | %s |\n", v.Name, v.Says)
	}
	return b.String()
}

// commandOf writes what there is to know of a command.
func commandOf(b *strings.Builder, c *cobra.Command) {
	if c.Hidden || !c.HasParent() || c.Name() == "help" || strings.HasPrefix(c.CommandPath(), "scrub completion") {
		return
	}
	fmt.Fprintf(b, "### %s\n\n%s\n\n```\n%s\n```\n\n", c.CommandPath(), strings.TrimSpace(c.Short)+".", c.UseLine())
	flagsOf(b, c.LocalNonPersistentFlags())
}

func flagsOf(b *strings.Builder, all *pflag.FlagSet) {
	found := false
	all.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		if !found {
			b.WriteString("| flag | |\n|---|---|\n")
		}
		found = true
		name := "`--" + f.Name
		if f.Shorthand != "" {
			name = "`-" + f.Shorthand + "`, " + name
		}
		if kind, _ := pflag.UnquoteUsage(f); kind != "" {
			name += " " + strings.ToUpper(kind)
		}
		fmt.Fprintf(b, "| %s` | %s |\n", name, strings.NewReplacer("|", `\|`, "<", `\<`, "*", `\*`).Replace(f.Usage))
	})
	if found {
		b.WriteString("\n")
	}
}
