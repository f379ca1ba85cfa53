package sweep

import (
	"fmt"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/report"
)

// A Digest is what has changed in a repository, for a maintainer to read in a
// minute.
type Digest struct {
	Schema  string    `json:"schema"`
	Repo    string    `json:"repo"`
	Since   time.Time `json:"since"`
	Release string    `json:"release,omitempty"` // that came out; empty for none
	Pre     bool      `json:"pre,omitempty"`     // and it is a pre-release, such as a nightly build
	News    []News    `json:"news"`
}

// A News is what has become of one report.
type News struct {
	Source  string `json:"source"`
	Title   string `json:"title"`
	New     bool   `json:"new,omitempty"` // it was written or changed
	Was     string `json:"was,omitempty"` // the verdict before; empty if there was none
	Is      string `json:"is"`
	Why     string `json:"why"`
	Version string `json:"version,omitempty"` // the newest it was asked on
	In      string `json:"fixed_in,omitempty"`
	By      string `json:"fixed_by,omitempty"`
	Aside   bool   `json:"set_aside,omitempty"`
}

// Words says it in a few words.
func (n News) Words() string {
	was, is := casefile.Verdict(n.Was), casefile.Verdict(n.Is)
	failed := was == casefile.Reproduces || was == casefile.Flaky || was == casefile.Hangs
	fails := is == casefile.Reproduces || is == casefile.Flaky || is == casefile.Hangs
	switch {
	case n.Aside:
		return "could not be checked: " + n.Why
	case failed && fails:
		return "still fails on " + n.Version
	case failed && is == casefile.Fixed:
		return n.fixed()
	case was == casefile.Fixed && fails:
		return "fails again on " + n.Version
	case was == casefile.Fixed && is == casefile.Fixed:
		return "still fixed"
	case n.Was != "" && n.Was != n.Is:
		return fmt.Sprintf("was %s, is %s: %s", n.Was, n.Is, n.Why)
	}
	return fmt.Sprintf("%s: %s", n.Is, n.Why)
}

func (n News) fixed() string {
	in := n.In
	if in == "" {
		in = n.Version
	}
	if n.By == "" {
		return "fixed in " + in
	}
	return fmt.Sprintf("fixed in %s, by %s", in, n.By)
}

// kind is the heading under which it stands.
func (n News) kind() string {
	words := n.Words()
	switch {
	case n.Aside:
		return "Could not be checked"
	case strings.HasPrefix(words, "fails again"):
		return "Fails again"
	case strings.HasPrefix(words, "fixed"):
		return "Fixed"
	case strings.HasPrefix(words, "still fails"):
		return "Still fails"
	case strings.HasPrefix(words, "still fixed"):
		return "Still fixed"
	case n.New:
		return "New or changed"
	}
	return "Otherwise"
}

// Markdown is the digest, the most urgent first.
func (d Digest) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nSince %s", d.Repo, d.Since.UTC().Format("2006-01-02 15:04"))
	switch {
	case d.Pre && d.Release != "":
		fmt.Fprintf(&b, "; pre-release %s came out", d.Release)
	case d.Release != "":
		fmt.Fprintf(&b, "; release %s came out", d.Release)
	}
	b.WriteString(".\n")
	if len(d.News) == 0 {
		b.WriteString("\nNothing has changed.\n")
	}
	for _, kind := range []string{"Fails again", "Fixed", "New or changed", "Otherwise", "Still fails",
		"Could not be checked",
		"Still fixed"} {
		var some []News
		for _, n := range d.News {
			if n.kind() == kind {
				some = append(some, n)
			}
		}
		if len(some) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s (%d)\n\n", kind, len(some))
		for _, n := range some {
			text := fmt.Sprintf("%s (%s)", n.Words(), bug.Short(bug.Squeeze(n.Title), 70))
			if kind == "Still fixed" {
				text = bug.Short(bug.Squeeze(n.Title), 70)
			}
			b.WriteString("- " + n.Source + ": " + bug.Short(bug.Squeeze(report.Public(text)), 300) + "\n")
		}
	}
	return b.String()
}
