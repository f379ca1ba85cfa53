package sandboxtest

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// The files hold the attacks, each below a line "#: name", and the first of them
// what they share. A program that gets what it is after prints OPEN. All of them aim at the decoys of a Host
// and bound themselves, so that even an open wall would harm nothing.
//
//go:embed attacks/*.py
var attackFiles embed.FS

// An Attack is a program that tries to get out.
type Attack struct{ Name, Code string }

// Attacks returns all attacks, aimed at h.
func Attacks(h *Host) []Attack {
	aims := strings.NewReplacer(
		"@DIR@", h.Dir, "@SECRET@", h.Secret, "@KEY@", h.Key, "@STATE@", h.State, "@TCP@", h.TCP, "@TCP6@", h.TCP6,
		"@UDP@", h.UDP,
		"@UNIX@", h.Unix, "@ABSTRACT@", h.Marker, "@MARKER@", h.Marker,
	)
	parts := strings.Split(attackText(), "\n#: ")
	var all []Attack
	for _, part := range parts[1:] {
		name, code, _ := strings.Cut(part, "\n")
		all = append(all, Attack{name, aims.Replace(parts[0] + "\n" + code)})
	}
	return all
}

// attackText is all files, in the order of their names.
func attackText() string {
	files, err := fs.Glob(attackFiles, "attacks/*.py")
	if err != nil {
		panic(err) // a pattern that is right
	}
	var b strings.Builder
	for _, name := range files {
		text, err := attackFiles.ReadFile(name)
		if err != nil {
			panic(err) // it was embedded
		}
		b.Write(text)
	}
	return b.String()
}

// limits of an attack: small enough to be hit, large enough for Python.
var limits = sandbox.Limits{Time: 4 * time.Second, Memory: 300 << 20, Processes: 64, Scratch: 32 << 20, Files: 128,
	Output: 64 << 10}

// Escape runs every attack in box and checks the host after each. What is
// known to be open in a box that others make is named in known; it must do the
// host no harm. Escape returns how many attacks ran warm.
func Escape(t *testing.T, box sandbox.Box, runtime bug.Runtime, preload []string, known ...string) (warm int) {
	return EscapeEvery(t, 1, box, runtime, preload, known...)
}

// EscapeEvery does so with every nth attack.
func EscapeEvery(t *testing.T, nth int, box sandbox.Box, runtime bug.Runtime, preload []string,
	known ...string) (warm int) {
	t.Setenv("SCRUB_SECRET_TOKEN", "canary-5c2f")
	h := NewHost(t)
	// What the interpreter needs is shown to programs, also a folder that
	// anybody may write; it must not be writable from inside.
	shown := h.Dir + "/shown"
	must(t, makeOpenFolder(shown))
	runtime.Folders = append(runtime.Folders, shown)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	ran := 0
	for i, a := range Attacks(h) {
		if i%nth != 0 {
			continue
		}
		ran++
		o, err := box.Run(t.Context(), sandbox.Job{Repro: bug.Program(a.Code), Runtime: runtime, Limits: limits,
			Preload: preload})
		harm := h.Harm()
		word := "held"
		if slices.Contains(known, a.Name) && err == nil && harm == "" && strings.Contains(o.Stdout, "OPEN") {
			word = "known"
		} else if err != nil || harm != "" || strings.Contains(o.Stdout, "OPEN") ||
			!strings.Contains(o.Stdout, "tried") {
			word = "OPEN"
			t.Errorf("%s: %v; harm to the host: %q; the program %s:\n%s%s", a.Name, err, harm, o.Words(), o.Stdout,
				o.Stderr)
		}
		how := "cold"
		if o.Warm {
			how = "warm"
			warm++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%v\n", word, how, a.Name, o.Words(), o.Cost.Wall.Round(time.Millisecond))
	}
	w.Flush()
	t.Logf("%d attacks\n%s", ran, table.String())
	return warm
}
