package eval

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
)

// A Dated is a report of a bug whose fix is known.
type Dated struct {
	Known
	Number  int       `json:"issue_number"`
	Created time.Time `json:"created_at"`
	Pull    int       `json:"fix_pr"`
	Commit  string    `json:"fix_merge_commit"`
}

// Fixes counts how often the release and the pull request that fixed a bug
// were named.
type Fixes struct {
	mu                   sync.Mutex
	Reports, Shown       int // and of these, those whose bug was seen on the last release that has it
	Right, Wrong, Unsure int // the release
	First, Other, None   int // the pull request that ranks first
	SureRight, SureWrong int // of those named as a fact
}

// Bisect asks find about every report of some tiers, workers at a time.
func Bisect(data io.Reader, workers int, tiers []string, find func(Dated) (casefile.Case, error),
	out io.Writer) (*Fixes, error) {
	f := &Fixes{}
	err := atOnce(data, workers, func(d Dated) {
		if slices.Contains(tiers, d.Tier) {
			c, err := find(d)
			f.count(d, c, err, out)
		}
	})
	return f, err
}

func (f *Fixes) count(d Dated, c casefile.Case, err error, out io.Writer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Reports++
	verdict, why := c.Verdict()
	if err != nil || c.When == nil {
		fmt.Fprintf(out, "not shown\t%s\t%s\t%v\t%s %s\n", d.ID, d.Tier, err, verdict, oneLine(why))
		return
	}
	f.Shown++
	from, to, ok := c.When.Exact()
	grade := "unsure"
	switch {
	case !ok:
		f.Unsure++
	case bug.CompareVersions(from, d.Buggy) == 0 && bug.CompareVersions(to, d.Fixed) == 0:
		grade = "right"
		f.Right++
	default:
		grade = "wrong"
		f.Wrong++
	}
	fmt.Fprintf(out, "%s\t%s\t%s\twant %s to %s\t%s\t%s\n", grade, d.ID, d.Tier, d.Buggy, d.Fixed, c.When.Words(),
		f.pull(d, c))
}

// pull grades the pull request.
func (f *Fixes) pull(d Dated, c casefile.Case) string {
	if len(c.When.Suspects) == 0 {
		f.None++
		return "no pull request"
	}
	first, sure := c.When.Culprit()
	right := first.Pull == d.Pull || first.Commit.ID == d.Commit
	switch {
	case right:
		f.First++
	default:
		f.Other++
	}
	word := "likely"
	if sure {
		word = "sure"
		if right {
			f.SureRight++
		} else {
			f.SureWrong++
		}
	}
	measured := ""
	if c.When.Commits != nil {
		measured = c.When.Commits.Words() + " "
	}
	return fmt.Sprintf("%s%v: %s of #%d, want #%d, of %d left (%.2f): %s", measured, right, word, first.Pull, d.Pull,
		len(c.When.Suspects), first.Share, oneLine(first.Commit.Subject))
}

// String is the count in words.
func (f *Fixes) String() string {
	return fmt.Sprintf("%d reports, %d fixed as far as was seen\nrelease: right %d (%.1f %%), wrong %d (%.1f %%), "+
		"unsure %d\npull request: first %d (%.1f %%), another first %d, none named %d; named as a fact %d, of these "+
		"right %d\n",
		f.Reports, f.Shown, f.Right, share(f.Right, f.Shown), f.Wrong, share(f.Wrong,
			f.Shown), f.Unsure, f.First, share(f.First, f.Shown), f.Other, f.None, f.SureRight+f.SureWrong, f.SureRight)
}
