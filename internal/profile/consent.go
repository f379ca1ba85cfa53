package profile

import (
	"errors"
	"io/fs"
	"os"
)

// ReadConsent reads a repository's own file about kinds of action: auto, ask
// or never by kind. One that is not there says nothing.
func ReadConsent(file string) (map[string]string, error) {
	text, err := os.ReadFile(file)
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
