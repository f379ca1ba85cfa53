// Package textpass is what can be cut out of any text, whatever its language.
package textpass

import (
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/scrub-dev/scrub/internal/reduce"
)

// All are the passes for any text: they know lines, brackets, strings and
// commas, and no language.
var All = slices.Concat(
	reduce.Tier(0, Lines, Insides),
	reduce.Tier(1, Groups, Between, Hollow, Words),
	reduce.Tier(2, Digits, Blanks),
)

// A source is one file.
type source struct{ file, text string }

// edit is one change of the file.
func (s source) edit(start, end int, with string) reduce.Change {
	return reduce.Change{File: s.file, Start: start, End: end, With: with}
}

// text makes a pass of what can be proposed for one file of any kind.
func text(name string, propose func(source, func(reduce.Edit) bool) bool) reduce.Pass {
	return reduce.Pass{Name: name, Propose: func(p reduce.Program) iter.Seq[reduce.Edit] {
		return func(yield func(reduce.Edit) bool) {
			for _, file := range slices.Sorted(maps.Keys(p.Files)) {
				if !propose(source{file: file, text: p.Files[file]}, yield) {
					return
				}
			}
		}
	}}
}

// Lines takes away lines: many at once first, from the end.
var Lines = text("lines", func(s source, yield func(reduce.Edit) bool) bool {
	starts := []int{0}
	for i := range s.text {
		if s.text[i] == '\n' && i+1 < len(s.text) {
			starts = append(starts, i+1)
		}
	}
	starts = append(starts, len(s.text))
	n := len(starts) - 1
	for size := n; size >= 1; size = (size + 1) / 2 {
		for to := n; to > 0; to -= size {
			if !yield(reduce.Edit{s.edit(starts[max(0, to-size)], starts[to], "")}) {
				return false
			}
		}
		if size == 1 {
			return true
		}
	}
	return true
})

var word = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\pL\pN_]+|[^\s\pL\pN_]`)

// A piece is a word or a sign of a text.
type piece struct {
	start, end int
	mate       int // for a bracket, where its other half is; -1 for none
}

func (s source) pieces() []piece {
	var all []piece
	var open []int
	for _, at := range word.FindAllStringIndex(s.text, -1) {
		p := piece{at[0], at[1], -1}
		switch w := s.text[at[0]:at[1]]; w {
		case "(", "[", "{":
			open = append(open, len(all))
		case ")", "]", "}":
			if n := len(open); n > 0 {
				p.mate = open[n-1]
				all[p.mate].mate = len(all)
				open = open[:n-1]
			}
		}
		all = append(all, p)
	}
	return all
}

// Insides takes away what stands between brackets.
var Insides = text("what is in brackets", func(s source, yield func(reduce.Edit) bool) bool {
	all := s.pieces()
	for i, p := range all {
		if p.mate > i+1 && !yield(reduce.Edit{s.edit(p.end, all[p.mate].start, "")}) {
			return false
		}
	}
	return true
})

// Groups takes away brackets with what is in them, and the word before them.
var Groups = text("brackets", func(s source, yield func(reduce.Edit) bool) bool {
	all := s.pieces()
	for i, p := range all {
		if p.mate <= i {
			continue
		}
		end := all[p.mate].end
		if !yield(reduce.Edit{s.edit(p.start, end, "")}) || i > 0 &&
			!yield(reduce.Edit{s.edit(all[i-1].start, end, "")}) {
			return false
		}
	}
	return true
})

// Between takes away what stands between commas and semicolons.
var Between = text("items of lists", func(s source, yield func(reduce.Edit) bool) bool {
	all := s.pieces()
	last, depth := map[int]int{0: 0}, 0
	for i, p := range all {
		switch w := s.text[p.start:p.end]; {
		case strings.Contains("([{", w):
			depth++
			last[depth] = p.end
		case strings.Contains(")]}", w):
			if from := last[depth]; s.text[max(0, from-1):from] == "," &&
				!yield(reduce.Edit{s.edit(from-1, p.start, "")}) {
				return false
			}
			depth = max(0, depth-1)
		case w == "," || w == ";":
			if !yield(reduce.Edit{s.edit(last[depth], p.end, "")}) {
				return false
			}
			last[depth] = p.end
		case i == len(all)-1 && !yield(reduce.Edit{s.edit(last[depth], p.end, "")}):
			return false
		}
	}
	return true
})

// many is how many items make a list long.
const many = 64

// Long takes away halves of long lists, then quarters, and so on: it needs no tree, which of much data is larger
// than the data.
var Long = text("halves of long lists", func(s source, yield func(reduce.Edit) bool) bool {
	for _, items := range s.lists() {
		for size := len(items) / 2; size >= many/4; size /= 2 {
			for from := 0; from < len(items); from += size {
				to := min(from+size, len(items))
				if !yield(reduce.Edit{s.edit(items[from][0], items[to-1][1], "")}) {
					return false
				}
			}
		}
	}
	return true
})

// lists are where the items of long lists stand, with the comma behind each, the longest list first.
func (s source) lists() [][][2]int {
	var long [][][2]int
	var open [][][2]int // by depth
	var starts []int
	for _, p := range s.pieces() {
		switch w := s.text[p.start:p.end]; {
		case strings.Contains("([{", w):
			open, starts = append(open, nil), append(starts, p.end)
		case strings.Contains(")]}", w) && len(open) > 0:
			if last := len(open) - 1; len(open[last]) >= many {
				long = append(long, open[last])
			}
			open, starts = open[:len(open)-1], starts[:len(starts)-1]
		case w == "," && len(open) > 0:
			last := len(open) - 1
			open[last] = append(open[last], [2]int{starts[last], p.end})
			starts[last] = p.end
		}
	}
	slices.SortStableFunc(long, func(a, b [][2]int) int { return len(b) - len(a) })
	return long
}

// Hollow takes brackets away around what is in them, with the word before them or without.
var Hollow = text("brackets around things", func(s source, yield func(reduce.Edit) bool) bool {
	all := s.pieces()
	for i, p := range all {
		if p.mate <= i {
			continue
		}
		close := s.edit(all[p.mate].start, all[p.mate].end, "")
		if i > 0 && !yield(reduce.Edit{s.edit(all[i-1].start, p.end, ""), close}) ||
			!yield(reduce.Edit{s.edit(p.start, p.end, ""), close}) {
			return false
		}
	}
	return true
})

// Words takes away a few words and signs in a row.
var Words = text("words", func(s source, yield func(reduce.Edit) bool) bool {
	all := s.pieces()
	for _, size := range []int{8, 4, 3, 2, 1} {
		for to := len(all); to >= size; to -= max(1, size/2) {
			if !yield(reduce.Edit{s.edit(all[to-size].start, all[to-1].end, "")}) {
				return false
			}
		}
	}
	return true
})

var blank = regexp.MustCompile(`\s+`)

// Blanks takes away white space that nobody needs.
var Blanks = text("white space", func(s source, yield func(reduce.Edit) bool) bool {
	var all []reduce.Edit
	for _, at := range blank.FindAllStringIndex(s.text, -1) {
		if at[1] == len(s.text) && s.text[at[1]-1] == '\n' {
			at[1]-- // a text ends with its line
		}
		if at[0] == at[1] {
			continue
		}
		// A sign needs no space around it; words do.
		if at[0] == 0 || at[1] == len(s.text) || !reduce.InWord(s.text[at[0]-1]) || !reduce.InWord(s.text[at[1]]) {
			all = append(all, reduce.Edit{s.edit(at[0], at[1], "")})
		} else if at[1]-at[0] > 1 {
			all = append(all, reduce.Edit{s.edit(at[0]+1, at[1], "")})
		}
	}
	return reduce.Halves(all, yield)
})

// Digits makes whole numbers smaller.
var Digits = text("whole numbers", func(s source, yield func(reduce.Edit) bool) bool {
	for _, p := range s.pieces() {
		n, err := strconv.Atoi(s.text[p.start:p.end])
		if err != nil || n < 2 {
			continue
		}
		for _, w := range []int{1, n / 2} {
			if w < n && !yield(reduce.Edit{s.edit(p.start, p.end, strconv.Itoa(w))}) {
				return false
			}
		}
	}
	return true
})
