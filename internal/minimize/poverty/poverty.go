// Package poverty tells programs that fail for their bug from those that fail for what a box does not have.
package poverty

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

// Error of a program that does not fail for its bug, but for what the box does not have.
type Error struct {
	Lacks string // in words
	File  string // that it wanted to read, if that is it
}

func (p Error) Error() string {
	return "it fails because the sandbox lacks " + p.Lacks + "; if that is the failure to keep, name it with --expect"
}

// Wants is the file that it wanted to read, if that is it.
func (p Error) Wants() string { return p.File }

var (
	noFile    = regexp.MustCompile(`No such file or directory: '([^']+)'`)
	noNetwork = regexp.MustCompile(`(?i)name resolution|getaddrinfo|name or service not known|network is unreachable|` +
		`failed to establish a new connection|urlopen error`)
	readsInput = regexp.MustCompile(`\bsys\.stdin\b|\bfileinput\.|(?:^|[^\w.])input\(`)
	readsArgs  = regexp.MustCompile(`\bsys\.argv\b|\bparse_args\(|\bparse_known_args\(`)
	// what a parser of arguments says that has too few of them
	fewArguments = regexp.MustCompile(`(?m)^usage:|the following arguments are required|Missing argument`)
)

// Of says what the box lacks that a program fails for, if that is plain.
func Of(text string, out bug.Outcome) error {
	e, raised := out.Exception()
	if raised {
		if m := noFile.FindStringSubmatch(e.Message); m != nil && !path.IsAbs(m[1]) {
			return Error{Lacks: "the file " + m[1], File: m[1]}
		}
		if noNetwork.MatchString(e.Message) {
			return Error{Lacks: "a network"}
		}
	}
	// A program that is given less than it reads fails in some way of its own.
	if out.Failed() && readsInput.MatchString(text) && !strings.Contains(text, "sys.stdin = ") {
		return Error{Lacks: "its standard input: give it with --stdin FILE"}
	}
	started := strings.Contains(text, "sys.argv[1:] = ")
	if !started && (out.Code == 2 && fewArguments.MatchString(out.Stderr) ||
		raised && e.Name() == "IndexError" && readsArgs.MatchString(text)) {
		return Error{Lacks: fmt.Sprintf("its arguments: give them after --, as in %q", "scrub minimize FILE -- ARGS")}
	}
	return nil
}
