package cli

import (
	"flag"
	"os"
	"testing"

	"github.com/scrub-dev/scrub/internal/console"
)

var update = flag.Bool("update", false, "rewrite docs/reference.md")

// The reference says what the code says.
func TestReference(t *testing.T) {
	a := &app{&console.Console{Getenv: func(string) string { return "" }}}
	root := a.root()
	root.InitDefaultHelpCmd()
	got, page := reference(root), "../../docs/reference.md"
	if *update {
		if err := os.WriteFile(page, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(page); err != nil || string(want) != got {
		t.Errorf("%s is not what the code says (%v): go test ./internal/cli -update", page, err)
	}
}
