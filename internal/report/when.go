package report

import (
	"cmp"
	"fmt"
	"html"
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

// strip draws what each version answered.
func strip(w casefile.When) string {
	const wide, high = 14, 22
	var b strings.Builder
	fmt.Fprintf(&b, `<figure><svg viewBox="0 0 %d %d" role="img" aria-label="what each version does">`,
		wide*len(w.Versions), high)
	colours := [...]string{"#8b949e", "#2da44e", "#cf222e"}
	for i := range w.Versions {
		fill, words := "none", "not tested"
		if k, ok := w.Found.Known[i]; ok {
			fill, words = colours[k.Answer], k.Answer.String()
		}
		fmt.Fprintf(&b, `<rect x="%d" y="1" width="%d" height="%d" rx="2" fill="%s" stroke="#8b949e"><title>%s: `+
			`%s</title></rect>`, i*wide+1, wide-3, high-2, fill, html.EscapeString(w.Versions[i]), words)
	}
	fmt.Fprintf(&b, `</svg><figcaption>%s to %s: red is affected, green is not, grey could not be tested, empty `+
		`was not tested</figcaption></figure>`, html.EscapeString(w.Versions[0]), html.EscapeString(w.Versions[len(w.Versions)-1]))
	return b.String()
}
