package sandboxtest

import (
	_ "embed"
	"strings"
)

// corpus.txt holds small programs, each below a line "#: name", that look at
// everything in which a warm run could differ from a cold one.
//
//go:embed corpus.txt
var corpusText string

// A Program is one of the corpus.
type Program struct{ Name, Code string }

// Corpus returns the programs on which warm and cold must agree.
func Corpus() []Program {
	var all []Program
	for _, part := range strings.Split("\n"+corpusText, "\n#: ")[1:] {
		name, code, _ := strings.Cut(part, "\n")
		all = append(all, Program{name, code + "\n"})
	}
	return all
}
