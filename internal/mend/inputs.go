package mend

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scrub-dev/scrub/internal/bug"
)

// Inputs are lines that give a program what it was started with: arguments, its
// standard input, and files beside it. With these it stands on its own.
func Inputs(args []string, stdin *string, files bug.Files) []Mend {
	var all []Mend
	if len(args) > 0 {
		var quoted []string
		for _, a := range args {
			quoted = append(quoted, quote(a))
		}
		all = append(all, Mend{"arguments", fmt.Sprintf("import sys; sys.argv[1:] = [%s]", strings.Join(quoted, ", "))})
	}
	if stdin != nil {
		all = append(all, Mend{"standard input", fmt.Sprintf("import io, sys; sys.stdin = io.TextIOWrapper(io.BytesIO(%s))",
			bytes(*stdin))})
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		content := quote(files[name])
		if !utf8.ValidString(files[name]) || strings.ContainsRune(files[name], 0) {
			content = bytes(files[name])
		}
		all = append(all, Mend{"file beside it", line(path.Clean(name), content)})
	}
	return all
}

// quote is Python's literal for a text.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// bytes is Python's literal for bytes.
func bytes(s string) string {
	var b strings.Builder
	b.WriteString(`b"`)
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
