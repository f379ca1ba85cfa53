package console

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/report"
)

func terminal(fd uintptr) bool { return term.IsTerminal(int(fd)) }

// A view shows how the work goes. On a terminal the last line is alive and
// says what is being done; elsewhere what was found is a line, and what is
// being done becomes one if it takes long.
type view struct {
	w      io.Writer
	live   bool
	quiet  bool
	now    func() time.Time
	ticker *time.Ticker
	done   chan struct{}

	mu      sync.Mutex
	step    string
	text    string
	since   time.Time // when step began
	written bool      // the step's line has been written where lines stay
	frame   int
}

// patience is how long nobody wonders whether anything is going on.
const patience = 2 * time.Second

// view begins to show how the work goes.
func (a *Console) view() *view {
	if a.shown != nil {
		return a.shown
	}
	v := &view{w: a.Err, live: a.ErrTTY, quiet: a.Quiet, now: a.Now, done: make(chan struct{}),
		ticker: time.NewTicker(100 * time.Millisecond)}
	go v.animate()
	a.shown = v
	return v
}

func (v *view) animate() {
	for {
		select {
		case <-v.done:
			return
		case <-v.ticker.C:
			v.mu.Lock()
			v.frame++
			v.draw()
			v.mu.Unlock()
		}
	}
}

const clearLine = "\r\x1b[K"

// draw writes what is being done. The caller holds the lock.
func (v *view) draw() {
	took := v.now().Sub(v.since)
	switch {
	case v.step == "" || v.quiet:
	case v.live:
		spin := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
		seconds := ""
		if took > patience {
			seconds = fmt.Sprintf(" (%ds)", int(took.Seconds()))
		}
		fmt.Fprintf(v.w, "%s%c %-8s %s%s", clearLine, spin[v.frame%len(spin)], v.step, clip(v.text, 90), seconds)
	case took > patience && !v.written:
		v.written = true
		fmt.Fprintf(v.w, "%s: %s …\n", v.step, v.text)
	}
}

// tell shows news.
func (v *view) tell(e event.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	text := strings.ReplaceAll(report.Clean(words(e)), "\n", " ")
	if e.State == event.Going {
		if v.step != e.Step || !v.live {
			v.since = v.now()
		}
		v.step, v.text, v.written = e.Step, text, false
		v.draw()
		return
	}
	mark := "✓"
	if e.State == event.Skipped {
		mark, text = "-", "skipped: "+text
	}
	v.wipe()
	switch {
	case e.State == event.Warning:
		fmt.Fprintf(v.w, "scrub: %s\n", text)
	case v.quiet:
	case v.live:
		fmt.Fprintf(v.w, "%s %-8s %s\n", mark, e.Step, text)
	default:
		fmt.Fprintf(v.w, "%s: %s\n", e.Step, text)
	}
}

// words are those of an event, with its numbers.
func words(e event.Event) string {
	if e.Of == 0 {
		return e.Text
	}
	count := fmt.Sprintf("%d of %d", e.N, e.Of)
	if e.Text == "" {
		return count
	}
	return count + ", " + e.Text
}

// wipe takes the live line away. The caller holds the lock.
func (v *view) wipe() {
	if v.live && !v.quiet && v.step != "" {
		fmt.Fprint(v.w, clearLine)
	}
	v.step = ""
}

// pause takes the live line away while something else is written.
func (a *Console) pause() {
	if a.shown != nil {
		a.shown.mu.Lock()
		defer a.shown.mu.Unlock()
		a.shown.wipe()
	}
}

// close ends the show.
func (v *view) close() {
	v.mu.Lock()
	v.wipe()
	v.mu.Unlock()
	v.ticker.Stop()
	close(v.done)
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
