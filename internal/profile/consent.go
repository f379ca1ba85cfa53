package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// consentSize is more than such a file ever has.
const consentSize = 64 << 10

// bounded reads a small file of somebody else's. What is no plain file could
// keep us waiting for ever.
func bounded(file string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > consentSize:
		return nil, fmt.Errorf("it is no plain file of at most %d KiB", consentSize>>10)
	}
	return os.ReadFile(file)
}

// ReadConsent reads a repository's own file about kinds of action: auto, ask
// or never by kind. One that is not there says nothing.
func ReadConsent(file string) (map[string]string, error) {
	text, err := bounded(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	said := map[string]string{}
	if err := decode(file, text, &said); err != nil {
		return nil, err
	}
	return said, nil
}
