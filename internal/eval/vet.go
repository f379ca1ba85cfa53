package eval

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/mend"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/triage"
	"github.com/scrub-dev/scrub/internal/vet"
)

// Vets says what is dangerous about a program.
type Vets func(text string, p profile.Profile) ([]vet.Finding, error)

// A Caught counts samples of dangerous code, by class of what was found.
type Caught struct {
	Files, Found  int
	Marks, Lines  int // marked lines, and those with a finding where the mark points
	Out           int // files that are about something else
	Classes       map[string]int
	Programs      int // harmless ones
	Alarms        int
	Broken        int // that cannot be parsed, so that nobody is asked: they cannot run
	AlarmsByClass map[string]int
}

// NewCaught returns an empty count.
func NewCaught() *Caught { return &Caught{Classes: map[string]int{}, AlarmsByClass: map[string]int{}} }

var mark = regexp.MustCompile(`#\s*ruleid:`)

// Samples vets every sample under root and lists those in which nothing is
// found. Samples named in out are about something else. Where a folder marks
// its lines, only files with a mark count.
func (c *Caught) Samples(root fs.FS, out map[string]bool, vets Vets, w io.Writer) error {
	prof, err := profile.Load(profile.Generic)
	if err != nil {
		return err
	}
	return fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".py" || strings.Contains(name, "benign") ||
			strings.HasSuffix(name, ".fixed.py") || strings.HasPrefix(path.Base(name), "test_") {
			return err
		}
		if out[path.Base(name)] {
			c.Out++
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		found, err := vets(string(text), prof)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		c.sample(name, string(text), found, w)
		return nil
	})
}

func (c *Caught) sample(name, text string, found []vet.Finding, w io.Writer) {
	c.Files++
	if len(found) > 0 {
		c.Found++
	} else {
		fmt.Fprintf(w, "missed\t%s\n", name)
	}
	for _, f := range found {
		c.Classes[f.Class]++
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if !mark.MatchString(line) {
			continue
		}
		c.Marks++
		if slices.ContainsFunc(found, func(f vet.Finding) bool { return f.Line > i && f.Line <= i+4 }) {
			c.Lines++
		} else if i+1 < len(lines) {
			fmt.Fprintf(w, "unmarked\t%s:%d\t%.90s\n", name, i+2, strings.TrimSpace(lines[i+1]))
		}
	}
}

// A Written is a report of any of the data sets.
type Written struct {
	ID     string `json:"id"`
	Repo   string `json:"repo"`
	Number int    `json:"number"`
	Title  string `json:"title"`
	Body   string `json:"issue_text"`
	Text   string `json:"text"`
}

// Harmless vets the program that would be tried of each report in data, and
// lists those in which something is found.
func (c *Caught) Harmless(data io.Reader, vets Vets, w io.Writer) error {
	return eachLine(data, func(r Written) error {
		p, err := profile.ForRepo(r.Repo)
		if err != nil {
			return err
		}
		programs := triage.Rank(p, intake.Read(bug.Report{Title: r.Title, Body: r.Body + r.Text}).Programs, "")
		if len(programs) == 0 {
			return nil
		}
		text := programs[0].Text
		found, err := vets(text, p)
		for range 3 {
			at := slices.IndexFunc(found, func(f vet.Finding) bool { return f.Class == vet.Unreadable })
			if at < 0 || err != nil {
				break
			}
			new, m := mend.Rewritten(text, found[at].Name, p.Rewrites)
			if m == nil {
				c.Programs, c.Broken = c.Programs+1, c.Broken+1
				fmt.Fprintf(w, "broken\t%s%d\t%s\n", r.ID, r.Number, found[at].Name)
				return nil
			}
			text = new
			found, err = vets(text, p)
		}
		if err != nil {
			return err
		}
		found = slices.DeleteFunc(found, func(f vet.Finding) bool { return !vet.Asks([]vet.Finding{f}) })
		c.Programs++
		if len(found) > 0 {
			c.Alarms++
		}
		for _, f := range found {
			c.AlarmsByClass[f.Class]++
			line := strings.Split(text, "\n")[max(0, f.Line-1)]
			fmt.Fprintf(w, "alarm\t%s%d\t%s\t%s\t%.90s\n", r.ID, r.Number, f.Class, f.Name, strings.TrimSpace(line))
		}
		return nil
	})
}

// String is the count as a table.
func (c *Caught) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "dangerous: found in %d of %d files (%.1f %%); at %d of %d marked lines (%.1f %%); %d files are "+
		"about something else\n",
		c.Found, c.Files, share(c.Found, c.Files), c.Lines, c.Marks, share(c.Lines, c.Marks), c.Out)
	fmt.Fprintf(&b, "harmless: asked about %d of %d programs (%.1f %%); %d are no Python and cannot run\n", c.Alarms,
		c.Programs, share(c.Alarms, c.Programs), c.Broken)
	fmt.Fprintf(&b, "%-14s %10s %10s\n", "class", "dangerous", "harmless")
	for _, class := range slices.Sorted(maps.Keys(both(c.Classes, c.AlarmsByClass))) {
		fmt.Fprintf(&b, "%-14s %10d %10d\n", class, c.Classes[class], c.AlarmsByClass[class])
	}
	return b.String()
}

func both(a, b map[string]int) map[string]int {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func share(part, of int) float64 { return 100 * float64(part) / float64(max(of, 1)) }
