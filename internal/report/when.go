package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bisect"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
)

// When says where in its history a bug came or went.
func When(w casefile.When) string {
	var b strings.Builder
	b.WriteString(w.Words() + "\n")
	if len(w.Built) == 2 {
		fmt.Fprintf(&b, "They were built from the commits %s and %s; the change is between them.\n", Public(w.Built[0]),
			Public(w.Built[1]))
	}
	if w.Note != "" {
		b.WriteString(w.Note + "\n")
	}
	for _, o := range w.Others() {
		fmt.Fprintf(&b, "Also seen: %s.\n", o)
	}
	if w.Commits != nil && w.Of != w.Commits.Of {
		b.WriteString(w.Commits.Words() + "\n")
	}
	if s, sure := w.Culprit(); sure {
		fmt.Fprintf(&b, "Changed by %s: %s\n", request(s.Pull, s.Commit.ID), s.Commit.Subject)
		if w.Commits == nil {
			fmt.Fprintf(&b, "  %s\n", strings.Join(s.Evidence, "; "))
		}
	} else if len(w.Suspects) > 0 {
		fmt.Fprintf(&b, "Not narrowed down further than %d commits. Most likely:\n", len(w.Suspects))
		for _, s := range w.Suspects[:min(5, len(w.Suspects))] {
			fmt.Fprintf(&b, "  %s: %s (%s)\n", request(s.Pull, s.Commit.ID), s.Commit.Subject,
				cmp.Or(strings.Join(append(s.Evidence, s.Doubts...), "; "), "no evidence"))
		}
	}
	b.WriteString("\n")
	for _, i := range asked(w.Found) {
		k := w.Found.Known[i]
		fmt.Fprintf(&b, "%s %-14s %-8v %s\n", mark(k.Answer), short(w.Versions[i]), k.Answer, k.Why)
	}
	return b.String()
}

// asked are the versions that were, oldest first.
func asked(r bisect.Result) []int {
	var all []int
	for i := range r.Known {
		all = append(all, i)
	}
	slices.Sort(all)
	return all
}

func mark(a bug.Answer) string { return [...]string{"?", "-", "+"}[a] }

func request(pull int, commit string) string {
	if pull > 0 {
		return fmt.Sprintf("#%d", pull)
	}
	return short(commit)
}

// short is a commit by its first letters, and a version as it is.
func short(name string) string {
	if len(name) == 40 {
		return name[:12]
	}
	return name
}

func writeWhen(b *draft, c casefile.Case) {
	if c.When != nil {
		b.WriteString("\n## Bisection\n\n")
		b.fence("", When(*c.When))
	}
}
