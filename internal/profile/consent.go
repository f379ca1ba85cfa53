package profile

import (
	"errors"
	"io/fs"

	"github.com/scrub-dev/scrub/internal/smallfile"
)

// consentSize is more than such a file ever has.
const consentSize = 64 << 10

// ReadConsent reads a repository's own file about kinds of action: auto, ask
// or never by kind. One that is not there says nothing.
func ReadConsent(file string) (map[string]string, error) {
	text, err := smallfile.Read(file, consentSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	said := map[string]string{}
	if err := decode(file, []byte(text), &said); err != nil {
		return nil, err
	}
	return said, nil
}
