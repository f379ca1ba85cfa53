package runtimes

import (
	"strconv"
	"strings"
)

// compare orders interpreter versions such as 3.9.18 and 3.13.0rc2.
func compare(a, b string) int {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(as), len(bs)) {
		if d := leading(as[i]) - leading(bs[i]); d != 0 {
			return d
		}
	}
	return len(as) - len(bs)
}

func leading(s string) int {
	end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(s)
	}
	n, _ := strconv.Atoi(s[:end]) // nothing there counts as nothing
	return n
}
