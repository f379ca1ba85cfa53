package mend

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

var (
	noMemory = regexp.MustCompile(`\bMemoryError\b|Unable to allocate|can't allocate memory|out of memory|std::bad_alloc`)
	// Numbers in strings, remarks, names and fractions are no sizes.
	numbers = regexp.MustCompile(`"[^"\n]*"|'[^'\n]*'|#.*|[\w.]*\d[\w.]*`)
)

// OutOfMemory reports whether a run ended for want of memory.
func OutOfMemory(o bug.Outcome) bool {
	e, ok := o.Exception()
	return o.Limit == "memory" || ok && noMemory.MatchString(e.Class+": "+e.Message)
}

// A size is no longer made smaller when it is so small.
const smallest = 16

// Smaller divides the large whole numbers of a program by eight. Equal ones
// stay equal and different ones different.
func Smaller(text string) (string, *Mend) {
	var sizes []int
	each(text, func(n int) string { sizes = append(sizes, n); return strconv.Itoa(n) })
	slices.Sort(sizes)
	small, last := map[int]int{}, 0
	for _, n := range slices.Compact(sizes) {
		last = max(n/8, smallest, last+1)
		small[n] = last
	}
	if len(small) == 0 {
		return text, nil
	}
	var told []string
	text = each(text, func(n int) string {
		if line := fmt.Sprintf("%d for %d", small[n], n); !slices.Contains(told, line) {
			told = append(told, line)
		}
		return strconv.Itoa(small[n])
	})
	return text, &Mend{"smaller sizes, since memory ran out", strings.Join(told, ", ")}
}

// each puts what f says in the place of every large whole number.
func each(text string, f func(int) string) string {
	return numbers.ReplaceAllStringFunc(text, func(s string) string {
		n, err := strconv.Atoi(strings.ReplaceAll(s, "_", ""))
		if err != nil || n <= 8*smallest {
			return s
		}
		return f(n)
	})
}
