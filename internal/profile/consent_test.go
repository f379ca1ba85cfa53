package profile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A file of somebody else's repository cannot keep scrub waiting or fill it.
func TestConsentIsReadWithABound(t *testing.T) {
	dir := t.TempDir()
	pipe, large, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "large"), filepath.Join(dir, "link")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(large, []byte(strings.Repeat("# x\n", consentSize)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", link); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{pipe, large, link, dir} {
		if said, err := ReadConsent(file); err == nil || !strings.Contains(err.Error(), "plain file") {
			t.Errorf("%s: %v, %v", file, said, err)
		}
	}
}
