package store

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
)

// Long texts are kept compressed: the output of programs is most of what there
// is to remember, and most of it is said more than once. A text that is JSON
// never begins as a packed one does.
const (
	packed   = "z1:"
	worthIt  = 512
	tooLarge = 1 << 30 // of one text, unpacked
)

func pack(value []byte) string {
	if len(value) < worthIt {
		return string(value)
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err == nil {
		_, err = w.Write(value)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // to memory, at a level there is
	}
	return packed + base64.StdEncoding.EncodeToString(b.Bytes())
}

func unpack(kept string) ([]byte, error) {
	text, ok := strings.CutPrefix(kept, packed)
	if !ok {
		return []byte(kept), nil
	}
	r := flate.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
	value, err := io.ReadAll(io.LimitReader(r, tooLarge))
	if err != nil {
		return nil, fmt.Errorf("what was kept cannot be read: %w", err)
	}
	return value, nil
}
