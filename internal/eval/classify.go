package eval

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/scrub-dev/scrub/internal/classify"
	"github.com/scrub-dev/scrub/internal/profile"
)

// A Pasted is a row of a data set of issues, with what was pasted into it.
type Pasted struct {
	Repo   string   `json:"repo"`
	Number int      `json:"number"`
	Text   string   `json:"text"`
	Blocks []string `json:"code_blocks"`
}

// complaint is how a log looks in which something goes wrong.
var complaint = regexp.MustCompile(`(?m)^(?:[\w.]*(?:Error|Exception|Exit|Interrupt|Unsupported|Failed))(?::|$)|` +
	`Segmentation fault|core dumped|terminate called|CUDA error|error:|undefined reference|undefined symbol|` +
	`INTERNAL ASSERT|Traceback`)

// log is the part of p that complains: its blocks, or all of its text.
func (p Pasted) log() string {
	blocks := slices.DeleteFunc(slices.Clone(p.Blocks), func(b string) bool { return !complaint.MatchString(b) })
	if len(blocks) > 0 {
		return strings.Join(blocks, "\n")
	}
	if complaint.MatchString(p.Text) {
		return p.Text
	}
	return ""
}

// A Kind is what a careful reader called one log.
type Kind struct {
	Category, Component string
	Or                  []string // what can be defended as well
}

// Kinds reads a table of labels: number, category, component, or, words.
func Kinds(table io.Reader) (map[int]Kind, error) {
	all := map[int]Kind{}
	lines := bufio.NewScanner(table)
	for n := 1; lines.Scan(); n++ {
		f := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(f[0], "#") {
			continue
		}
		number, err := strconv.Atoi(f[0])
		if err != nil || len(f) < 4 {
			return nil, fmt.Errorf("line %d: want number, category, component, or and words", n)
		}
		all[number] = Kind{Category: f[1], Component: f[2], Or: strings.Split(f[3], ",")}
	}
	return all, lines.Err()
}

// Classes counts how often kind and component were named as the labels say.
type Classes struct{ Logs, Category, Component, Both int }

// Classify compares what the profiles say with labels, and lists every difference.
func Classify(data io.Reader, labels map[int]Kind, classes func(log, profile string) (classify.Class, error),
	out io.Writer) (Classes, error) {
	var s Classes
	err := eachLine(data, func(row Pasted) error {
		want, ok := labels[row.Number]
		if !ok || want.Category == "none" {
			return nil
		}
		p, err := profile.ForRepo(row.Repo)
		if err != nil {
			return err
		}
		got, err := classes(row.log(), p.Name)
		if err != nil {
			return err
		}
		s.Logs++
		category := got.Category == want.Category || slices.Contains(want.Or, got.Category)
		component := got.Component == want.Component || slices.Contains(want.Or, got.Component)
		s.Category += count(category)
		s.Component += count(component)
		s.Both += count(category && component)
		if !category || !component {
			fmt.Fprintf(out, "%d\twant %s, %s\tgot %s (%s), %s\t%s\n", row.Number, want.Category, want.Component,
				got.Category, got.Rule, got.Component, got.Evidence)
		}
		return nil
	})
	return s, err
}

func (s Classes) String() string {
	return fmt.Sprintf("%d logs: category right %d (%.1f %%), component %d (%.1f %%), both %d (%.1f %%)\n",
		s.Logs, s.Category, share(s.Category, s.Logs), s.Component, share(s.Component, s.Logs), s.Both, share(s.Both,
			s.Logs))
}
