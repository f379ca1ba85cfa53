package console

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"scrub/internal/pipeline"
	"scrub/internal/report"
)

func terminal(fd uintptr) bool { return term.IsTerminal(int(fd)) }

// A View shows how the work goes. On a terminal the last line is alive and
// says what is being done; elsewhere what was found is a line, and what is
// being done becomes one if it takes long.
type View struct {
	w      io.Writer
	live   bool
	quiet  bool
	now    func() time.Time
	ticker *time.Ticker
	done   chan struct{}

	mu    sync.Mutex
	step  string
	text  string
	since time.Time // when step began
	told  bool      // the step's line has been written where lines stay
	frame int
}

// patience is how long nobody wonders whether anything is going on.
const patience = 2 * time.Second

// View begins to show how the work goes.
func (a *Console) View() *View {
	v := &View{w: a.Err, live: a.ErrTTY, quiet: a.Quiet, now: a.Now, done: make(chan struct{}), ticker: time.NewTicker(100 * time.Millisecond)}
	go v.animate()
	return v
}

func (v *View) animate() {
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
func (v *View) draw() {
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
	case took > patience && !v.told:
		v.told = true
		fmt.Fprintf(v.w, "%s: %s …\n", v.step, v.text)
	}
}

// Tell shows news.
func (v *View) Tell(e pipeline.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	text := strings.ReplaceAll(report.Clean(e.Text), "\n", " ")
	if !e.Done {
		if v.step != e.Step || !v.live {
			v.since = v.now()
		}
		v.step, v.text, v.told = e.Step, text, false
		v.draw()
		return
	}
	v.step = ""
	switch {
	case v.quiet:
	case v.live:
		fmt.Fprintf(v.w, "%s✓ %-8s %s\n", clearLine, e.Step, text)
	default:
		fmt.Fprintf(v.w, "%s: %s\n", e.Step, text)
	}
}

// Say shows something that was found, or that takes a while.
func (v *View) Say(step, text string) { v.Tell(pipeline.Event{Step: step, Text: text, Done: true}) }

// Pause takes the live line away while something else is written.
func (v *View) Pause() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.live && !v.quiet && v.step != "" {
		fmt.Fprint(v.w, clearLine)
	}
	v.step = ""
}

// Close ends the show.
func (v *View) Close() {
	v.Pause()
	v.ticker.Stop()
	close(v.done)
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
