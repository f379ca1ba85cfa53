// Package oracle lets a command of a person's own answer the question, by its
// exit code. It runs outside the box: it is theirs.
package oracle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bisect"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/child"
	"github.com/scrub-dev/scrub/internal/reduce"
)

// A Command is a line for the shell, in which {} stands for what it is asked
// about, and how long it may take.
type Command struct {
	Line  string
	Limit time.Duration

	first bool // nothing was cut yet: what cannot be run now never could
}

// plain is what can stand in a line for the shell as it is. Versions and commits
// come from strangers.
var plain = regexp.MustCompile(`^[\w./+:@=,%-]+$`)

// secret is how variables are called that are nobody else's business.
var secret = regexp.MustCompile(`(?i)^[^=]*(token|secret|passw|credential|api_?key|private_?key)[^=]*=`)

// late is the code of a command that did not end in time.
const late = -1

// run runs the command in a folder and returns its exit code.
func (c Command) run(ctx context.Context, about, dir string) (int, string, error) {
	limited, cancel := context.WithTimeout(ctx, c.Limit)
	defer cancel()
	if !plain.MatchString(about) {
		return 0, "", fmt.Errorf("%q cannot be put into a command", about)
	}
	cmd := child.Bound(exec.CommandContext(limited, "/bin/sh", "-c", strings.ReplaceAll(c.Line, "{}", about)))
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(cmd.Environ(), secret.MatchString)
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return 0, "", context.Cause(ctx)
	case err == nil:
		return 0, "exit code 0", nil
	case limited.Err() != nil:
		return late, "timed out", nil
	case errors.As(err, &ended):
		return ended.ExitCode(), "ended with " + ended.String(), nil
	}
	return 0, "", err
}

// Interesting asks about files, put into a new folder, by the contract of
// C-Vise and Shrink Ray: 0 means that they still are. main is the file that
// {} stands for.
func (c Command) Interesting(ctx context.Context, files bug.Files, main string) (reduce.Judgement, error) {
	dir, err := os.MkdirTemp("", "scrub")
	if err != nil {
		return reduce.Judgement{}, err
	}
	defer os.RemoveAll(dir)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return reduce.Judgement{}, err
		}
	}
	code, words, err := c.run(ctx, filepath.Join(dir, main), dir)
	answer := bug.No
	if code == 0 {
		answer = bug.Yes
	}
	if c.first && (code == notRun || code == lastBad) {
		return reduce.Judgement{}, NotRun{words}
	}
	return reduce.Judgement{Answer: answer, Words: words}, err
}

// The exit codes of git bisect run.
const (
	cannotTest = 125
	lastBad    = 127
	notRun     = 126 // a shell's, from here on: it was not found, or could not be started
)

// NotRun is that there is no such command where it is run.
type NotRun struct{ Words string }

func (n NotRun) Error() string {
	return fmt.Sprintf("the command could not be run (it %s): it runs in a folder of its own, so name it by its whole "+
		"path", n.Words)
}

// Has asks whether a version has a bug, by the contract of git bisect run: 0
// means that it has not, 125 that it cannot be tested.
func (c Command) Has(ctx context.Context, version, dir string) (bisect.Known, error) {
	code, words, err := c.run(ctx, version, dir)
	switch {
	case err != nil || code == cannotTest || code == late:
		return bisect.Known{Why: words}, err
	case code == notRun || code == lastBad:
		return bisect.Known{}, NotRun{words}
	case code == 0:
		return bisect.Known{Answer: bug.No, Sure: 1, Why: words}, nil
	case code > 0 && code < notRun:
		return bisect.Known{Answer: bug.Yes, Sure: 1, Why: words}, nil
	}
	return bisect.Known{}, fmt.Errorf("the command %s, which ends the search, as for git bisect run", words)
}
