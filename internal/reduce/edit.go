package reduce

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A Change replaces the bytes of File from Start up to End by With.
type Change struct {
	File       string
	Start, End int
	With       string
}

// An Edit is a group of changes that only make sense together. They do not
// overlap.
type Edit []Change

// Apply returns files with e made to them. It leaves files alone.
func (e Edit) Apply(files bug.Files) bug.Files {
	out := maps.Clone(files)
	byEnd := slices.SortedFunc(slices.Values(e), func(a, b Change) int {
		return cmp.Or(cmp.Compare(b.Start, a.Start), cmp.Compare(b.End, a.End))
	})
	for _, c := range byEnd {
		s := out[c.File]
		out[c.File] = s[:c.Start] + c.With + s[c.End:]
	}
	return out
}

var anyWord = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// Words are the names that e writes.
func (e Edit) Words() map[string]bool {
	all := map[string]bool{}
	for _, c := range e {
		for _, w := range anyWord.FindAllString(c.With, -1) {
			all[w] = true
		}
	}
	return all
}

// Merge returns a and b as one edit of the same files. It reports false if
// they conflict or if a already does all that b would.
func Merge(a, b Edit) (Edit, bool) {
	out := slices.Clone(a)
	news := false
	for _, c := range b {
		if slices.ContainsFunc(out, func(x Change) bool { return x == c || x.covers(c) }) {
			continue
		}
		out = slices.DeleteFunc(out, c.covers)
		if slices.ContainsFunc(out, c.overlaps) {
			return nil, false
		}
		out = append(out, c)
		news = true
	}
	return out, news
}

// covers reports whether c takes away everything that x touches.
func (c Change) covers(x Change) bool {
	return c.File == x.File && c.Start <= x.Start && x.End <= c.End &&
		(c.Start < x.Start || x.End < c.End || c.With == "")
}

func (c Change) overlaps(x Change) bool {
	return c.File == x.File && (c.Start < x.End && x.Start < c.End || c.Start == x.Start && c.End == x.End)
}

func (e Edit) overlaps(f Edit) bool {
	return slices.ContainsFunc(e, func(c Change) bool { return slices.ContainsFunc(f, c.overlaps) })
}

// A Size is how large a program is. Fewer tokens are simpler; of as many, fewer
// bytes are.
type Size struct {
	Lines  int `json:"lines"` // that are not blank
	Tokens int `json:"tokens"`
	Bytes  int `json:"bytes"`
}

// SizeOf measures files.
func SizeOf(files bug.Files) Size {
	var n Size
	for _, s := range files {
		n.Bytes += len(s)
		n.Tokens += tokens(s)
		for line := range strings.Lines(s) {
			if strings.TrimSpace(line) != "" {
				n.Lines++
			}
		}
	}
	return n
}

// tokens counts words, numbers, quoted texts and signs.
func tokens(s string) int {
	n := 0
	for i := 0; i < len(s); n++ {
		switch c := s[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			n--
		case c == '"' || c == '\'':
			if end := strings.IndexAny(s[i+1:], string(c)+"\n"); end >= 0 && s[i+1+end] == c {
				i += end + 1
			}
			i++
		case InWord(c):
			for i < len(s) && (InWord(s[i]) || s[i] == '.' && '0' <= c && c <= '9') {
				i++
			}
		default:
			if i+1 < len(s) && strings.Contains("** // == <= >= != -> :=", s[i:i+2]) && s[i+1] != ' ' {
				i++
			}
			i++
		}
	}
	return n
}

// InWord reports whether a byte can be part of a word or a number.
func InWord(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// less reports whether a is simpler than b. Every edit that is kept goes
// downhill in this order, which is why a reduction ends.
func less(a, b bug.Files) bool { return lighter(a, b, SizeOf(b)) }

// lighter is less, given the size of b.
func lighter(a, b bug.Files, y Size) bool {
	x := SizeOf(a)
	return cmp.Or(cmp.Compare(x.Tokens, y.Tokens), cmp.Compare(x.Bytes, y.Bytes)) < 0 ||
		x.Tokens == y.Tokens && x.Bytes == y.Bytes && strings.Compare(flat(a), flat(b)) < 0
}

func flat(files bug.Files) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		b.WriteString(files[name])
	}
	return b.String()
}
