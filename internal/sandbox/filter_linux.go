package sandbox

import (
	"os"
	"path/filepath"

	"github.com/scrub-dev/scrub/internal/sandbox/calls"
)

// filterFile writes the native box's call filter, in the form that container
// engines read, beside dir. They end calls of other architectures by themselves.
func filterFile(dir string) (string, error) {
	data, err := calls.Filter{Enclosed: true}.Profile() // the container counts them
	if err != nil {
		return "", err
	}
	file := filepath.Join(filepath.Dir(dir), "filter.json")
	return file, os.WriteFile(file, data, 0o644)
}
