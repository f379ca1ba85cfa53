package console

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/scrub-dev/scrub/internal/console/paper"
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
	plain  bool // it shows ASCII alone
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
	v := &view{w: a.Err, live: a.ErrTTY && a.animated(), plain: !a.unicode(), quiet: a.Quiet, now: a.Now,
		done: make(chan struct{}), ticker: time.NewTicker(100 * time.Millisecond)}
	go v.animate()
	a.shown = v
	return v
}

// animated reports whether a line may be written over: a dumb terminal and a log
// of CI keep every one.
func (a *Console) animated() bool {
	return a.Getenv("TERM") != "dumb" && (a.Getenv("CI") == "" || a.Getenv("CI") == "false")
}

// unicode reports whether the terminal shows more than ASCII.
func (a *Console) unicode() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(a.Getenv(name)); v != "" {
			return strings.Contains(v, "utf")
		}
	}
	return true // nobody says; every terminal of today does
}

// Width is how many columns of the terminal can be written to.
func (a *Console) Width() int { return width(a.Err) }

func width(w io.Writer) int {
	if f, ok := w.(interface{ Fd() uintptr }); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return 80
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
		if v.plain {
			spin = []rune(`|/-\`)
		}
		seconds := ""
		if took > patience {
			seconds = fmt.Sprintf(" (%ds)", int(took.Seconds()))
		}
		line := fmt.Sprintf("%c %-8s %s", spin[v.frame%len(spin)], v.step, v.text)
		fmt.Fprint(v.w, clearLine+v.shown(paper.Clip(line, width(v.w)-1-len(seconds))+seconds))
	case took > patience && !v.written:
		v.written = true
		fmt.Fprint(v.w, v.shown(fmt.Sprintf("%s: %s …\n", v.step, v.text)))
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
		fmt.Fprint(v.w, v.shown(fmt.Sprintf("%s %-8s %s\n", mark, e.Step, text)))
	default:
		fmt.Fprintf(v.w, "%s: %s\n", e.Step, text)
	}
}

// shown is text as the terminal can show it.
func (v *view) shown(text string) string {
	if !v.plain {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
			return r
		case r == '✓':
			return '+'
		case r == '…':
			return '.'
		}
		return '?'
	}, text)
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
