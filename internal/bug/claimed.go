package bug

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Hole stands in the form of what a print statement prints for what is only known when it runs.
const Hole = "\x00"

var (
	figure  = regexp.MustCompile(`[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|\b(?:nan|inf|NaN|Inf|infinity))j?\b`)
	truth   = regexp.MustCompile(`\b(?:True|False)\b`)
	several = regexp.MustCompile(`N(?:,? N)+`)
	spelled = regexp.MustCompile(`[A-Za-z]{2,}`)
	elided  = regexp.MustCompile(`^\W*$`)
)

// shape is a line without its values: what a program prints in the same place each time.
func shape(line string) string {
	line = strings.NewReplacer("'", "", `"`, "", "`", "").Replace(unaddressed(line))
	line = figure.ReplaceAllString(truth.ReplaceAllString(line, "N"), "N")
	return several.ReplaceAllString(Squeeze(strings.NewReplacer("[", "[ ", "]", " ]").Replace(line)), "N")
}

// values are the values of a line, in their order.
func values(line string) []string {
	return regexp.MustCompile(figure.String()+"|"+truth.String()).FindAllString(unaddressed(line), -1)
}

// A Likeness is how lines that a report shows compare with those that were printed in the same places.
type Likeness struct {
	Same, Near, Other int // by their values
	Gone              int // printed by a statement that prints nothing now
	Of                int // lines that say something
}

// Alike compares what a report shows of a program's output with what it printed. Forms are those of its print
// statements.
func Alike(shown, printed string, forms []string) Likeness {
	want, have := solid(lasting(shown)), solid(lasting(printed))
	want = slices.DeleteFunc(want, func(l string) bool { return elided.MatchString(strings.Trim(l, " .…")) })
	k := Likeness{Of: len(want)}
	pairs := aligned(want, have)
	for i, l := range want {
		if j := pairs[i]; j >= 0 {
			switch worst := compared(values(l), values(have[j])); {
			case worst == 0:
				k.Same++
			case worst == 1:
				k.Near++
			default:
				k.Other++
			}
			continue
		}
		if f := formOf(l, forms); f != nil && !slices.ContainsFunc(have, f.MatchString) {
			k.Gone++
		}
	}
	return k
}

// Answer is whether what is shown is what was printed: Unknown unless most of it stands in the same places.
func (k Likeness) Answer() Answer {
	placed := k.Same + k.Near + k.Other + k.Gone
	switch {
	case placed == 0, 10*placed < 6*k.Of:
		return Unknown
	case k.Other+k.Gone > 0:
		return No
	}
	return Yes
}

// aligned pairs lines of the same shape, in order, as many as there can be; -1 for none.
func aligned(want, have []string) []int {
	a, b := make([]string, len(want)), make([]string, len(have))
	for i, l := range want {
		a[i] = shape(l)
	}
	for i, l := range have {
		b[i] = shape(l)
	}
	most := make([][]int, len(a)+1)
	for i := range most {
		most[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			most[i][j] = max(most[i+1][j], most[i][j+1])
			if fits(a[i], b[j]) {
				most[i][j] = max(most[i][j], 1+most[i+1][j+1])
			}
		}
	}
	pairs := make([]int, len(a))
	for i, j := 0, 0; i < len(a); i++ {
		pairs[i] = -1
		for ; j < len(b) && most[i][j] > most[i+1][j]; j++ {
			if fits(a[i], b[j]) && most[i][j] == 1+most[i+1][j+1] {
				pairs[i] = j
				j++
				break
			}
		}
	}
	return pairs
}

// fits reports whether a line that is shown has the shape of one that was printed: people add remarks behind it.
func fits(shown, printed string) bool {
	return shown == printed || spelled.MatchString(printed) && strings.HasPrefix(shown, printed+" ")
}

// compared is how far values are from each other: 0 for the same, 1 for about as much, 2 for others.
func compared(a, b []string) (worst int) {
	if len(a) < len(b) || len(a) > len(b) && len(b) == 0 {
		return 2
	}
	for i := range b {
		x, errX := strconv.ParseFloat(strings.TrimSuffix(a[i], "j"), 64)
		y, errY := strconv.ParseFloat(strings.TrimSuffix(b[i], "j"), 64)
		switch {
		case a[i] == b[i]:
		case errX != nil || errY != nil:
			if !strings.EqualFold(a[i], b[i]) {
				return 2
			}
		case math.IsNaN(x) && math.IsNaN(y), x == y, math.Abs(x-y) <= 1e-3*math.Max(math.Abs(x), math.Abs(y)):
		case whole(a[i]) || whole(b[i]) || x == 0 || y == 0 || x*y < 0 || !(math.Abs(x/y) < 10 && math.Abs(y/x) < 10):
			return 2
		default:
			worst = 1
		}
	}
	return worst
}

// whole reports whether a value is a count, and not measured.
func whole(s string) bool { return !strings.ContainsAny(s, ".eE") }

// formOf finds the print statement whose words a line has; nil for none.
func formOf(line string, forms []string) *regexp.Regexp {
	for _, f := range forms {
		var parts []string
		for p := range strings.SplitSeq(f, Hole) {
			parts = append(parts, regexp.QuoteMeta(p))
		}
		if re := regexp.MustCompile(
			"^" + strings.Join(parts, ".*") + "$",
		); worded(f) &&
			re.MatchString(strings.TrimSpace(line)) {
			return re
		}
	}
	return nil
}

// worded reports whether a form has words of its own by which what it prints can be known.
func worded(form string) bool {
	n := 0
	for _, w := range spelled.FindAllString(form, -1) {
		n += len(w)
	}
	return n >= 4
}

// Steady is what a report shows without lines that are printed with other values each time.
func Steady(shown string, all []Outcome) string {
	var kept []string
	lines := solid(shown)
	for i, line := range lines {
		steady := true
		first := ""
		for n, o := range all {
			have := solid(o.Stdout)
			at := aligned(lines, have)[i]
			switch {
			case at < 0:
			case n == 0:
				first = have[at]
			case first != "" && compared(values(first), values(have[at])) > 0:
				steady = false
			}
		}
		if steady {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// among looks for values that a sentence names: what comes, and what should come.
func (s Symptom) among(o Outcome) Answer {
	if o.Failed() {
		return Unknown
	}
	has := func(value string) bool {
		return value != "" && slices.ContainsFunc(values(o.Stdout), func(v string) bool {
			return compared([]string{v}, []string{value}) == 0
		})
	}
	switch got, wanted := has(s.Output), has(s.Wanted); {
	case got == wanted:
		return Unknown
	case got:
		return Yes
	}
	return No
}

// Values are the numbers and truth values that stand in a text.
func Values(text string) []string { return values(text) }
