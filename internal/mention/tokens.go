package mention

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	form    = regexp.MustCompile(`[A-Za-z_]\w*|\d+\.\d+(?:e[-+]?\d+)?|\d+|[^\s\w]`)
	address = regexp.MustCompile(`0x[0-9a-fA-F]{4,}`)
	decimal = regexp.MustCompile(`^\d+\.\d+`)
)

// Tokens are the words, numbers and signs of a text, without quotes, addresses
// and the last digits of numbers.
func Tokens(s string) []string {
	s = strings.NewReplacer(`\n`, "\n", "...", " … ").Replace(address.ReplaceAllString(s, "ADDRESS"))
	var all []string
	for _, t := range form.FindAllString(s, -1) {
		if t == "'" || t == `"` || t == "`" {
			continue
		}
		if decimal.MatchString(t) {
			if f, err := strconv.ParseFloat(t, 64); err == nil {
				t = strconv.FormatFloat(f, 'g', 5, 64)
			}
		}
		all = append(all, t)
	}
	return all
}

const elided = "…"

// cover is how much of want stands in u in its order: 1 if without a gap.
func cover(want []string, u unit) float64 {
	if len(want) == 0 {
		return 0
	}
	if strings.Contains(u.joined, " "+strings.Join(want, " ")+" ") {
		return 1
	}
	if len(want) < 4 || len(u.tokens) < 3 {
		return 0
	}
	a, b := without(want[:min(300, len(want))]), without(u.tokens[:min(600, len(u.tokens))])
	common := map[string]bool{}
	for _, t := range b {
		common[t] = true
	}
	n := 0
	for _, t := range a {
		if common[t] {
			n++
		}
	}
	if len(a) == 0 || 2*n < len(a) {
		return 0
	}
	return min(0.99, float64(runs(a, b))/float64(len(a)))
}

func without(all []string) []string {
	var kept []string
	for _, t := range all {
		if t != elided {
			kept = append(kept, t)
		}
	}
	return kept
}

// runs is how many tokens of a stand in b in the same order, in runs of two and
// more where a is long.
func runs(a, b []string) int {
	least := 2
	if len(a) < 8 {
		least = 1
	}
	i, j, size := longest(a, b)
	if size < least {
		return 0
	}
	return size + runs(a[:i], b[:j]) + runs(a[i+size:], b[j+size:])
}

// longest is the longest run that a and b share.
func longest(a, b []string) (i, j, size int) {
	row := make([]int, len(b)+1)
	for x := range a {
		diagonal := 0
		for y := range b {
			above := row[y+1]
			if a[x] == b[y] {
				row[y+1] = diagonal + 1
				if row[y+1] > size {
					i, j, size = x-diagonal, y-diagonal, diagonal+1
				}
			} else {
				row[y+1] = 0
			}
			diagonal = above
		}
	}
	return i, j, size
}
