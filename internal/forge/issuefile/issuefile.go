// Package issuefile reads an issue from a file: Markdown with optional
// front matter, or the JSON that "gh issue view N --json …" prints.
package issuefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"scrub/internal/bug"
)

// MaxSize is how large a report may be. Forges cut a post at 64 KiB; a file
// beyond this is something else.
const MaxSize = 16 << 20

// Read reads an issue from r. The name is only used to speak of it.
func Read(name string, r io.Reader) (bug.Report, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err != nil {
		return bug.Report{}, fmt.Errorf("%s: %w", name, err)
	}
	report, err := Parse(data)
	if err != nil {
		return bug.Report{}, fmt.Errorf("%s: %w", name, err)
	}
	return report, nil
}

// Parse reads an issue from the bytes of a file.
func Parse(data []byte) (bug.Report, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	text := bytes.TrimSpace(data)
	switch {
	case len(data) > MaxSize:
		return bug.Report{}, fmt.Errorf("larger than the %d MiB that a report can have", MaxSize>>20)
	case len(text) == 0:
		return bug.Report{}, errors.New("empty: want Markdown, or the JSON of gh issue view")
	case bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data):
		return bug.Report{}, errors.New("not text: want Markdown, or the JSON of gh issue view")
	case text[0] == '{' || text[0] == '[':
		return parseJSON(data)
	}
	return parseMarkdown(string(data))
}
