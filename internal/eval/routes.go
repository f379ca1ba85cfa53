package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/classify"
	"github.com/scrub-dev/scrub/internal/profile"
)

// A Labelled is an issue with the labels that people gave it, in one text.
type Labelled struct {
	Repo   string   `json:"repo"`
	Number int      `json:"number"`
	Title  string   `json:"title"`
	Labels string   `json:"labels"`
	Text   string   `json:"text"`
	Blocks []string `json:"code_blocks"`
}

// area is where the name of an area begins in a text of labels.
var area = regexp.MustCompile(`(?:module|oncall): |\bcaffe2\b`)

// areas are the labels that say whose an issue is, cut where the next one begins.
func (l Labelled) areas() []string {
	var all []string
	at := area.FindAllStringIndex(l.Labels, -1)
	for i, one := range at {
		end := len(l.Labels)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		all = append(all, strings.TrimSpace(l.Labels[one[0]:end]))
	}
	return all
}

// has reports whether the issue has a label, which may be followed by others that name no area.
func (l Labelled) has(label string) bool {
	return slices.ContainsFunc(l.areas(), func(a string) bool { return a == label || strings.HasPrefix(a, label+" ") })
}

// Routes compares the labels that reports speak for with those that people gave.
func Routes(data io.Reader, of func(repo string) (profile.Profile, error), out io.Writer) error {
	var issues, proposed, right, wanted, found int
	for d := json.NewDecoder(data); ; {
		var row Labelled
		err := d.Decode(&row)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		areas := row.areas()
		if len(areas) == 0 {
			continue
		}
		issues++
		text := strings.Join(row.Blocks, "\n")
		if text == "" {
			text = row.Text
		}
		p, err := of(row.Repo)
		if err != nil {
			return err
		}
		routes, err := classify.Routes(p, row.Title, []string{row.Text}, text)
		if err != nil {
			return err
		}
		for _, r := range routes {
			proposed++
			if row.has(r.Label) {
				right++
			} else {
				fmt.Fprintf(out, "more\t%d\t%s\t%s\t%s\n", row.Number, r.Label, row.Labels, r.Evidence)
			}
		}
		wanted += len(areas)
		for _, a := range areas {
			if slices.ContainsFunc(routes, func(r classify.Routed) bool {
				return a == r.Label || strings.HasPrefix(a, r.Label+" ")
			}) {
				found++
			}
		}
	}
	_, err := fmt.Fprintf(out, "%d issues with an area; of %d labels proposed, people gave %d; of %d that people gave, "+
		"%d proposed\n", issues, proposed, right, wanted, found)
	return err
}
