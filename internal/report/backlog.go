package report

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
)

// A Backlog is what came of many reports.
type Backlog struct {
	Schema  string    `json:"schema"`
	Sweep   string    `json:"sweep"`
	Sources []string  `json:"sources"`
	Made    time.Time `json:"made"`
	ToGo    int       `json:"to_go"` // reports that are not dealt with yet
	Rows    []Row     `json:"reports"`
	Groups  []Kin     `json:"groups"`
}

// A Row is one report of it.
type Row struct {
	Source    string           `json:"source"`
	Title     string           `json:"title"`
	Case      string           `json:"case,omitempty"`
	Verdict   casefile.Verdict `json:"verdict,omitempty"`
	Reason    string           `json:"reason"`
	Aside     bool             `json:"set_aside,omitempty"`
	Component string           `json:"component,omitempty"`
	Created   time.Time        `json:"created,omitzero"`
	Closed    bool             `json:"closed,omitempty"`
	Changed   string           `json:"changed,omitempty"` // since when, and by what, in a sentence
	Closing   bool             `json:"can_be_closed,omitempty"`
	Program   string           `json:"program,omitempty"` // the smallest that shows it
	From      string           `json:"program_from,omitempty"`
}

// Kin are reports that seem to be about the same bug.
type Kin struct {
	Why     string   `json:"why"`
	Sources []string `json:"sources"`
}

// Rowed is the row of a case.
func Rowed(source string, c casefile.Case) Row {
	verdict, reason := c.Verdict()
	r := Row{Source: source, Title: c.Report.Title, Case: c.ID(), Verdict: verdict, Reason: reason,
		Created: c.Report.Created, Closed: c.Report.State == bug.Closed}
	if c.Why != nil {
		r.Component = c.Why.Component
	}
	if c.When != nil {
		r.Changed = c.When.Words()
		if s, ok := c.When.Culprit(); ok && s.Pull != 0 {
			r.Changed = fmt.Sprintf("%s By #%d.", r.Changed, s.Pull)
		}
		_, _, exact := c.When.Exact()
		r.Closing = verdict == casefile.Fixed && exact && !r.Closed
	}
	if c.Small != nil && c.Small.Verified {
		r.Program, r.From = c.Small.Program, c.SmallFrom
	}
	return r
}

// count is how many rows have each value, the most frequent first.
func count(rows []Row, of func(Row) string) (names []string, n map[string]int) {
	n = map[string]int{}
	for _, r := range rows {
		if k := of(r); k != "" {
			n[k]++
		}
	}
	for k := range n {
		names = append(names, k)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b)) })
	return names, n
}

// shown is how many reports a list has at most that people read.
const shown = 50

// Markdown says it in words.
func (b Backlog) Markdown() string {
	d := &draft{}
	fmt.Fprintf(d, "# Backlog: %s\n\n%s, %s", strings.Join(b.Sources, ", "), bug.Count(len(b.Rows), "report"),
		b.Made.UTC().Format("2006-01-02"))
	if b.ToGo > 0 {
		fmt.Fprintf(d, "; %d more to go", b.ToGo)
	}
	d.own(".\n\n| reports | verdict |\n|---:|---|\n")
	names, n := count(b.Rows, func(r Row) string {
		if r.Aside {
			return "set aside"
		}
		return string(r.Verdict)
	})
	for _, v := range names {
		d.row(fmt.Sprint(n[v]), v)
	}
	if names, n := count(b.Rows, func(r Row) string { return r.Component }); len(names) > 0 {
		d.own("\n| reports | component |\n|---:|---|\n")
		for _, v := range names {
			d.row(fmt.Sprint(n[v]), v)
		}
	}
	b.list(d, "Can be closed, with evidence", func(r Row) (string, bool) { return r.Changed, r.Closing })
	b.groups(d)
	b.oldest(d)
	b.programs(d)
	b.list(d, "Set aside", func(r Row) (string, bool) { return r.Reason, r.Aside })
	return d.String()
}

// list writes the reports for which what has something to say.
func (b Backlog) list(d *draft, title string, what func(Row) (string, bool)) {
	n := 0
	for _, r := range b.Rows {
		text, ok := what(r)
		if !ok {
			continue
		}
		if n++; n == 1 {
			d.own("\n## " + title + "\n\n| report | title | |\n|---|---|---|\n")
		}
		if n <= shown {
			d.row(r.Source, bug.Short(bug.Squeeze(r.Title), 80), bug.Short(bug.Squeeze(text), 200))
		}
	}
	more(d, n)
}

func more(d *draft, n int) {
	if n > shown {
		fmt.Fprintf(d, "\nand %d more.\n", n-shown)
	}
}

func (b Backlog) groups(d *draft) {
	if len(b.Groups) == 0 {
		return
	}
	d.own("\n## Probably the same bug\n\n| reports | in common |\n|---|---|\n")
	for i, g := range b.Groups {
		if i < shown {
			d.row(bug.Short(strings.Join(g.Sources, ", "), 300), bug.Short(g.Why, 120))
		}
	}
	more(d, len(b.Groups))
}

// oldest writes which reports have waited longest for a bug that is still there.
func (b Backlog) oldest(d *draft) {
	open := slices.DeleteFunc(slices.Clone(b.Rows), func(r Row) bool {
		return r.Created.IsZero() || r.Closed || r.Verdict != casefile.Reproduces && r.Verdict != casefile.Flaky
	})
	slices.SortStableFunc(open, func(x, y Row) int { return x.Created.Compare(y.Created) })
	if len(open) == 0 {
		return
	}
	d.own("\n## Oldest that still fail\n\n| since | report | title |\n|---|---|---|\n")
	for i, r := range open {
		if i < shown {
			d.row(r.Created.UTC().Format(time.DateOnly), r.Source, bug.Short(bug.Squeeze(r.Title), 80))
		}
	}
	more(d, len(open))
}

// programs writes the smallest programs, the shortest first.
func (b Backlog) programs(d *draft) {
	some := slices.DeleteFunc(slices.Clone(b.Rows), func(r Row) bool { return r.Program == "" || r.From != "" })
	slices.SortStableFunc(some, func(x, y Row) int { return cmp.Compare(len(x.Program), len(y.Program)) })
	if len(some) == 0 {
		return
	}
	d.own("\n## Smallest programs\n")
	for i, r := range some {
		if i < shown {
			fmt.Fprintf(d, "\n%s, %s:\n\n", r.Source, r.Verdict)
			d.fence("python", r.Program)
		}
	}
	more(d, len(some))
}

// HTML is one page that needs nothing from anywhere else.
func (b Backlog) HTML() ([]byte, error) {
	var body bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.Table)).Convert([]byte(b.Markdown()), &body); err != nil {
		return nil, err
	}
	return fill("Backlog", body.String()), nil
}

// CSV is one line a report.
func (b Backlog) CSV() (string, error) {
	var out strings.Builder
	w := csv.NewWriter(&out)
	rows := [][]string{{"source", "title", "case", "verdict", "component", "created", "changed", "can_be_closed", "lines",
		"reason"}}
	for _, r := range b.Rows {
		verdict := string(r.Verdict)
		if r.Aside {
			verdict = "set aside"
		}
		created := ""
		if !r.Created.IsZero() {
			created = r.Created.UTC().Format(time.RFC3339)
		}
		rows = append(rows, []string{cell(r.Source), cell(r.Title), r.Case, verdict, cell(r.Component), created,
			cell(r.Changed), fmt.Sprint(r.Closing), fmt.Sprint(strings.Count(r.Program, "\n")), cell(r.Reason)})
	}
	err := w.WriteAll(rows)
	return out.String(), err
}

// cell is a stranger's text for a table: no program takes it for a formula.
func cell(text string) string {
	text = bug.Squeeze(Clean(text))
	if text != "" && strings.ContainsRune("=+-@\t", rune(text[0])) {
		return "'" + text
	}
	return text
}
