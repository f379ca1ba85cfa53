package reduce

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/fanout"
)

// batch is how many edits are judged against the same program. It is part of
// the algorithm; Workers is not, and no result depends on it.
const batch = 8

// A queue hands out proposals. Those that get into each other's way wait for
// the next batch: if the first works, there is no need to ask about the second.
type queue struct {
	next    func() (Edit, bool)
	waiting []proposal
	done    bool
	skip    func(Edit) bool
}

// A proposal is an edit, alone and with all that was kept before it.
type proposal struct{ alone, all Edit }

func (q *queue) gather(base bug.Files, kept Edit) []proposal {
	now := kept.Apply(base)
	size := SizeOf(now)
	var edits, later []proposal
	take := func(e proposal) {
		all, news := Merge(kept, e.alone)
		switch {
		case !news || !lighter(all.Apply(base), now, size):
		case clashes(e.alone, edits):
			later = append(later, e)
		default:
			edits = append(edits, e)
		}
	}
	for _, e := range q.waiting {
		if len(edits) < batch {
			take(e)
		} else {
			later = append(later, e)
		}
	}
	for len(edits) < batch && len(later) < 4*batch && !q.done {
		e, ok := q.next()
		if q.done = !ok; ok && !q.skip(e) {
			take(proposal{e, e})
		}
	}
	q.waiting = later
	for i, e := range edits {
		edits[i].all, _ = Merge(kept, e.alone)
	}
	return edits
}

// fingerprint is what an edit does to the lines it is in.
func fingerprint(p Pass, base bug.Files, e Edit) string {
	var parts []any
	for _, c := range e {
		text := base[c.File]
		from := strings.LastIndexByte(text[:c.Start], '\n') + 1
		to := len(text)
		if i := strings.IndexByte(text[c.End:], '\n'); i >= 0 {
			to = c.End + i
		}
		// How deep a line stands is no matter.
		deep := len(text[from:to]) - len(strings.TrimLeft(text[from:to], " \t"))
		var lines []string
		for line := range strings.Lines(text[from:to]) {
			lines = append(lines, strings.TrimSpace(line))
		}
		parts = append(parts, lines, max(0, c.Start-from-deep), c.End-c.Start, bug.Squeeze(c.With))
	}
	return bug.Digest([]any{p.Name, parts})
}

func clashes(e Edit, all []proposal) bool {
	for _, other := range all {
		if e.overlaps(other.alone) {
			return true
		}
	}
	return false
}

// combine returns one edit that does as much of the work of good as can be
// done together. Each of good keeps the bug on its own, and good is not empty.
func (s *search) combine(ctx context.Context, base bug.Files, good []Edit) (Edit, error) {
	if len(good) == 1 {
		return good[0], nil
	}
	half := len(good) / 2
	if all, ok := mergeAll(good); ok {
		yes, err := s.ask(ctx, all.Apply(base))
		if yes || err != nil {
			return all, err
		}
	}
	a, err := s.combine(ctx, base, good[:half])
	if err != nil {
		return nil, err
	}
	b, err := s.combine(ctx, base, good[half:])
	if err != nil {
		return nil, err
	}
	if both, ok := Merge(a, b); ok && len(good) > 2 {
		yes, err := s.ask(ctx, both.Apply(base))
		if yes || err != nil {
			return both, err
		}
	}
	if less(b.Apply(base), a.Apply(base)) {
		return b, nil
	}
	return a, nil
}

func mergeAll(edits []Edit) (Edit, bool) {
	all := edits[0]
	for _, e := range edits[1:] {
		m, ok := Merge(all, e)
		if m == nil && !ok {
			return nil, false
		}
		all = m
	}
	return all, true
}

// filter returns the edits that keep the bug, in the order given.
func (s *search) filter(ctx context.Context, p Pass, base bug.Files, edits []proposal,
	next []bug.Files) ([]Edit, error) {
	candidates := make([]bug.Files, len(edits))
	for i, e := range edits {
		candidates[i] = e.all.Apply(base)
	}
	answers, err := s.answers(ctx, candidates, next...)
	if err != nil {
		return nil, err
	}
	var good []Edit
	for i, a := range answers {
		if a == bug.Yes {
			good = append(good, edits[i].all)
		} else {
			s.failed[fingerprint(p, base, edits[i].alone)] = true
		}
	}
	return good, nil
}

func (s *search) ask(ctx context.Context, files bug.Files) (bool, error) {
	a, err := s.answers(ctx, []bug.Files{files})
	return err == nil && a[0] == bug.Yes, err
}

var space = regexp.MustCompile(`(?m)[ \t]+$|^\s*\n`)

// key is what a program says, whatever its white space.
func key(files bug.Files) string {
	return bug.Digest(space.ReplaceAllString(strings.TrimSpace(flat(files)), ""))[:20]
}

// width is how many questions are asked together: one for each worker, or as many as are screened at once.
func (s *search) width() int {
	if s.Screen != nil {
		return max(s.Workers, batch)
	}
	return s.Workers
}

// next are the candidates that come next if none of a batch works, for workers that have nothing else to do.
func (s *search) next(q *queue, base bug.Files, kept Edit, busy int) []bug.Files {
	var all []bug.Files
	if s.Dear == nil || !s.Dear() {
		return nil
	}
	for _, e := range q.waiting[:min(len(q.waiting), max(0, s.width()-busy))] {
		if both, ok := Merge(kept, e.alone); ok {
			all = append(all, both.Apply(base))
		}
	}
	return all
}

// answers asks about candidates that have not been asked about before and
// are worth it, all at once. What comes next is asked ahead: the answers are there when it comes, and
// count only then.
func (s *search) answers(ctx context.Context, candidates []bug.Files, next ...bug.Files) ([]bug.Answer, error) {
	open, err := s.unanswered(ctx, candidates)
	if err != nil {
		return nil, err
	}
	if s.Budget > 0 && s.Asked+len(open) > s.Budget {
		return nil, errStop
	}
	ask, err := s.unasked(ctx, candidates, open, next)
	if err != nil {
		return nil, err
	}
	verdicts := make([]Judgement, len(ask))
	if s.Screen != nil && len(ask) > 1 {
		if verdicts, err = s.Screen(ctx, ask); err != nil {
			return nil, err
		}
	}
	errs := fanout.Each(len(ask), s.Workers, func(i int) (err error) {
		if verdicts[i].Answer != bug.No {
			verdicts[i], err = s.Ask(ctx, ask[i])
		}
		return err
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for i, c := range ask {
		s.ahead[key(c)] = verdicts[i]
	}
	for _, at := range open {
		s.seen[key(candidates[at])] = s.ahead[key(candidates[at])]
	}
	s.Asked += len(open)
	if len(open) > 0 {
		s.tell()
	}
	answers := make([]bug.Answer, len(candidates))
	for i, c := range candidates {
		answers[i] = s.seen[key(c)].Answer
	}
	return answers, nil
}

// unasked are the open candidates whose answers are not there yet, and of those that come next as many as
// there are workers left.
func (s *search) unasked(ctx context.Context, candidates []bug.Files, open []int,
	next []bug.Files) ([]bug.Files, error) {
	var all []bug.Files
	for _, at := range open {
		if _, known := s.ahead[key(candidates[at])]; !known {
			all = append(all, candidates[at])
		}
	}
	if len(all) == 0 || len(all) >= s.width() || len(next) == 0 {
		return all, nil
	}
	early, err := s.unanswered(ctx, next)
	for _, at := range early {
		if _, known := s.ahead[key(next[at])]; !known && len(all) < s.width() {
			all = append(all, next[at])
		}
	}
	return all, err
}

// unanswered returns which candidates to run. Those that are useless are
// answered here.
func (s *search) unanswered(ctx context.Context, candidates []bug.Files) ([]int, error) {
	var open []int
	asked := map[string]bool{}
	for i, c := range candidates {
		k := key(c)
		if _, known := s.seen[k]; !known && !asked[k] {
			asked[k] = true
			open = append(open, i)
		}
	}
	if s.Useless == nil || len(open) == 0 {
		return open, nil
	}
	texts := make([]bug.Files, len(open))
	for i, at := range open {
		texts[i] = candidates[at]
	}
	useless, err := s.Useless(ctx, texts)
	if err != nil {
		return nil, err
	}
	var worth []int
	for i, at := range open {
		if useless[i] == "" {
			worth = append(worth, at)
			continue
		}
		s.Spared++
		s.seen[key(candidates[at])] = Judgement{Answer: bug.No, Words: useless[i]}
	}
	return worth, nil
}
