package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/report"
	"scrub/internal/store"
	"scrub/internal/vet"
)

// consent finds out whether the program of c may run: by what was decided
// about exactly these bytes before, by --approve-clean, or by asking.
func (a *app) consent(ctx context.Context, s *store.Store, v *view, c casefile.Case, approveClean bool) (casefile.Consent, error) {
	d, ok, err := s.Decision(ctx, c.Repro.Digest())
	if err != nil {
		return casefile.Consent{}, err
	}
	if ok {
		return casefile.Consent{Said: casefile.Word(d.Said), By: d.Who, At: d.At}, nil
	}
	if c.Trusted && !vet.Asks(c.Findings) {
		return casefile.Consent{Said: casefile.Proceed, By: "scrub", Why: "a collaborator wrote it, and nothing dangerous was found in it"}, nil
	}
	if approveClean && !vet.Asks(c.Findings) {
		return casefile.Consent{Said: casefile.Proceed, By: "--approve-clean", Why: "nothing dangerous was found in it"}, nil
	}
	if !a.inTTY || !a.errTTY {
		return casefile.Consent{}, nil
	}
	v.pause()
	said, err := ask(a.in, a.err, c)
	if err != nil || said == casefile.Nothing {
		return casefile.Consent{}, err
	}
	return a.decided(ctx, s, c.Repro.Digest(), said, a.getenv("USER"))
}

// decided puts a person's word on record.
func (a *app) decided(ctx context.Context, s *store.Store, program string, said casefile.Word, who string) (casefile.Consent, error) {
	if who == "" {
		return casefile.Consent{}, usage("a decision needs a name: say --by NAME")
	}
	d := store.Decision{Program: program, Said: string(said), Who: who, At: a.now()}
	return casefile.Consent{Said: said, By: who, At: d.At}, s.Decide(ctx, d)
}

// ask shows the program with what was found at its lines, and asks.
func ask(in io.Reader, out io.Writer, c casefile.Case) (casefile.Word, error) {
	author := c.Candidates[0].Author
	if author == "" {
		author = "somebody unknown"
	}
	fmt.Fprintf(out, "\n%s wrote this program:\n\n", report.Clean(whoIs(author, c)))
	n := 0
	for line := range strings.Lines(report.Clean(c.Repro.Files[bug.Script])) {
		n++
		fmt.Fprintf(out, "%5d  %s\n", n, strings.TrimRight(line, "\n"))
		for _, f := range c.Findings {
			if f.Line == n {
				fmt.Fprintf(out, "     ! %s: %s (%s)\n", f.Class, f.Why, f.Name)
			}
		}
	}
	for _, f := range c.Findings {
		if f.Line == 0 {
			fmt.Fprintf(out, "The report: %s: %s (%s)\n", f.Class, f.Why, report.Clean(f.Name))
		}
	}
	if len(c.Findings) == 0 {
		fmt.Fprintf(out, "\nNothing dangerous was found in it.\n")
	}
	replies := bufio.NewReader(in)
	for {
		fmt.Fprintf(out, "\nMay it run, in a box without network, home or secrets? [y]es, [n]o, [c]hanged only, [l]ater: ")
		reply, err := replies.ReadString('\n')
		switch strings.ToLower(strings.TrimSpace(reply)) {
		case "y", "yes":
			return casefile.Proceed, nil
		case "n", "no":
			return casefile.Skip, nil
		case "c", "change", "changed", "changed only":
			return casefile.Change, nil
		case "l", "later":
			return casefile.Nothing, nil
		}
		if err != nil {
			return casefile.Nothing, nil // nobody is there any more
		}
	}
}

// whoIs says what is known of the author of a program.
func whoIs(author string, c casefile.Case) string {
	switch {
	case c.Tamed != nil:
		return fmt.Sprintf("%s (changed by %s)", author, c.Tamed.By)
	case c.Trusted:
		return author + ", a collaborator,"
	case c.Report.Ref.Repo == "":
		return author
	}
	return author + ", who is not known as a collaborator,"
}

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
		Args:    wants(2, "a PROGRAM and proceed, skip or change"),
		RunE: func(c *cobra.Command, args []string) error {
			said := casefile.Word(args[1])
			if said != casefile.Proceed && said != casefile.Skip && said != casefile.Change {
				return usage("%q: say proceed, skip or change", args[1])
			}
			if len(args[0]) != len(bug.Repro{}.Digest()) {
				return usage("%q is no program's digest; scrub show CASE prints it", args[0])
			}
			s, err := a.open(c.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			consent, err := a.decided(c.Context(), s, args[0], said, by)
			if err != nil {
				return err
			}
			return a.answer(consent, "%s: %s, says %s\n", args[0], said, by)
		},
	}
	c.Flags().StringVar(&by, "by", a.getenv("USER"), "who decides")
	return c
}
