package issuefile

import (
	"bytes"
	"fmt"
	"io"
	"regexp"

	"golang.org/x/text/encoding/htmlindex"
)

// coding is how a program says in its first two lines how it is written down.
var coding = regexp.MustCompile(`^(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)`)

// Program reads a file that is a program.
func Program(name string, r io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err == nil {
		data, err = decoded(data)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return Text(name, bytes.NewReader(data))
}

// decoded is a program as UTF-8, which it then says of itself.
func decoded(data []byte) ([]byte, error) {
	m := coding.FindSubmatchIndex(data)
	if m == nil {
		return data, nil
	}
	name := string(bytes.ReplaceAll(bytes.ToLower(data[m[2]:m[3]]), []byte("_"), []byte("-")))
	if name == "utf-8" || name == "utf8" || name == "ascii" {
		return data, nil
	}
	if name == "latin-1" {
		name = "latin1"
	}
	enc, err := htmlindex.Get(name)
	if err != nil {
		return nil, fmt.Errorf("it says that it is written in %s, which scrub does not know", name)
	}
	text, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		return nil, fmt.Errorf("it says that it is written in %s: %w", name, err)
	}
	return bytes.Replace(text, data[m[2]:m[3]], []byte("utf-8"), 1), nil
}
