package runtimes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Kept environment was built here and is whole.
type Kept struct {
	Name    string // of its folder: the package, its version, and a digest of what it was built from
	Version string // of its Python
	Used    time.Time
}

// KeptIn are the environments of a folder, those used last first.
func KeptIn(dir string) []Kept {
	marks, _ := filepath.Glob(filepath.Join(dir, "*"+ready)) // the pattern is ours
	var all []Kept
	for _, name := range marks {
		text, err := readFile(name)
		info, serr := os.Stat(name)
		var m mark
		if err == nil && serr == nil && json.Unmarshal([]byte(text), &m) == nil {
			all = append(all, Kept{strings.TrimSuffix(filepath.Base(name), ready), m.Version, info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b Kept) int { return b.Used.Compare(a.Used) })
	return all
}
