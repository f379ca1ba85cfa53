// Package pairing finds out which merged pull request a session of an agent led to, and how surely.
package pairing

import (
	"hash/maphash"
	"slices"
	"strings"
	"time"
)

// A Pull is a merged pull request.
type Pull struct {
	ID      string
	Branch  string
	Merged  time.Time
	Marks   []string // that name sessions
	Closes  int      // an issue, or 0
	Written Lines
}

// A Work is what is known of a session.
type Work struct {
	Branch  string
	Start   time.Time
	Marks   []string
	Issues  []int // that were spoken of when it began
	Written Lines
}

// Lines is a set of lines of text.
type Lines map[uint64]bool

var seed = maphash.MakeSeed()

// Of are the lines of texts that are long enough to tell something.
func Of(texts ...string) Lines {
	all := Lines{}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); len(line) >= leastLine {
				all[maphash.String(seed, line)] = true
			}
		}
	}
	return all
}

// Common is how many lines are in both.
func (l Lines) Common(other Lines) int {
	n := 0
	for h := range l {
		if other[h] {
			n++
		}
	}
	return n
}

// in is the share of l that is in other.
func (l Lines) in(other Lines) float64 { return float64(l.Common(other)) / float64(max(1, len(l))) }

// A Method is how a pair was found.
type Method string

// The methods, the surest first.
const (
	ByMark   Method = "mark"   // a commit names the session
	ByBranch Method = "branch" // both were on it
	ByIssue  Method = "issue"  // both are about it
	ByLines  Method = "lines"  // what the agent wrote was merged
)

// A Pair is a session and the pull request it led to.
type Pair struct {
	Pull   string // its ID; empty if none was found
	Method Method
	Sure   bool
}

// What must be seen.
const (
	leastLine  = 8                   // characters of a line that tells something
	leastLines = 10                  // lines of a session that can be found by them
	latest     = 21 * 24 * time.Hour // after which nobody merges what an agent wrote
	leastShare = 0.3                 // of its lines, to be sure
	apart      = 1.5                 // times the share of the next
)

// common are branches that everybody is on.
var common = []string{"", "main", "master", "HEAD", "develop", "dev", "trunk"}

// Find pairs a session with one of the pull requests, by the surest method that answers.
func Find(w Work, pulls []Pull, methods ...Method) Pair {
	for _, m := range methods {
		var p Pair
		switch m {
		case ByMark:
			p = first(pulls, func(p Pull) bool {
				return slices.ContainsFunc(p.Marks, func(mark string) bool { return slices.Contains(w.Marks, mark) })
			})
		case ByBranch:
			if !slices.Contains(common, w.Branch) {
				p = first(pulls, func(p Pull) bool { return p.Branch == w.Branch && !p.Merged.Before(w.Start) })
			}
		case ByIssue:
			p = first(pulls, func(p Pull) bool {
				return p.Closes != 0 && slices.Contains(w.Issues, p.Closes) && !p.Merged.Before(w.Start)
			})
			p.Sure = p.Pull != "" && len(w.Issues) == 1 // of several, one may only have been spoken of
		case ByLines:
			p = byLines(w, pulls)
		}
		if p.Pull != "" {
			p.Method = m
			return p
		}
	}
	return Pair{}
}

// first is the earliest of the pull requests that fit.
func first(pulls []Pull, fits func(Pull) bool) Pair {
	var best *Pull
	for i, p := range pulls {
		if fits(p) && (best == nil || p.Merged.Before(best.Merged)) {
			best = &pulls[i]
		}
	}
	if best == nil {
		return Pair{}
	}
	return Pair{Pull: best.ID, Sure: true}
}

// byLines is the pull request that has most of what the session wrote, of those that were merged soon after it.
func byLines(w Work, pulls []Pull) Pair {
	if len(w.Written) < leastLines {
		return Pair{}
	}
	var best Pair
	most, next := 0.0, 0.0
	for _, p := range pulls {
		if p.Merged.Before(w.Start) || p.Merged.After(w.Start.Add(latest)) {
			continue
		}
		switch share := w.Written.in(p.Written); {
		case share > most:
			best.Pull, next, most = p.ID, most, share
		case share > next:
			next = share
		}
	}
	best.Sure = most >= leastShare && most >= apart*next
	return best
}

// Nearest is the pull request that was merged next, which is the trivial way to pair.
func Nearest(w Work, pulls []Pull) Pair {
	return first(pulls, func(p Pull) bool { return !p.Merged.Before(w.Start) })
}
