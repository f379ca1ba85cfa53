package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bisect"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/culprit"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/probe"
	"github.com/scrub-dev/scrub/internal/runtimes"
)

// when finds out in which release a bug went, or came in, and by which change.
func (p *Pipeline) when(ctx context.Context, c *casefile.Case) error {
	verdict, _ := c.Verdict()
	there := slices.Contains([]casefile.Verdict{casefile.Reproduces, casefile.Flaky}, verdict)
	if p.History == nil || len(c.Asked) == 0 || there && !p.Introduced || !there && len(c.Asked) == 1 {
		return nil
	}
	line, err := p.History(ctx, *c)
	if err != nil {
		p.skipped("when", "%v", err)
		return nil
	}
	switch {
	case !there && !c.Asked[0].Shows(): // also if the words of the report seem to tell: far apart, much has changed
		c.When, err = p.nearer(ctx, *c, line)
		return err
	case verdict == casefile.Fixed:
		c.When, err = p.Bisect(ctx, c.WithWords(), about(*c), line)
		return err
	}
	// It is still there, and the line goes back from that; or the newest has moved on so far that it does something
	// else, and an
	// older one may tell.
	ours := c.WithWords()
	ours.Asked = nil
	c.When, err = p.Since(ctx, ours, about(*c), line, Known{Bad: !there})
	return err
}

// near is how many releases behind the oldest are looked at when the newest
// settles nothing.
const near = 4

// nearer looks for a release soon behind the oldest that settles what the
// newest does not: it may do what the report asks for, where the newest has
// changed for other reasons since.
func (p *Pipeline) nearer(ctx context.Context, c casefile.Case, line runtimes.Line) (*casefile.When, error) {
	first := c.Asked[0]
	for i := 1; i <= min(near, len(line.Names)-1); i++ {
		r, setting, why, err := line.Get(ctx, i)
		if err != nil {
			return nil, err
		}
		if why != "" {
			continue
		}
		a, err := p.askOn(ctx, c.Subject, r, setting)
		if err != nil {
			return nil, err
		}
		c.Asked = []casefile.Asked{first, a}
		if verdict, _ := c.Verdict(); verdict == casefile.Fixed {
			line.Good = i
			return p.Bisect(ctx, c.WithWords(), about(c), line)
		}
	}
	return nil, nil
}

// Bisect looks for the change on a line of versions, and then among the
// commits between the two releases it lies between.
func (p *Pipeline) Bisect(ctx context.Context, s casefile.Subject, about culprit.Clue,
	line runtimes.Line) (*casefile.When, error) {
	found, with, without, err := p.search(ctx, s, line)
	when := &casefile.When{Search: found, With: with, Without: without}
	if err == nil && when.Found.Found != nil {
		when.Built, err = p.builtFrom(ctx, when)
	}
	if err != nil || when.Found.Found == nil || p.Commits == nil {
		return when, err
	}
	f := when.Found.Found
	commits, all, err := p.Commits(ctx, when.Versions[f.From], when.Versions[f.To])
	if err != nil {
		p.skipped("who", "%v", err)
		return when, nil
	}
	if len(all) == 0 {
		p.skipped("who", "there is no commit between the two")
		return when, nil
	}
	if f.Is == bug.Yes { // it came in: what they build on is without it
		commits.Bad, commits.Good = commits.Good, commits.Bad
	}
	s.Asked = []casefile.Asked{with, without}
	among, _, _, err := p.search(ctx, s, commits)
	if err != nil {
		return when, err
	}
	when.Commits = &among
	left := all
	if c := among.Found.Found; c != nil && among.Sure() {
		// Commit i of the line is all[i-1]: the line begins with what they build on.
		left = all[c.From:c.To]
	}
	when.Suspects = culprit.Rank(clue(about, s, with), left)
	p.found("who", "%s left", bug.Count(len(left), "commit"))
	return when, nil
}

// builtFrom are the commits that the neighbours of a change were built from, if both say so.
func (p *Pipeline) builtFrom(ctx context.Context, w *casefile.When) ([]string, error) {
	if p.Profile.Commit == "" {
		return nil, nil
	}
	ask := bug.Program(fmt.Sprintf("import %s\nprint(%s)\n", p.Profile.Package, p.Profile.Commit))
	older, newer := w.With, w.Without
	if w.Found.Found.Is == bug.Yes {
		older, newer = newer, older
	}
	var all []string
	prober := probe.Prober{Box: p.Box, Log: p.Log, Round: p.Round}
	for _, a := range []casefile.Asked{older, newer} {
		o, err := prober.Once(ctx, ask, a.Runtime, p.Limits)
		if err != nil {
			return nil, err
		}
		id := strings.TrimSpace(o.Stdout)
		if o.Failed() || !commit.MatchString(id) {
			return nil, nil
		}
		all = append(all, id)
	}
	return all, nil
}

// commit is how a commit is named.
var commit = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

// search asks versions of a line. The two that were found to differ come back
// with it.
func (p *Pipeline) search(ctx context.Context, s casefile.Subject,
	line runtimes.Line) (casefile.Search, casefile.Asked, casefile.Asked, error) {
	found := casefile.Search{Of: line.Of, Versions: line.Names, Note: line.Note}
	asked := make([]casefile.Asked, len(line.Names))
	with, without, ok := ends(s)
	asker := *p
	if ok && with.Tally.Yes == with.Tally.Runs() && without.Tally.No == without.Tally.Runs() {
		asker.Times = 1 // it shows in every run or in none
	}
	search := bisect.Search{N: len(line.Names), Bad: line.Bad, Good: line.Good, Workers: max(1, p.Workers)}
	search.Ask = func(ctx context.Context, i int) (bisect.Known, error) {
		r, setting, why, err := line.Get(ctx, i)
		if err != nil || why != "" {
			return bisect.Known{Why: why}, err
		}
		a, err := asker.askOn(ctx, s, r, setting)
		if err != nil {
			return bisect.Known{}, err
		}
		asked[i] = a
		answer, words := s.Answer(a, with, without)
		return bisect.Known{Answer: answer, Sure: casefile.Sure(answer, a, with), Why: words, Output: a.Printed()}, nil
	}
	search.Ready, search.First = line.Ready, p.Alike.among(line.Names)
	search.Then = func(found bisect.Change) []int {
		if slices.Contains(search.First, found.From) && slices.Contains(search.First, found.To) || line.Also == nil {
			return nil // what else there is was looked at for the case that is alike
		}
		return line.Also(found)
	}
	known := map[int]bisect.Known{}
	search.Saw = func(round, i int, k bisect.Known) {
		known[i] = k
		p.found("when", "%s: %v, %s", line.Names[i], k.Answer, k.Why)
		p.Tell(event.Event{Step: "when", State: event.Going, Text: matrix(line.Names, known), N: len(known),
			Of: max(len(known), 2+bits.Len(uint(len(line.Names)))), Show: soFar(line.Names, known)})
	}
	var err error
	found.Found, err = search.Run(ctx)
	switch {
	case errors.Is(err, bisect.ErrNotShown):
		found.Why = fmt.Sprintf("Not verified: %s is not affected: %s.", line.Names[line.Bad],
			found.Found.Known[line.Bad].Why)
		return found, with, without, nil
	case errors.Is(err, bisect.ErrShown):
		found.Why = fmt.Sprintf("Not verified: %s could not be shown to be unaffected: %s.", line.Names[line.Good],
			found.Found.Known[line.Good].Why)
		return found, with, without, nil
	case err != nil:
		return found, with, without, err
	}
	f := found.Found.Found
	shows, not := f.From, f.To
	if f.Is == bug.Yes {
		shows, not = f.To, f.From
	}
	return found, asked[shows], asked[not], nil
}

// matrix draws what versions have answered so far: + shows it, - does not, ?
// cannot be told, and a dot was not asked.
func matrix(names []string, known map[int]bisect.Known) string {
	marks := make([]byte, len(names))
	for i := range names {
		marks[i] = '.'
		if k, ok := known[i]; ok {
			marks[i] = "?-+"[k.Answer]
		}
	}
	return fmt.Sprintf("%s [%s] %s", bug.Short(names[0], 12), marks, bug.Short(names[len(names)-1], 12))
}

// soFar lists the versions that were asked, with what they answered.
func soFar(names []string, known map[int]bisect.Known) string {
	var b strings.Builder
	for i, name := range names {
		if k, ok := known[i]; ok {
			fmt.Fprintf(&b, "%c %-14s %s\n", "?-+"[k.Answer], bug.Short(name, 14), bug.Short(bug.Squeeze(k.Why), 200))
		}
	}
	return b.String()
}

// ends are the newest version of a case that shows its bug and the oldest, of
// those behind it, that does not.
func ends(s casefile.Subject) (with, without casefile.Asked, ok bool) {
	for i, a := range slices.Backward(s.Asked) {
		if i+1 < len(s.Asked) && (a.Shows() || i == 0) {
			return a, s.Asked[i+1], true
		}
	}
	return casefile.Asked{}, casefile.Asked{}, false
}

// about is what a report tells of where its bug lies.
func about(c casefile.Case) culprit.Clue {
	known := culprit.Clue{Number: c.Report.Ref.Number, Title: c.Report.Title, Links: c.Report.Links}
	if c.Report.Ref.Repo == "" {
		known.Number = 0
	}
	return known
}

// clue adds what a version with the bug tells.
func clue(known culprit.Clue, s casefile.Subject, with casefile.Asked) culprit.Clue {
	e, _ := with.Tally.Outcomes[len(with.Tally.Outcomes)-1].Exception()
	for _, f := range e.Frames {
		if at := strings.LastIndex(f.File, "/"+s.Package+"/"); at >= 0 {
			known.Files = append(known.Files, f.File[at+1:])
			known.Symbols = append(known.Symbols, f.Func)
		} else if path.Base(f.File) == bug.Script {
			known.Symbols = append(known.Symbols, f.Code)
		}
	}
	known.Files = unique(known.Files)
	known.Symbols = append(known.Symbols, s.Repro.Files[bug.Script])
	return known
}

// unique keeps the last of those that are equal.
func unique(all []string) []string {
	var once []string
	for i, s := range all {
		if !slices.Contains(all[i+1:], s) {
			once = append(once, s)
		}
	}
	return once
}
