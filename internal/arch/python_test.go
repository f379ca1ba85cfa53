package arch

import (
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
