package regress

import (
	"os"
	"path/filepath"
	"testing"
)

// Only a mark that is all of its line goes; where a file has changed, or more is meant, nothing does.
func TestMarksAreRemoved(t *testing.T) {
	const text = "import pytest\n\n@mark.xfail(reason='gh-7')\ndef f(): pass\n" +
		"@mark.xfail(\n  reason='gh-7')\nx = xfail('gh-7')\n"
	for _, tt := range []struct {
		mark Mark
		goes bool
	}{
		{Mark{"t.py", 3, "@mark.xfail(reason='gh-7')"}, true}, {Mark{"t.py", 5, "@mark.xfail("}, false},
		{Mark{"t.py", 7, "x = xfail('gh-7')"}, false}, {Mark{"t.py", 4, "@mark.xfail(reason='gh-7')"}, false},
		{Mark{"../t.py", 3, "@mark.xfail(reason='gh-7')"}, false},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, "t.py")
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		err := tt.mark.Remove(dir)
		after, _ := os.ReadFile(name)
		if (err == nil) != tt.goes || (string(after) != text) != tt.goes {
			t.Errorf("%v: %v\n%s", tt.mark, err, after)
		}
	}
}
