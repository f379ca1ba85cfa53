package minimize

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/vet"
)

// review says of candidates that are worth a run, by their numbers in why, which
// of them would do what nobody has agreed to.
func (o *holder) review(ctx context.Context, texts, why []string) error {
	if o.Review == nil {
		return nil
	}
	var open []int
	var worth []string
	for i, text := range texts {
		if why[i] == "" {
			open, worth = append(open, i), append(worth, text)
		}
	}
	if len(open) == 0 {
		return nil
	}
	found, err := o.Review(ctx, worth)
	if err != nil {
		return err
	}
	for n, i := range open {
		if name := o.news(found[n], texts[i]); name != "" {
			why[i] = "would do something that was not approved: " + name
		}
	}
	return nil
}

// word is a name or a text in a program.
var word = regexp.MustCompile(`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*`)

// news names what a person must know of a candidate and did not of the program
// they agreed to. What they did agree to may be done with the words that were
// there, and no others.
func (o *holder) news(found []vet.Finding, text string) string {
	asks := false
	for _, f := range found {
		if !vet.Asks([]vet.Finding{f}) {
			continue
		}
		asks = true
		if !slices.ContainsFunc(o.agreed, func(a vet.Finding) bool {
			return a.Class == f.Class && a.Name == f.Name &&
				a.Severity == f.Severity
		}) {
			return f.Name
		}
	}
	if !asks {
		return ""
	}
	for _, w := range word.FindAllString(text, -1) {
		if w = strings.Trim(w, `"'`); !strings.Contains(o.agreedTo, w) && !strings.Contains(o.text, w) {
			return w
		}
	}
	return ""
}
