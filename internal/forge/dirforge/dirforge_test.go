package dirforge

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/forge/forgetest"
)

func TestDir(t *testing.T) {
	dir, i := t.TempDir(), forgetest.Issue
	text := fmt.Sprintf("---\ntitle: %s\nauthor: %s\ncreated: %s\nlabels: %s\n---\n%s\n\n<!-- comment: %s %s -->\n%s\n",
		i.Title, i.Author, i.Created.Format(time.DateOnly), strings.Join(i.Labels, ", "), i.Body,
		i.Comments[0].Author, i.Comments[0].Created.Format(time.DateOnly), i.Comments[0].Body)
	if err := os.MkdirAll(filepath.Join(dir, "octo", "snail"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "octo", "snail", "7.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "octo", "snail", "collaborators"),
		[]byte("dave\n"+forgetest.Collaborator+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	forgetest.Run(t, Dir(dir))
	forgetest.RunLists(t, Dir(dir))
	forgetest.RunWrites(t, Dir(dir))
	forgetest.RunPulls(t, Dir(dir), "abc")
}
