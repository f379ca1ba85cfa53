package nearby

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

//go:embed near.py
var runner string

// A Result is what became of a test.
type Result struct {
	Test
	Result string `json:"result"` // passed, failed, skipped or not run
	Why    string `json:"why,omitempty"`
}

func (r Result) String() string {
	text := fmt.Sprintf("%s in %s: %s", r.Name, r.File, r.Result)
	if r.Why != "" {
		text += " (" + r.Why + ")"
	}
	return text
}

// mark begins a line about a test in the output.
const mark = "scrub-near:"

var imports = regexp.MustCompile(`(?m)^\s*(?:from|import)\s+(\w+)`)

// Run runs tests, those of a file together; a test with several forms has failed if one
// of them has.
func Run(ctx context.Context, tree fs.FS, tests []Test, run bug.Runner) ([]Result, error) {
	byFile := map[string][]string{}
	for _, t := range tests {
		byFile[t.File] = append(byFile[t.File], t.Name)
	}
	told := map[Test][]Result{}
	for file, names := range byFile {
		found, why, err := runFile(ctx, tree, file, names, run)
		if err != nil {
			return nil, err
		}
		for _, n := range names {
			t := Test{File: file, Name: n}
			if told[t] = found[n]; len(found[n]) == 0 {
				told[t] = []Result{{t, "not run", why}}
			}
		}
	}
	all := make([]Result, len(tests))
	for i, t := range tests {
		all[i] = worst(told[Test{File: t.File, Name: t.Name}])
	}
	return all, nil
}

// worst is a test that failed, if there is one, or else one that was run.
func worst(forms []Result) Result {
	for _, how := range []string{"failed", "passed", "skipped", "not run"} {
		if i := slices.IndexFunc(forms, func(r Result) bool { return r.Result == how }); i >= 0 {
			return forms[i]
		}
	}
	return Result{}
}

// runFile runs tests of one file, which has the modules beside it that it imports.
func runFile(ctx context.Context, tree fs.FS, file string, names []string,
	run bug.Runner) (found map[string][]Result, why string, err error) {
	order, err := json.Marshal(struct {
		File  string   `json:"file"`
		Names []string `json:"names"`
	}{path.Base(file), names})
	if err != nil {
		return nil, "", err
	}
	files := bug.Files{"scrub_near.py": runner, "scrub_near.json": string(order)}
	if err := beside(tree, file, files); err != nil {
		return nil, "", err
	}
	o, err := run(ctx, bug.Repro{Files: files, Command: []string{"python", "scrub_near.py"}})
	if err != nil {
		return nil, "", err
	}
	found = map[string][]Result{}
	for line := range strings.Lines(o.Stdout) {
		_, said, ok := strings.Cut(line, mark)
		var r struct{ Name, Result, Why string }
		if !ok || json.Unmarshal([]byte(said), &r) != nil {
			continue
		}
		of := "" // a form of a test has more behind its name
		for _, n := range names {
			if strings.HasPrefix(r.Name, n) && len(n) > len(of) {
				of = n
			}
		}
		found[of] = append(found[of], Result{Test{file, of}, r.Result, bug.Short(bug.Squeeze(r.Why), 200)})
	}
	return found, "its file " + o.Words(), nil
}

// beside adds a file to others, and what it imports from its own folder.
func beside(tree fs.FS, file string, files bug.Files) error {
	if _, there := files[path.Base(file)]; there {
		return nil
	}
	text, err := fs.ReadFile(tree, file)
	if err != nil {
		return err
	}
	files[path.Base(file)] = string(text)
	for _, m := range imports.FindAllStringSubmatch(string(text), -1) {
		sibling := path.Join(path.Dir(file), m[1]+".py")
		if st, err := fs.Stat(tree, sibling); err != nil || st.Size() > testSize {
			continue
		}
		if err := beside(tree, sibling, files); err != nil {
			return err
		}
	}
	return nil
}
