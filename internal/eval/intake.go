// Package eval measures scrub on reports whose truth, or somebody else's
// reading of them, is known. It is for developers; the data is read by path.
package eval

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/fanout"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/triage"
)

// A Row is one report of a data set and what another extractor read in it.
type Row struct {
	ID   string `json:"id"`
	Repo string `json:"repo"`
	Text string `json:"issue_text"`
	Weak *Weak  `json:"weak"`
}

// Weak is what another extractor found. It is no truth: where scrub differs,
// somebody has to look.
type Weak struct {
	Programs  int       `json:"python_blocks"`
	Prompted  bool      `json:"prompted"`
	Parses    bool      `json:"parses"`
	Versions  []string  `json:"versions"`
	Traceback bool      `json:"traceback"`
	Exception []*string `json:"exception"` // class and message
}

// A Tally counts where the two readings agree, by field.
type Tally struct {
	Reports int
	Agree   map[string]int
	Differ  map[string]int
	Right   map[string]map[string]int // of those that differ, by field: who is right
	Wrong   map[string]bool           // reports in which scrub is wrong, or nobody has looked
	scores  Scores
}

func newTally() Tally {
	return Tally{Agree: map[string]int{}, Differ: map[string]int{}, Right: map[string]map[string]int{},
		Wrong: map[string]bool{}}
}

// Scores say who is right where two readings differ: "scrub", "other",
// "both" or "neither", by the field, the report and what scrub read in it.
type Scores map[[3]string]string

// ReadScores reads a table of field, report, who, digest of what scrub read,
// and why, with tabs between them.
func ReadScores(table io.Reader) (Scores, error) {
	all := Scores{}
	lines := bufio.NewScanner(table)
	for n := 1; lines.Scan(); n++ {
		f := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(f[0], "#") {
			continue
		}
		if len(f) < 4 {
			return nil, fmt.Errorf("line %d: want field, report, who, digest and why", n)
		}
		all[[3]string{f[0], f[1], f[3]}] = f[2]
	}
	return all, lines.Err()
}

func (t *Tally) who(field, id, ours string) string {
	who, ok := t.scores[[3]string{field, id, bug.Digest(ours)[:8]}]
	if !ok {
		who = "unscored"
	}
	if t.Right[field] == nil {
		t.Right[field] = map[string]int{}
	}
	t.Right[field][who]++
	if who != "scrub" && who != "both" {
		t.Wrong[id] = true
	}
	return who
}

// atOnce shows f the rows of data, some at a time.
func atOnce[T any](data io.Reader, workers int, f func(T)) error {
	var rows []T
	err := eachLine(data, func(row T) error {
		rows = append(rows, row)
		return nil
	})
	fanout.Each(len(rows), workers, func(i int) error {
		f(rows[i])
		return nil
	})
	return err
}

// eachLine decodes data, one JSON object a line.
func eachLine[T any](data io.Reader, f func(T) error) error {
	lines := bufio.NewReaderSize(data, 1<<20)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var row T
			if err := json.Unmarshal(line, &row); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
			if err := f(row); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Parses reports whether a text is a program that Python can read.
type Parses func(text string) (bool, error)

// Intake reads reports from data and writes every difference between what
// scrub and the other extractor read in them to out.
func Intake(data io.Reader, scores Scores, parses Parses, out io.Writer) (Tally, error) {
	t := newTally()
	t.scores = scores
	err := eachLine(data, func(r Row) error {
		if r.Weak == nil {
			return errors.New("no reading to compare with")
		}
		return t.compare(r, parses, out)
	})
	return t, err
}

func (t *Tally) compare(r Row, parses Parses, out io.Writer) error {
	t.Reports++
	thread := intake.Read(bug.Report{Ref: bug.Ref{Repo: r.Repo}, Body: r.Text})
	weakProgram := r.Weak.Programs > 0 || r.Weak.Prompted
	t.field(out, r.ID, "program", fmt.Sprint(len(thread.Programs) > 0), fmt.Sprint(weakProgram))
	class, message := claimed(thread)
	weakClass, weakMessage := "", ""
	if len(r.Weak.Exception) > 0 && r.Weak.Exception[0] != nil {
		weakClass = *r.Weak.Exception[0]
	}
	if len(r.Weak.Exception) > 1 && r.Weak.Exception[1] != nil {
		weakMessage = *r.Weak.Exception[1]
	}
	t.field(out, r.ID, "exception", short(class), short(weakClass))
	if class != "" && weakClass != "" {
		t.field(out, r.ID, "message", prefix(message), prefix(weakMessage))
	}
	t.field(out, r.ID, "versions", numbers(thread.Versions), unique(r.Weak.Versions))
	programs := triage.Rank(generic(), thread.Programs, "")
	if len(programs) == 0 || !weakProgram {
		return nil
	}
	ok, err := parses(programs[0].Text)
	t.field(out, r.ID, "parses", fmt.Sprint(ok), fmt.Sprint(r.Weak.Parses))
	return err
}

func numbers(all []intake.Version) string {
	var n []string
	for _, v := range all {
		n = append(n, v.Is)
	}
	return unique(n)
}

func unique(all []string) string {
	all = slices.Clone(all)
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

// claimed is the exception that the report is about.
func claimed(t intake.Thread) (class, message string) {
	c, ok := t.Claim(0)
	if !ok {
		return "", ""
	}
	return c.Class, c.Message
}

func short(class string) string { return class[strings.LastIndexByte(class, '.')+1:] }

// prefix is the part of a message that two readings can be compared by.
func prefix(message string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	if r := []rune(strings.TrimSpace(line)); len(r) > 60 {
		return string(r[:60])
	}
	return strings.TrimSpace(line)
}

func (t *Tally) field(out io.Writer, id, name, ours, theirs string) {
	if ours == theirs {
		t.Agree[name]++
		return
	}
	t.Differ[name]++
	fmt.Fprintf(out, "%s\t%s\t%s right\tscrub %q\tother %q\t%s\n", name, id, t.who(name, id, ours), ours, theirs,
		bug.Digest(ours)[:8])
}
