package console

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/report"
	"scrub/internal/store"
	"scrub/internal/vet"
)

// Consent finds out whether the program of c may run: by what was decided
// about exactly these bytes before, by --approve-clean, or by asking.
func (a *Console) Consent(ctx context.Context, s *store.Store, v *View, c casefile.Case, approveClean bool) (casefile.Consent, error) {
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
	if !a.InTTY || !a.ErrTTY {
		return casefile.Consent{}, nil
	}
	v.Pause()
	said, err := a.ask(ctx, c)
	if err != nil || said == casefile.Nothing {
		return casefile.Consent{}, err
	}
	return a.Decided(ctx, s, c.Repro.Digest(), said, a.Getenv("USER"))
}

// Decided puts a person's word on record.
func (a *Console) Decided(ctx context.Context, s *store.Store, program string, said casefile.Word, who string) (casefile.Consent, error) {
	if who == "" {
		return casefile.Consent{}, Usage("a decision needs a name: say --by NAME")
	}
	d := store.Decision{Program: program, Said: string(said), Who: who, At: a.Now()}
	return casefile.Consent{Said: said, By: who, At: d.At}, s.Decide(ctx, d)
}

// ask shows the program with what was found at its lines, and asks.
func (a *Console) ask(ctx context.Context, c casefile.Case) (casefile.Word, error) {
	out := a.Err
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
	replies := bufio.NewReader(a.In)
	for {
		fmt.Fprintf(out, "\nMay it run, in a box without network, home or secrets? [y]es, [n]o, [c]hanged only, [l]ater: ")
		reply, err := a.Reply(ctx, replies)
		switch reply {
		case "y", "yes":
			return casefile.Proceed, nil
		case "n", "no":
			return casefile.Skip, nil
		case "c", "change", "changed", "changed only":
			return casefile.Change, nil
		case "l", "later":
			return casefile.Nothing, nil
		}
		if ctx.Err() != nil {
			return casefile.Nothing, err
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
