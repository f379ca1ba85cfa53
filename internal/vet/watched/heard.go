package watched

import (
	"context"
	"regexp"
	"strings"
	"sync"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/rehearse"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/vet"
)

// A heardBox listens to the runs of programs that nobody has read: what one of them does later than in its rehearsal, at
// another time or with some luck, is noticed when it does it.
type heardBox struct {
	sandbox.Walled
	watch   Watch
	mu      sync.Mutex
	seen    rehearse.Seen // what was seen in rehearsals, and about which nobody had to be asked
	imports string        // what it imports, and nothing else
}

// Heard is the box for runs of a program after its rehearsal, which showed seen. Imports is what it imports: what its
// libraries do for that is none of its doing, with any release of them.
func (w Watch) Heard(seen rehearse.Seen, imports string) sandbox.Box {
	h, again := w.Box.(*heardBox)
	if !again {
		walled, ok := w.Box.(sandbox.Walled)
		if !ok {
			return w.Box
		}
		h = &heardBox{Walled: walled, watch: w}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.imports = imports
	h.seen.Deeds, h.seen.Made = append(h.seen.Deeds, seen.Deeds...), append(h.seen.Made, seen.Made...)
	return h
}

// Run implements sandbox.Box.
func (h *heardBox) Run(ctx context.Context, job sandbox.Job) (bug.Outcome, error) {
	if _, program := job.Repro.Files[bug.Script]; !program || job.Hear != nil {
		return h.Walled.Run(ctx, job)
	}
	o, heard, err := h.listen(ctx, job)
	if err != nil {
		return o, err
	}
	h.mu.Lock()
	known, imports := h.seen, h.imports
	h.mu.Unlock()
	heard = heard.Beyond(known)
	launched := len(job.Repro.Command) > 2 // by a launcher of a profile, which starts it several times
	if len(heard.Deeds) > 0 && imports != "" {
		job.Repro = bug.Program(imports)
		_, imported, err := h.listen(ctx, job)
		if err != nil {
			return o, err
		}
		heard = heard.Beyond(imported)
	}
	for _, d := range heard.Deeds {
		if launched && d.Name == "os.execv" && again.MatchString(d.Args[0]) {
			continue
		}
		alone := rehearse.Seen{Ended: true, Deeds: []rehearse.Deed{d}, Made: known.Made}
		found, err := vet.Rehearsed(alone, h.watch.Profile, nil)
		if err != nil {
			return o, err
		}
		if vet.Asks(found) {
			o.Reached += found[0].Class + ": " + bug.Short(strings.Join(d.Args, " "), 120) + "\n"
		}
	}
	return o, nil
}

// again is an interpreter that is started with the program.
var again = regexp.MustCompile(`^\S*/python[\d.]* ` + regexp.QuoteMeta(bug.Script) + `$`)

// listen runs a program and says what was heard of it.
func (h *heardBox) listen(ctx context.Context, job sandbox.Job) (bug.Outcome, rehearse.Seen, error) {
	heard := rehearse.Seen{Ended: true}
	e := ear{tell: func(d rehearse.Deed) {
		if d.Name != rehearse.Started && len(heard.Deeds) < rehearse.MostHeard {
			heard.Deeds = append(heard.Deeds, d)
		}
	}}
	job.Hear = e.hear
	o, err := h.Walled.Run(ctx, job)
	return o, heard, err
}
