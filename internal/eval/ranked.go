package eval

import (
	"fmt"
	"io"
	"slices"

	"github.com/scrub-dev/scrub/internal/culprit"
)

// Ranks counts in which place the right pull request came.
type Ranks struct {
	Reports, First, Five int
	Sure, SureRight      int // of shares of more than nine tenths
}

// Ranked asks rank about every report of some tiers.
func Ranked(data io.Reader, tiers []string, rank func(Dated) ([]culprit.Suspect, error),
	out io.Writer) (*Ranks, error) {
	r := &Ranks{}
	return r, eachLine(data, func(d Dated) error {
		if !slices.Contains(tiers, d.Tier) {
			return nil
		}
		all, err := rank(d)
		if err != nil {
			return err
		}
		r.Reports++
		at := slices.IndexFunc(all, func(s culprit.Suspect) bool { return s.Pull == d.Pull || s.Commit.ID == d.Commit })
		if at == 0 {
			r.First++
		}
		if at >= 0 && at < 5 {
			r.Five++
		}
		if len(all) > 0 && all[0].Share > 0.9 {
			r.Sure++
			if at == 0 {
				r.SureRight++
			}
		}
		fmt.Fprintf(out, "%s\tplace %d of %d\t#%d\n", d.ID, at+1, len(all), d.Pull)
		return nil
	})
}

func (r *Ranks) String() string {
	return fmt.Sprintf("%d reports: the right pull request first in %d (%.1f %%), among five in %d (%.1f %%); named "+
		"with a share over 0.9 in %d, of these right %d\n",
		r.Reports, r.First, share(r.First, r.Reports), r.Five, share(r.Five, r.Reports), r.Sure, r.SureRight)
}
