package minimize

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/reduce"
)

// useless sorts out, without a run, what cannot be read, what uses names that
// it gives no meaning, and what has lost a line that is to stay.
func (o *holder) useless(ctx context.Context, all []bug.Files) ([]string, error) {
	texts := make([]string, len(all))
	for i, f := range all {
		texts[i] = f[bug.Script]
	}
	trees, err := o.trees(ctx, texts, true)
	if err != nil {
		return nil, err
	}
	why := make([]string, len(all))
	for i, t := range trees {
		open := slices.IndexFunc(t.Unbound, func(n string) bool { return !slices.Contains(o.fresh, n) })
		switch {
		case t.Broken != "":
			why[i] = "cannot be read: " + t.Broken
		case open >= 0 && o.symptom.Class != "NameError":
			why[i] = fmt.Sprintf("uses %s, which is not defined", t.Unbound[open])
		default:
			why[i] = o.dishonest(texts[i])
		}
	}
	return why, o.review(ctx, texts, why)
}

// dishonest says what a candidate lacks that must stay, or which answer is
// written into it.
func (o *holder) dishonest(text string) string {
	flat := bug.Squeeze(text)
	for _, k := range o.keep {
		if !strings.Contains(flat, k) {
			return "lacks a line that must be kept: " + k
		}
	}
	for _, l := range o.literals {
		if countWord(text, l) > countWord(o.text, l) {
			return "contains the wrong value as a constant: " + l
		}
	}
	return ""
}

func countWord(text, word string) int {
	n := 0
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return n
		}
		from, to := at+i, at+i+len(word)
		if !partOfWord(text, from-1) && !partOfWord(text, to) {
			n++
		}
		at = to
	}
}

// partOfWord reports whether the byte at a place goes on with a word or number.
func partOfWord(text string, at int) bool {
	return at >= 0 && at < len(text) && (text[at] == '.' || reduce.InWord(text[at]))
}
