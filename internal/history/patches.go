package history

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// hunk begins lines that were replaced: how many were there before, and how many are now.
var hunk = regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@`)

// Patches gives f every line that the last changes of the main line took away or brought, with its sign, the
// newest change first. Files with names that git quotes are left out.
func (c Clone) Patches(ctx context.Context, most int, f func(commit, path string, line []byte)) (err error) {
	cmd := c.command(ctx, "-c", "core.quotePath=false", "log", "--first-parent", "--diff-merges=first-parent",
		"--no-renames", "-p", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/",
		"--format=%x01%H", "-n", strconv.Itoa(most), "HEAD")
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() {
		_ = pipe.Close()
		if ended := cmd.Wait(); err == nil && ended != nil {
			err = fmt.Errorf("git log: %w", errors.Join(ctx.Err(), ended))
		}
	}()
	in := bufio.NewReaderSize(pipe, 1<<16)
	var commit, path string
	left := 0 // lines of this hunk
	for {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			line = bytes.Clone(line) // its beginning is enough
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
		switch line = bytes.TrimRight(line, "\r\n"); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case left > 0 && len(line) > 0 && (line[0] == '+' || line[0] == '-'):
			left--
			if path != "" {
				f(commit, path, line)
			}
		case bytes.HasPrefix(line, []byte("\x01")):
			commit, path = string(line[1:]), ""
		case bytes.HasPrefix(line, []byte("diff --git ")):
			path = ""
		case bytes.HasPrefix(line, []byte("--- a/")), bytes.HasPrefix(line, []byte("+++ b/")):
			path = string(line[len("+++ b/"):])
		default:
			left = lines(line)
		}
	}
}

// lines is how many lines a hunk has that begins so.
func lines(head []byte) int {
	m := hunk.FindSubmatch(head)
	if m == nil {
		return 0
	}
	sum := 0
	for _, n := range m[1:] {
		count, err := strconv.Atoi(string(n))
		if err != nil {
			count = 1
		}
		sum += count
	}
	return sum
}

// A FilePatch is what a patch does to a file.
type FilePatch struct {
	Added   []string // lines
	Removed int
}

// ReadPatch reads a patch of git's, by file.
func ReadPatch(patch string) map[string]*FilePatch {
	all := map[string]*FilePatch{}
	var one *FilePatch
	in := false // where lines are those of the file itself
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "diff --git "):
			_, name, _ := strings.Cut(line, " b/")
			one, in = &FilePatch{}, false
			all[name] = one
		case one == nil:
		case hunk.MatchString(line):
			in = true
		case in && strings.HasPrefix(line, "+"):
			one.Added = append(one.Added, line[1:])
		case in && strings.HasPrefix(line, "-"):
			one.Removed++
		}
	}
	return all
}
