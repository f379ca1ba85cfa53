package flags

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExtension(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "gh"), []byte("#!/bin/sh\necho octo/snail\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	for said, want := range map[string]string{
		"gh-scrub octo/snail#7 --json":                    "issue octo/snail#7 --json",
		"gh-scrub https://github.com/octo/snail/issues/7": "issue https://github.com/octo/snail/issues/7",
		"gh-scrub 7 --post":                               "issue octo/snail#7 --post",
		"gh-scrub-linux-amd64 #7":                         "issue octo/snail#7",
		"gh-scrub actions":                                "actions",
		"gh-scrub":                                        "",
		"scrub 7":                                         "7",
	} {
		words := strings.Fields(said)
		if got := strings.Join(Extension(words[0], words[1:]), " "); got != want {
			t.Errorf("%s is %q, want %q", said, got, want)
		}
	}
}
