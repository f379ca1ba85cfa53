// Package shim puts a text of Python in front of a program. It holds in the
// program's interpreter and in every other that the program starts.
package shim

import (
	_ "embed"
	"maps"
	"slices"

	"github.com/scrub-dev/scrub/internal/bug"
)

var (
	//go:embed start.py
	start string
	//go:embed sitecustomize.py
	inEach string
)

// Around is a Python program with text in front of it, in files that begin with
// name. The text runs before the program does, with these at hand:
//
//	after(module, call)  calls with a module once it has been imported, or at once if it has been
//	MAIN                 whether this is the interpreter that the program began in
//	BOX                  the folder that the program's files are in
func Around(r bug.Repro, name, text string) bug.Repro {
	files := maps.Clone(r.Files)
	files[name+".py"] = start
	files[name+"/sitecustomize.py"] = inEach
	files[name+"/text.py"] = text
	return bug.Repro{Files: files, Command: slices.Insert(slices.Clone(r.Command), 1, name+".py")}
}
