// Package issuefile reads an issue from a file: Markdown with optional
// front matter, or the JSON that "gh issue view N --json …" prints.
package issuefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/scrub-dev/scrub/internal/bug"
)

// MaxSize is how large a report may be. Forges cut a post at 64 KiB; a file
// beyond this is something else.
const MaxSize = 16 << 20

// Text reads r, which must be text of a reasonable size. The name is only
// used to speak of it.
func Text(name string, r io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err == nil {
		err = check(data)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return string(bytes.TrimPrefix(data, []byte("\ufeff"))), nil
}

// Read reads an issue from r.
func Read(name string, r io.Reader) (bug.Report, error) {
	text, err := Text(name, r)
	if err != nil {
		return bug.Report{}, err
	}
	report, err := Parse([]byte(text))
	if err != nil {
		return bug.Report{}, fmt.Errorf("%s: %w", name, err)
	}
	return report, nil
}

// Parse reads an issue from the bytes of a file.
func Parse(data []byte) (bug.Report, error) {
	if err := check(data); err != nil {
		return bug.Report{}, err
	}
	if first := bytes.TrimSpace(data)[0]; first == '{' || first == '[' {
		return parseJSON(data)
	}
	return parseMarkdown(string(data))
}

func check(data []byte) error {
	switch {
	case len(data) > MaxSize:
		return fmt.Errorf("larger than the %d MiB that scrub reads", MaxSize>>20)
	case len(bytes.TrimSpace(data)) == 0:
		return errors.New("empty: there is nothing to read")
	case bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data):
		return errors.New("not text: scrub reads UTF-8")
	}
	return nil
}
