// Package history reads the history of a project from a clone with git. It
// changes nothing there.
package history

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/child"
)

// A Clone is a git repository on this machine, of which the objects and the
// names of commits are read and nothing else: what its settings, hooks and
// attributes would have git run is never run.
type Clone struct {
	Dir string
	own string // a repository of ours that has the clone's objects and names, and settings of its own
}

// Open makes sure that there is one. What is needed to read it goes below work.
func Open(ctx context.Context, dir, work string) (Clone, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Clone{}, err
	}
	c := Clone{Dir: dir, own: filepath.Join(work, bug.Digest(dir)[:16]+".git")}
	if _, err := exec.LookPath("git"); err != nil {
		return c, errors.New("git is not installed")
	}
	if err := c.lay(); err != nil {
		return c, fmt.Errorf("%s is not a git clone: %w", dir, err)
	}
	if _, err := c.git(ctx, "rev-parse", "--git-dir"); err != nil {
		return c, fmt.Errorf("%s is not a git clone: %w", dir, err)
	}
	return c, nil
}

// settings are all that git has here. It looks at nobody's own.
var settings = []string{
	"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_SYSTEM=/dev/null",
	"GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1",
	"GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0",
	"GIT_OPTIONAL_LOCKS=0", "GIT_PAGER=cat",
}

// command is git with arguments, about the clone's objects.
func (c Clone) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := child.Bound(exec.CommandContext(ctx, "git", append([]string{"--git-dir", c.own, "--no-pager"}, args...)...))
	cmd.Dir, cmd.Env = c.own, append([]string{"HOME=" + c.own}, settings...)
	return cmd
}

// git runs one command that reads.
func (c Clone) git(ctx context.Context, args ...string) (string, error) {
	cmd := c.command(ctx, args...)
	out, said := bounded{most: outputSize}, bounded{most: small}
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("git %s: %s: %w", args[0], bug.Short(bug.Squeeze(said.text.String()), 200), err)
	}
	return out.text.String(), nil
}

// outputSize is more than git has to say of any project.
const outputSize = 512 << 20

// bounded is a text that does not take more than most bytes. It is no bytes.Buffer, whose ReadFrom takes all there is.
type bounded struct {
	text strings.Builder
	most int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > b.most {
		return 0, errors.New("git printed too much")
	}
	return b.text.Write(p)
}

// Release is the commit of a version: the one that a tag names in one of the
// ways in which projects name them.
func (c Clone) Release(ctx context.Context, name, version string) (string, error) {
	for _, form := range []string{"v%s", "%s", name + "-%s", name + "-v%s", "release-%s", "rel-%s", "Release-%s", name +
		"/v%s", "REL_%s"} {
		tag := fmt.Sprintf(form, version)
		if id, err := c.Resolve(ctx, "refs/tags/"+tag); err == nil {
			return id, nil
		}
	}
	tags, err := c.git(ctx, "tag", "--list")
	if err != nil {
		return "", err
	}
	for _, tag := range strings.Fields(tags) { // 2022.09.0 is 2022.9.0
		if v := spelled.FindString(tag); v != "" && bug.CompareVersions(v, version) == 0 {
			return c.Resolve(ctx, "refs/tags/"+tag)
		}
	}
	return "", fmt.Errorf("the clone has no tag for version %s", version)
}

// spelled is a version at the end of a tag.
var spelled = regexp.MustCompile(`\d+(?:\.\d+)+(?:\.?(?:a|b|rc|post|dev)\d+)?$`)

// Resolve is the commit that a name of git's stands for.
func (c Clone) Resolve(ctx context.Context, name string) (string, error) {
	id, err := c.git(ctx, "rev-parse", "--verify", "--quiet", name+"^{commit}")
	if id = strings.TrimSpace(id); err != nil || !commitID.MatchString(id) {
		return "", fmt.Errorf("the clone has no commit %s", name)
	}
	return id, nil
}

// Base is the last commit that two have in common.
func (c Clone) Base(ctx context.Context, a, b string) (string, error) {
	id, err := c.git(ctx, "merge-base", a, b)
	return strings.TrimSpace(id), err
}

// parts are what git prints of a commit, behind which come its files. A byte of
// zero separates them: it is the only one that no message can hold.
var parts = []string{"%H", "%P", "%cI", "%s", "%b"}

// commitID is how git names a commit.
var commitID = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// Line are the commits that lead from one to another, oldest first: those of
// the main line, each with all that was merged by it.
func (c Clone) Line(ctx context.Context, from, to string) ([]bug.Commit, error) {
	out, err := c.git(ctx, "log", "--first-parent", "-m", "--name-only", "--reverse",
		"--format=%x00"+strings.Join(parts, "%x00")+"%x00", "--end-of-options", from+".."+to)
	if err != nil {
		return nil, err
	}
	main, err := c.main(ctx)
	if err != nil {
		return nil, err
	}
	var all []bug.Commit
	for words := range slices.Chunk(strings.Split(out, "\x00")[1:], len(parts)+1) {
		if len(words) != len(parts)+1 || !commitID.MatchString(words[0]) {
			return nil, fmt.Errorf("git log: %.100q cannot be read", words)
		}
		date, err := time.Parse(time.RFC3339, words[2])
		if err != nil {
			return nil, err
		}
		all = append(all, bug.Commit{ID: words[0], Parents: strings.Fields(words[1]), Date: date, Subject: words[3],
			Body: strings.TrimSpace(words[4]), Files: strings.Fields(words[5]), Aside: !main[words[0]]})
	}
	return all, nil
}

// main are the commits of the line that the clone itself is on.
func (c Clone) main(ctx context.Context) (map[string]bool, error) {
	out, err := c.git(ctx, "rev-list", "--first-parent", "HEAD")
	all := map[string]bool{}
	for _, id := range strings.Fields(out) {
		all[id] = true
	}
	return all, err
}

// Between are the commits from one end to the other, with that which they
// build on, and where in them the two are.
func (c Clone) Between(ctx context.Context, bad, good string) (commits []bug.Commit, atBad, atGood int, err error) {
	from, err := c.Resolve(ctx, bad)
	if err != nil {
		return nil, 0, 0, err
	}
	to, err := c.Resolve(ctx, good)
	if err != nil {
		return nil, 0, 0, err
	}
	base, err := c.Base(ctx, from, to)
	if err != nil {
		return nil, 0, 0, err
	}
	tip := to
	if base == to {
		tip = from
	}
	commits, err = c.Line(ctx, base, tip)
	commits = append([]bug.Commit{{ID: base}}, commits...)
	if tip == to {
		return commits, 0, len(commits) - 1, err
	}
	return commits, len(commits) - 1, 0, err
}
