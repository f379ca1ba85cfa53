package arch

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Python is measured as Go is.
func TestPython(t *testing.T) {
	cmd := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"internal/arch/shape.py"}
	for name := range strings.FieldsSeq(string(out)) {
		if !strings.Contains(name, "testdata/") {
			args = append(args, name)
		}
	}
	for _, name := range args {
		text, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		own := strings.Contains(name, "profile/data/") || strings.Contains(name, "/tests/")
		if found := projects.Find(text); found != nil && !own {
			t.Errorf("%s: %s: what is known of a project belongs in its profile", name, found)
		}
	}
	shape := exec.Command("python3", args...)
	shape.Dir = "../.."
	said, err := shape.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if len(said) > 0 {
		t.Errorf("%s", said)
	}
}
