package history

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A Pull is a pull request that was merged into the main line, as the line tells.
type Pull struct {
	ID          string // of the commit
	Parent      string
	Number      int    // 0 if it is not said
	Branch      string // it came from; empty if it is not said
	When        time.Time
	Checkpoints []string // of sessions, as commits name them
	Closes      int      // the issue that its commits say it closes, or 0
}

var (
	mergedFrom = regexp.MustCompile(`^Merge pull request #(\d+) from [^/\s]+/(\S+)`)
	squashed   = regexp.MustCompile(`\(#(\d+)\)\s*$`)
	checkpoint = regexp.MustCompile(`(?m)^Entire-Checkpoint:\s*(\S+)\s*$`)
	closes     = regexp.MustCompile(`(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#(\d+)\b`)
)

// Pulls are those among the last changes that were merged between two times (zero for any), the newest first. What
// their commits say is read of each.
func (c Clone) Pulls(ctx context.Context, most int, from, to time.Time) ([]Pull, error) {
	out, err := c.git(ctx, "log", "--first-parent", "-z", "-n", strconv.Itoa(most), "--format=%H %P%n%ct%n%s", "HEAD")
	if err != nil {
		return nil, err
	}
	var all []Pull
	for entry := range strings.SplitSeq(strings.Trim(out, "\x00"), "\x00") {
		fields := strings.SplitN(entry, "\n", 3)
		ids := strings.Fields(fields[0])
		if len(fields) != 3 || len(ids) < 2 {
			continue
		}
		seconds, _ := strconv.ParseInt(fields[1], 10, 64)
		p := Pull{ID: ids[0], Parent: ids[1], When: time.Unix(seconds, 0).UTC()}
		if m := mergedFrom.FindStringSubmatch(fields[2]); m != nil {
			p.Number, _ = strconv.Atoi(m[1])
			p.Branch = m[2]
		} else if m := squashed.FindStringSubmatch(fields[2]); m != nil {
			p.Number, _ = strconv.Atoi(m[1])
		} else {
			continue
		}
		if p.When.Before(from) || !to.IsZero() && p.When.After(to) {
			continue
		}
		said, err := c.git(ctx, "log", "--format=%B", p.Parent+".."+p.ID)
		if err != nil {
			return nil, err
		}
		for _, m := range checkpoint.FindAllStringSubmatch(said, -1) {
			p.Checkpoints = append(p.Checkpoints, m[1])
		}
		if m := closes.FindStringSubmatch(said); m != nil {
			p.Closes, _ = strconv.Atoi(m[1])
		}
		all = append(all, p)
	}
	return all, nil
}

// Merged is the commit of the main line that merged a pull request, and the one before it; empty if
// there is none.
func (c Clone) Merged(ctx context.Context, number int) (id, parent string, err error) {
	out, err := c.git(ctx, "log", "--first-parent", "-n", "1", "--extended-regexp",
		fmt.Sprintf(`--grep=^Merge pull request #%d |^[^\n]*\(#%d\)$`, number, number), "--format=%H %P", "HEAD")
	ids := strings.Fields(out)
	if err != nil || len(ids) < 2 {
		return "", "", err
	}
	return ids[0], ids[1], nil
}

// Patch is what a pull request changed, as git says it.
func (c Clone) Patch(ctx context.Context, p Pull) (string, error) {
	return c.git(ctx, "diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames",
		"--src-prefix=a/", "--dst-prefix=b/", p.Parent, p.ID)
}

// A Marked is a commit that names a session, by the commit before it.
type Marked struct{ Mark, Before string }

// Marked are all of them, the oldest first.
func (c Clone) Marked(ctx context.Context) ([]Marked, error) {
	out, err := c.git(ctx, "log", "--reverse", "--topo-order", "--grep=^Entire-Checkpoint:", "--no-merges",
		"--format=%P %(trailers:key=Entire-Checkpoint,valueonly,separator=%x20)", "HEAD")
	var all []Marked
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		for _, mark := range fields[min(1, len(fields)):] {
			all = append(all, Marked{mark, fields[0]})
		}
	}
	return all, err
}
