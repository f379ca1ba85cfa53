// Package reduce makes a program as small as it can get while it still shows
// its bug.
//
// The work is split in two. A [Pass] knows a language and proposes edits; it
// runs nothing. The [Reducer] knows nothing but bytes: it tries the edits,
// keeps those that preserve the bug, and goes round again until no pass has
// anything to offer.
//
// A Reducer has no state worth saving. What it asks, and in which order,
// follows from the program and the answers alone, so a reduction that was cut
// short is resumed by running it again over remembered answers.
package reduce

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// A Program is what passes look at.
type Program struct {
	Files bug.Files
	Trees map[string]*syntax.Node // of the files that have one
	// What a run of it shows from inside, and programs that do the same in a straight line; asked for only if needed.
	Look     func() syntax.Look
	Straight func() []syntax.Lift
	Last     bool     // passes that leave out what is hopeless are to leave out nothing now
	Called   []string // methods that calling an object runs, besides __call__
}

// A Pass proposes ways to make a program simpler, the boldest first. Shown
// the same program, it proposes the same edits.
type Pass struct {
	Name    string
	Propose func(Program) iter.Seq[Edit]
	Once    bool // it has said all when it has been asked once
	Tier    int  // it waits until no pass of a lower tier helps
	Bold    bool // it cuts much at once: where runs are dear it is asked before the others of its tier
	NoRetry bool // what failed once is not asked again even at the end, where its lines are the same
}

// A Judgement is the answer about a candidate, and how it ended.
type Judgement struct {
	Answer bug.Answer `json:"answer"`
	Words  string     `json:"words,omitempty"`
}

// A Reducer tries the edits that passes propose.
type Reducer struct {
	Passes []Pass
	View   func(context.Context, bug.Files) (Program, error)
	// why a candidate is not worth a run, or nothing; nil to run all
	Useless func(context.Context, []bug.Files) ([]string, error)
	Ask     func(context.Context, bug.Files) (Judgement, error) // does it still show the bug?
	// which of several candidates surely do not, for less than asking about each; nil to ask about all
	Screen  func(context.Context, []bug.Files) ([]Judgement, error)
	Workers int                           // questions in flight at once; at least 1
	Dear    func() bool                   // idle workers ask ahead while it is true; nil for never
	Budget  int                           // questions to ask at most; 0 for as many as it takes
	Enough  int                           // stop at so many lines; 0 to go on to the end
	Saw     func(asked int, steps []Step) // news; may be nil
}

// A Step is a candidate that became the program.
type Step struct {
	Pass  string    `json:"pass"`
	Asked int       `json:"asked"` // questions so far
	Size  Size      `json:"size"`
	Files bug.Files `json:"-"`
}

// A Result is how far a reduction got.
type Result struct {
	Files   bug.Files
	Asked   int  // questions it took
	Spared  int  // candidates that were no use asking about
	Minimal bool // no pass has anything more to offer
	ByPass  map[string]int
	Steps   []Step
}

// errStop ends a search that has spent what it may, or is good enough.
var errStop = errors.New("enough")

// Reduce returns the simplest program it can find, given one that shows the
// bug. Running out of budget, or of time, is no error: the result is then the
// best so far, and not Minimal.
func (r *Reducer) Reduce(ctx context.Context, files bug.Files) (Result, error) {
	s := &search{Reducer: r, Result: Result{Files: files, ByPass: map[string]int{}}, failed: map[string]bool{},
		said: map[string]bool{}, seen: map[string]Judgement{}, ahead: map[string]Judgement{}}
	for !s.Minimal {
		helped, err := s.round(ctx)
		if err == nil && !helped {
			// Now what failed before, when other things were still there.
			s.again = true
			helped, err = s.round(ctx)
			s.again = false
			s.Minimal = !helped && err == nil
		}
		if errors.Is(err, errStop) || err != nil && ctx.Err() != nil {
			return s.Result, nil
		}
		if err != nil {
			return s.Result, err
		}
	}
	return s.Result, nil
}

// round goes once through all passes and reports whether any helped. One that
// tries again what failed before ends with the first that does.
func (s *search) round(ctx context.Context) (bool, error) {
	helped := false
	for _, p := range s.inOrder() {
		if p.Once && s.said[p.Name] {
			continue
		}
		before, asked := s.Files, s.Asked
		err := s.exhaust(ctx, p)
		s.said[p.Name] = true
		s.ByPass[p.Name] += s.Asked - asked
		helped = helped || less(s.Files, before)
		if err != nil || helped && (s.again || p.Tier > 0) {
			return helped, err
		}
	}
	return helped, nil
}

// inOrder are the passes in the order in which they pay.
func (s *search) inOrder() []Pass {
	if s.Dear == nil || !s.Dear() {
		return s.Passes
	}
	return slices.SortedStableFunc(slices.Values(s.Passes), func(a, b Pass) int {
		bold := map[bool]int{true: 0, false: 1}
		return cmp.Or(cmp.Compare(a.Tier, b.Tier), cmp.Compare(bold[a.Bold], bold[b.Bold]))
	})
}

// A search is one call of Reduce.
type search struct {
	*Reducer
	Result
	seen   map[string]Judgement // answers, by what a candidate says
	ahead  map[string]Judgement // answers of runs, also to what nobody has asked yet
	said   map[string]bool      // passes that have been asked
	failed map[string]bool      // edits that did not help where the lines around them were the same
	again  bool                 // they are asked about all the same
}

// exhaust goes through what p proposes, again while it helps.
func (s *search) exhaust(ctx context.Context, p Pass) error {
	for {
		before := s.Files
		if err := s.try(ctx, p); err != nil || !less(s.Files, before) || p.Once {
			return err
		}
	}
}

// try goes once through what p proposes for s.Files and keeps what works.
func (s *search) try(ctx context.Context, p Pass) error {
	base, err := s.View(ctx, s.Files)
	if err != nil {
		return err
	}
	base.Last = s.again
	next, stop := iter.Pull(p.Propose(base))
	defer stop()
	q := queue{next: next, skip: func(e Edit) bool {
		return (!s.again || p.NoRetry) &&
			s.failed[fingerprint(p, base.Files, e)]
	}}
	var kept Edit
	for {
		edits := q.gather(base.Files, kept)
		if len(edits) == 0 {
			return nil
		}
		good, err := s.filter(ctx, p, base.Files, edits, s.next(&q, base.Files, kept, len(edits)))
		if err != nil {
			return err
		}
		if len(good) == 0 {
			continue
		}
		if kept, err = s.combine(ctx, base.Files, good); err != nil {
			return err
		}
		if err := s.keep(p, kept.Apply(base.Files)); err != nil {
			return err
		}
	}
}

// keep makes files the program.
func (s *search) keep(p Pass, files bug.Files) error {
	s.Files = files
	step := Step{Pass: p.Name, Asked: s.Asked, Size: SizeOf(files), Files: files}
	s.Steps = append(s.Steps, step)
	s.tell()
	if s.Enough > 0 && step.Size.Lines <= s.Enough {
		return errStop
	}
	return nil
}

func (s *search) tell() {
	if s.Saw != nil {
		s.Saw(s.Asked, s.Steps)
	}
}
