package eval

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/triage"
)

// A Truth is a report whose statement that shows the bug is known.
type Truth struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Text    string `json:"issue_text"`
	Tier    string `json:"tier"`
	Symptom *struct {
		Statement string `json:"statement"`
	} `json:"symptom"`
}

// Picks counts, by tier, in how many reports the program that scrub would
// try holds the statement that shows the bug, and lists the others.
func Picks(data io.Reader, tiers []string, out io.Writer) (Tally, error) {
	t := newTally()
	err := eachLine(data, func(r Truth) error {
		if r.Symptom == nil || !slices.Contains(tiers, r.Tier) {
			return nil
		}
		t.Reports++
		programs := triage.Rank(generic(), intake.Read(bug.Report{Title: r.Title, Body: r.Text}).Programs, "")
		if len(programs) > 0 && strings.Contains(squeeze(programs[0].Text), squeeze(r.Symptom.Statement)) {
			t.Agree[r.Tier]++
			return nil
		}
		t.Differ[r.Tier]++
		fmt.Fprintf(out, "%s\t%s\t%d programs\twant %.100q\n", r.Tier, r.ID, len(programs), r.Symptom.Statement)
		return nil
	})
	return t, err
}

// squeeze takes out what does not change what a program does: white space,
// empty lines and comments of their own.
func squeeze(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") {
			b.WriteString(strings.Join(strings.Fields(line), ""))
		}
	}
	return strings.TrimSuffix(b.String(), ";")
}

// generic is what is known of any Python project.
func generic() profile.Profile {
	p, err := profile.Load(profile.Generic)
	if err != nil {
		panic(err) // it was embedded
	}
	return p
}
