package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
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
	return said, checkConsent(file, said)
}

// kinds are what consent can be given to.
var kinds = []string{"comment", "add-label", "remove-label", "renew-label", "close", "reopen"}

func checkConsent(file string, said map[string]string) error {
	for kind, word := range said {
		if !slices.Contains(kinds, kind) {
			return fmt.Errorf("%s: there is no action %q: want one of %s", file, kind, strings.Join(kinds, ", "))
		}
		if word != "auto" && word != "ask" && word != "never" {
			return fmt.Errorf("%s: %s = %q: want auto, ask or never", file, kind, word)
		}
	}
	return nil
}
