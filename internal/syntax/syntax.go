// Package syntax reads programs with the parser of the interpreter that
// will run them, inside the box: the text of a program is as little to be
// trusted as its deeds.
package syntax

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A Reading is what can be said of a program without running it.
type Reading struct {
	Uses    []Use    `json:"uses"`
	Strings []String `json:"strings"`          // its texts, those that it puts together included
	Imports []string `json:"imports"`          // top-level modules, sorted
	Unbound []string `json:"unbound"`          // names that it uses and gives no meaning, sorted
	Bare    [][2]int `json:"bare,omitempty"`   // first and last lines of values that a prompt would show
	Forms   []Form   `json:"forms,omitempty"`  // of what its print statements print
	Inert   bool     `json:"inert,omitempty"`  // it only defines things: nothing happens when it is run
	Missing []string `json:"missing"`          // those of Imports that the interpreter does not have
	Broken  *Broken  `json:"broken,omitempty"` // the interpreter cannot read it; the rest is empty
}

// Modules are those that a warm interpreter imports for the program.
func (r Reading) Modules() []string {
	return slices.DeleteFunc(slices.Clone(r.Imports), func(m string) bool {
		return m == "__future__" || slices.Contains(r.Missing, m)
	})
}

// OnlyImports is a program that does nothing but start and import what a program does, of which r
// is the reading. It is empty if that one does nothing else.
func (r Reading) OnlyImports(program string) string {
	if !slices.ContainsFunc(strings.Split(program, "\n"), func(line string) bool {
		line = strings.TrimSpace(line)
		first, _, _ := strings.Cut(line, " ")
		return line != "" && !strings.HasPrefix(line, "#") && first != "import" && first != "from"
	}) {
		return ""
	}
	var b strings.Builder
	b.WriteString("pass\n")
	for _, m := range r.Modules() {
		b.WriteString("import " + m + "\n")
	}
	return b.String()
}

// A Use is one place where a program names something of a module or of the
// language, after its imports and aliases have been followed.
type Use struct {
	Line int      `json:"line"`
	Name string   `json:"name"`           // dotted, as in "os.path.join"
	Args []string `json:"args,omitempty"` // the literal texts it is called with
}

// A Form is what a print statement prints, with bug.Hole for what is only known when it runs.
type Form struct {
	Line int    `json:"line"`
	Last int    `json:"last"`
	Text string `json:"text"`
}

// A String is a text in a program.
type String struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Broken is why a text is no program.
type Broken struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

//go:embed python/read.py python/scrub_reading/*.py
var python embed.FS

// reading are the files of the reader. They go into the box together.
var reading = FilesOf(python, "python")

// FilesOf are the files below dir, by their names in it, as they go into a box.
func FilesOf(all embed.FS, dir string) bug.Files {
	files := bug.Files{}
	err := fs.WalkDir(all, dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := all.ReadFile(name)
		files[strings.TrimPrefix(name, dir+"/")] = string(text)
		return err
	})
	if err != nil {
		panic(err) // they were embedded
	}
	return files
}

// Tools are the modules of scrub's own that read and watch programs, for a warm interpreter to have.
func Tools() bug.Files {
	all := bug.Files{"scrub_tree.py": treeReader}
	for _, files := range []bug.Files{reading, looking} {
		for name, text := range files {
			if strings.HasPrefix(name, "scrub_") {
				all[name] = text
			}
		}
	}
	return all
}

// Preload are the modules that the reader imports, for a warm interpreter.
var Preload = []string{"ast", "base64", "binascii", "codecs", "importlib.util", "json", "zlib"}

//go:embed python/exports.py
var exporter string

// Exports asks an interpreter where names of a package can be imported from:
// the package itself, or the module in it that defines them.
func Exports(ctx context.Context, pkg string, names []string, run bug.Runner) (map[string]string, error) {
	o, err := run(ctx, bug.Repro{
		Files:   bug.Files{"exports.py": exporter},
		Command: append([]string{"python", "exports.py", pkg}, names...),
	})
	if err != nil {
		return nil, fmt.Errorf("look for names in %s: %w", pkg, err)
	}
	found := map[string]string{}
	if o.Failed() || json.Unmarshal([]byte(o.Stdout), &found) != nil {
		return nil, nil // a package that cannot be imported exports nothing
	}
	return found, nil
}

// ReadAll reads several texts in one go.
func ReadAll(ctx context.Context, texts []string, run bug.Runner) ([]Reading, error) {
	// The command is always the same, so that one warm interpreter does for all.
	repro := bug.Repro{Files: maps.Clone(reading), Command: []string{"python", "read.py", "--all"}}
	names := make([]string, len(texts))
	for i, text := range texts {
		names[i] = fmt.Sprintf("program%d.txt", i)
		repro.Files[names[i]] = text
	}
	list, err := json.Marshal(names)
	if err != nil {
		return nil, err
	}
	repro.Files["programs.json"] = string(list)
	o, err := run(ctx, repro)
	if err != nil {
		return nil, fmt.Errorf("read programs: %w", err)
	}
	var all []Reading
	if o.Failed() || json.Unmarshal([]byte(o.Stdout), &all) != nil || len(all) != len(texts) {
		return nil, fmt.Errorf("read programs: the reader %s: %.200s", o.Words(), o.Stderr)
	}
	return all, nil
}

// Read reads text. It asks run to run the reader, boxed.
func Read(ctx context.Context, text string, run bug.Runner) (Reading, error) {
	repro := bug.Repro{Files: maps.Clone(reading), Command: []string{"python", "read.py", "program.txt"}}
	repro.Files["program.txt"] = text
	o, err := run(ctx, repro)
	if err != nil {
		return Reading{}, fmt.Errorf("read program: %w", err)
	}
	var r Reading
	if o.Failed() || json.Unmarshal([]byte(o.Stdout), &r) != nil {
		return Reading{}, fmt.Errorf("read program: the reader %s: %.200s", o.Words(), o.Stderr)
	}
	return r, nil
}
