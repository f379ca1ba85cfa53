package mcp

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

// rest is what a run shows that a sentence has not said: of an exception where it was raised, else the end of what was
// printed.
func rest(sentence string, o bug.Outcome) (what, text string) {
	e, ok := o.Exception()
	if !ok || len(e.Frames) == 0 {
		if told(sentence, o) {
			return "", ""
		}
		return "output", tail(o.Stdout + o.Stderr)
	}
	var b strings.Builder
	if out := strings.TrimSpace(o.Stdout); out != "" {
		b.WriteString(tail(out) + "\n")
	}
	for i, f := range e.Frames {
		if last := i == len(e.Frames)-1; last || path.Base(f.File) == bug.Script {
			fmt.Fprintf(&b, "%s:%d in %s: %s\n", short(f.File), f.Line, f.Func, bug.Short(f.Code, 120))
		}
	}
	if !told(sentence, o) {
		b.WriteString(bug.Short(e.String(), 600))
	}
	return "printed, and where it was raised", b.String()
}

// short is where a file is within its package.
func short(file string) string {
	parts := strings.Split(file, "/")
	if i := slices.Index(parts, "site-packages"); i >= 0 {
		return path.Join(parts[i+1:]...)
	}
	return path.Join(parts[max(0, len(parts)-2):]...)
}

// told reports whether a sentence says all that a run has shown already.
func told(sentence string, o bug.Outcome) bool {
	said := bug.Squeeze(sentence)
	if e, ok := o.Exception(); ok {
		return strings.Contains(said, strings.TrimRight(bug.Squeeze(e.String()), ".!:"))
	}
	out := bug.Squeeze(o.Stdout + o.Stderr)
	return out == "" || strings.Contains(said, bug.Short(out, 200))
}

// tail is the end of what a run has printed.
func tail(s string) string {
	all := strings.Split(strings.TrimRight(s, "\n"), "\n")
	return strings.Join(all[max(0, len(all)-12):], "\n")
}
