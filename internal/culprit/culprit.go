// Package culprit names the change that fixed a bug, or brought it, by
// evidence from channels that know nothing of each other: where it was
// measured to lie, what commits say, and what they touch.
package culprit

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A Suspect is a commit with what speaks for it.
type Suspect struct {
	Commit   bug.Commit `json:"commit"`
	Pull     int        `json:"pull,omitempty"` // the request it came with
	Evidence []string   `json:"evidence,omitempty"`
	Doubts   []string   `json:"doubts,omitempty"` // why it can hardly be that one
	Share    float64    `json:"share"`            // how likely it is, among all of the range
	points   float64
}

// A Clue is what is known of a bug.
type Clue struct {
	Number  int        // of the issue; 0 if it has none
	Title   string     // of the issue
	Links   []bug.Link // what the forge ties to it
	Files   []string   // of the package, that its traceback goes through, innermost last
	Symbols []string   // functions of these, and names that the program uses
}

// The ways in which a commit names the pull request it came with.
var pulls = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^Merge pull request #(\d+) `),
	regexp.MustCompile(`(?m)^(?:Auto merge of|Merge) #(\d+)\b`),
	regexp.MustCompile(`(?m)^Pull Request resolved: \S+/pull/(\d+)`),
	regexp.MustCompile(`^[^\n]*\(#(\d+)\)\s*(?:\n|$)`),
	regexp.MustCompile(`(?m)^\s*(?:PR|Pull Request|GH|gh-)[:# -]+(\d+)\s*$`),
}

// PullOf is the pull request that a commit says it came with.
func PullOf(c bug.Commit) int {
	text := c.Subject + "\n" + c.Body
	for _, form := range pulls {
		if all := form.FindAllStringSubmatch(text, -1); len(all) > 0 {
			n, err := strconv.Atoi(all[len(all)-1][1])
			if err == nil {
				return n
			}
		}
	}
	return 0
}

var (
	reverts = regexp.MustCompile(`(?i)^(?:back out|backout|revert)\b|(?m)^This reverts commit`)
	relands = regexp.MustCompile(`(?i)\breland\b|^reapply\b`)
	release = regexp.MustCompile(`(?i)^(?:bump|prepare|release)\b.*\b(?:version|release|\d+\.\d+)|\brelease ` +
		`notes\b|^version \d|^v?\d+(?:\.\d+)+$`)
	doc = regexp.MustCompile(`(?i)(?:^|/)(?:docs?|release|\.github|ci|benchmarks?|asv_bench|examples?)/|` +
		`\.(?:rst|md|txt|ya?ml|cfg|toml|ini)$|^(?:AUTHORS|LICENSE|\.mailmap)`)
	test = regexp.MustCompile(`(?i)(?:^|/)tests?/|(?:^|/)test_[^/]*\.py$|_test\.py$`)
	word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]{2,}`)
)

// Rank orders commits by how likely each is the one, if one of them is.
func Rank(clue Clue, commits []bug.Commit) []Suspect {
	common := frequency(commits)
	var all []Suspect
	for _, c := range commits {
		s := Suspect{Commit: c, Pull: PullOf(c)}
		s.said(clue)
		s.linked(clue)
		s.touched(clue)
		s.worded(clue, common, len(commits))
		s.doubted()
		all = append(all, s)
	}
	total := 0.0
	for _, s := range all {
		total += math.Exp(s.points)
	}
	for i := range all {
		all[i].Share = math.Exp(all[i].points) / total
	}
	slices.SortStableFunc(all, func(a, b Suspect) int { return -cmp.Compare(a.points, b.points) })
	return all
}

func (s *Suspect) add(points float64, form string, args ...any) {
	s.points += points
	s.Evidence = append(s.Evidence, fmt.Sprintf(form, args...))
}

// said looks for the issue in what the commit says.
func (s *Suspect) said(clue Clue) {
	if clue.Number == 0 {
		return
	}
	text := s.Commit.Subject + "\n" + s.Commit.Body
	number := strconv.Itoa(clue.Number)
	switch {
	case regexp.MustCompile(`(?i)\b(?:fix|fixes|fixed|close|closes|closed|resolve|resolves|` +
		`resolved)\b:?\s+(?:\S*#|\S*/issues/)` + number + `\b`).MatchString(text):
		s.add(6, "it says that it fixes #%s", number)
	case regexp.MustCompile(`(?:#|/issues/|issue_?)` + number + `\b`).MatchString(text):
		s.add(3, "it mentions #%s", number)
	}
}

// linked looks for the commit among what the forge ties to the issue.
func (s *Suspect) linked(clue Clue) {
	for _, l := range clue.Links {
		if (l.Pull == 0 || l.Pull != s.Pull) && (l.Commit == "" || l.Commit != s.Commit.ID) {
			continue
		}
		if l.Closes {
			s.add(6, "the forge says that it closes the issue")
		} else {
			s.add(3, "the forge links it to the issue")
		}
		return
	}
}

// touched looks for the files of the traceback among those it changes.
func (s *Suspect) touched(clue Clue) {
	for i, file := range clue.Files {
		if !slices.ContainsFunc(s.Commit.Files, func(f string) bool {
			return f == file ||
				strings.HasSuffix(f, "/"+file)
		}) {
			continue
		}
		points := 1.0
		if i == len(clue.Files)-1 {
			points = 2.5 // where it was raised
		}
		s.add(points, "it changes %s, which is in the traceback", file)
	}
	if slices.ContainsFunc(s.Commit.Files, test.MatchString) {
		s.points += 0.7
		s.Evidence = append(s.Evidence, "it changes tests")
	}
}

// frequency is in how many commits each word occurs.
func frequency(all []bug.Commit) map[string]int {
	in := map[string]int{}
	for _, c := range all {
		for _, w := range wordsOf(c) {
			in[w]++
		}
	}
	return in
}

func wordsOf(c bug.Commit) []string {
	text := c.Subject + " " + c.Body
	for _, f := range c.Files {
		text += " " + strings.TrimSuffix(path.Base(f), path.Ext(f))
	}
	return words(text)
}

// words are the different words of a text, whatever their case.
func words(text string) []string {
	var all []string
	for _, w := range word.FindAllString(text, -1) {
		all = append(all, strings.ToLower(w))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// worded looks for words of the title, and names that the program uses, that
// few other commits of the range have.
func (s *Suspect) worded(clue Clue, common map[string]int, n int) {
	own := wordsOf(s.Commit)
	points := 0.0
	var rare []string
	for _, w := range words(clue.Title + " " + strings.Join(clue.Symbols, " ")) {
		if _, has := slices.BinarySearch(own, w); !has || dull[w] {
			continue
		}
		if weight := math.Log(float64(n+1) / float64(common[w])); weight > 1 {
			points += weight / 2
			rare = append(rare, w)
		}
	}
	if len(rare) > 0 {
		s.add(min(points, 5), "it shares rare words with the report: %s", strings.Join(rare, ", "))
	}
}

// dull words say nothing of what a change is about.
var dull = map[string]bool{"the": true, "and": true, "for": true, "with": true, "not": true, "from": true,
	"merge": true, "pull": true, "request": true, "fix": true,
	"fixed": true, "bug": true, "test": true, "when": true, "should": true, "does": true, "error": true,
	"wrong": true, "add": true, "import": true, "this": true, "that": true}

// doubted says why a commit can hardly have changed what a program does.
func (s *Suspect) doubted() {
	text := s.Commit.Subject
	doubt := func(points float64, why string) {
		s.points -= points
		s.Doubts = append(s.Doubts, why)
	}
	if len(s.Commit.Files) > 0 && !slices.ContainsFunc(s.Commit.Files,
		func(f string) bool { return !doc.MatchString(f) && !test.MatchString(f) }) {
		doubt(5, "it changes only documentation and tests")
	}
	if len(s.Commit.Files) == 0 {
		doubt(5, "it changes nothing")
	}
	if s.Commit.Aside {
		doubt(0.5, "it is not on the main branch: it may be a backport")
	}
	if release.MatchString(text) {
		doubt(3, "it is a release commit")
	}
	if reverts.MatchString(text) && !relands.MatchString(text) {
		s.Doubts = append(s.Doubts, "it reverts another change, which may be the cause")
	}
	if relands.MatchString(text) {
		s.Doubts = append(s.Doubts, "it reapplies a reverted change")
	}
}
