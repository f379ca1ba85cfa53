package history

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Change is what came into the main line at once: a merged pull request, or a commit of its own.
type Change struct {
	ID      string
	When    time.Time
	Machine bool // a program made it, and says so
	Touched []Touched
}

// Touched is a file that a change is about.
type Touched struct {
	Path string
	How  byte // 'A' added, 'D' deleted, anything else for changed
}

// Changes are the last ones of the main line, the oldest first.
func (c Clone) Changes(ctx context.Context, most int) ([]Change, error) {
	out, err := c.git(ctx, "log", "--first-parent", "--diff-merges=first-parent", "--no-renames", "--name-status", "-z",
		"--format=%x01%H %ct %an", "-n", strconv.Itoa(most), "HEAD")
	if err != nil {
		return nil, err
	}
	var all []Change
	fields := strings.Split(out, "\x00")
	for i := 0; i < len(fields); i++ {
		word := strings.TrimSpace(fields[i])
		head, ok := strings.CutPrefix(word, "\x01")
		switch {
		case ok:
			id, rest, _ := strings.Cut(head, " ")
			when, by, _ := strings.Cut(rest, " ")
			seconds, err := strconv.ParseInt(when, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("git log: a line that cannot be read: %q", head)
			}
			all = append(all, Change{ID: id, When: time.Unix(seconds, 0).UTC(), Machine: strings.HasSuffix(by, "[bot]")})
		case word != "" && len(all) > 0 && i+1 < len(fields):
			i++ // the name, whatever is in it
			last := &all[len(all)-1]
			last.Touched = append(last.Touched, Touched{fields[i], word[0]})
		}
	}
	slices.Reverse(all)
	return all, nil
}

// Files are all files of the newest commit, in order.
func (c Clone) Files(ctx context.Context) ([]string, error) {
	out, err := c.git(ctx, "ls-tree", "-r", "-z", "--name-only", "HEAD")
	if err != nil || out == "" {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(out, "\x00"), "\x00"), nil
}

// Text is a file of the newest commit.
func (c Clone) Text(ctx context.Context, path string) (string, error) {
	return c.TextAt(ctx, "HEAD", path)
}

// TextAt is a file of a commit.
func (c Clone) TextAt(ctx context.Context, commit, path string) (string, error) {
	return c.git(ctx, "cat-file", "blob", commit+":"+path)
}

// IsLink reports whether a path of a commit is a symbolic link.
func (c Clone) IsLink(ctx context.Context, commit, path string) (bool, error) {
	out, err := c.git(ctx, "ls-tree", commit, "--", ":(literal)"+path)
	return strings.HasPrefix(out, "120000 "), err
}

// Deleted are the files that were taken away, and the folders they were in: by the last commit of the main line that
// took one away there.
func (c Clone) Deleted(ctx context.Context) (map[string]string, error) {
	out, err := c.git(ctx, "log", "--first-parent", "--diff-merges=first-parent", "--no-renames", "--diff-filter=D",
		"--name-only", "-z", "--format=%x01%H", "HEAD")
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	id := ""
	for field := range strings.SplitSeq(out, "\x00") {
		word := strings.TrimPrefix(field, "\n")
		if head, ok := strings.CutPrefix(word, "\x01"); ok {
			id = strings.TrimSpace(head)
			continue
		}
		for at := word; at != "" && at != "."; at = path.Dir(at) {
			if all[at] != "" {
				break // and so are the folders above it
			}
			all[at] = id
		}
	}
	return all, nil
}

// Since is when a text first came into a file of the main line, or no time if it never did.
func (c Clone) Since(ctx context.Context, path, text string) (time.Time, error) {
	out, err := c.git(ctx, "log", "--first-parent", "--diff-merges=first-parent", "--no-renames", "--reverse",
		"-s", "-S"+text,
		"--format=%ct", "HEAD", "--", ":(literal)"+path)
	first, _, _ := strings.Cut(out, "\n")
	seconds, bad := strconv.ParseInt(first, 10, 64)
	if err != nil || bad != nil {
		return time.Time{}, err
	}
	return time.Unix(seconds, 0).UTC(), nil
}
