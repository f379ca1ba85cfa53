package console

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/report"
)

// mayRun shows a program with what was found at its lines, and asks.
func (a *Console) mayRun(ctx context.Context, c casefile.Subject) (casefile.Word, error) {
	a.pause()
	out := a.Err
	fmt.Fprintf(out, "\nThis program was written by %s:\n\n", report.Clean(whoIs(c)))
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
		reply, err := a.Ask(ctx, replies, "\nRun it, in a sandbox without network, home folder or secrets?\n"+
			"[y]es, [n]o, [m]odified version only, [l]ater: ")
		switch reply {
		case "y", "yes":
			return casefile.Proceed, nil
		case "n", "no":
			return casefile.Skip, nil
		case "m", "modified", "c", "change":
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
func whoIs(s casefile.Subject) string {
	author := cmp.Or(s.Author, "somebody")
	switch {
	case s.Modified != nil:
		return fmt.Sprintf("%s, modified by %s", author, s.Modified.By)
	case s.Trusted:
		return author + ", a collaborator"
	}
	return author + ", who is not known to be a collaborator"
}

// mayInstall asks a person which of the packages may be installed. What it
// returns are their names.
func (a *Console) mayInstall(ctx context.Context, lacks []desk.Lack) ([]string, error) {
	a.pause()
	fmt.Fprint(a.Err, "\nThe program needs packages that are not installed here. If you agree, a\npackage and its "+
		"dependencies are installed from the package index into a\nseparate environment, in a sandbox; their code "+
		"runs only in the sandbox.\n")
	in := bufio.NewReader(a.In)
	var agreed []string
	for _, l := range lacks {
		fmt.Fprintf(a.Err, "\n  %s", report.Clean(l.Package))
		if l.Package != l.Module || l.Known != "" {
			fmt.Fprintf(a.Err, ", for the module %s, %s", l.Module, l.Known)
		}
		fmt.Fprintln(a.Err)
		for _, d := range l.Doubts {
			fmt.Fprintf(a.Err, "  ! %s\n", report.Clean(d))
		}
		if l.Absent {
			continue
		}
		reply, err := a.Ask(ctx, in, fmt.Sprintf("Install the package %s? [y/N]: ", report.Clean(l.Package)))
		if ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			return nil, nil // nobody is there any more
		}
		if strings.HasPrefix(reply, "y") {
			agreed = append(agreed, l.Package)
		}
	}
	return agreed, nil
}
