// Package screen shows a long search on the whole terminal: what it works on as it
// is now, how that has changed, and keys to pause it and to stop it.
package screen

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/scrub-dev/scrub/internal/console/paper"
	"github.com/scrub-dev/scrub/internal/event"
)

// A Screen is the terminal, taken for a while.
type Screen struct {
	In    io.Reader
	Out   io.Writer
	Env   []string // what the environment says of the terminal
	Title string
	Plain bool // no colours
	Now   func() time.Time
	Stop  func() // called when somebody wants it to end

	program *tea.Program
	mu      sync.Mutex
	gate    chan struct{} // closed while it may go on
	done    chan struct{}
}

// Open takes the terminal. Close gives it back.
func (s *Screen) Open(ctx context.Context) {
	s.gate, s.done = make(chan struct{}), make(chan struct{})
	close(s.gate)
	s.program = tea.NewProgram(model{screen: s, began: s.Now(), at: s.Now()},
		tea.WithContext(context.WithoutCancel(ctx)), tea.WithInput(s.In), tea.WithOutput(s.Out), tea.WithEnvironment(s.Env), tea.WithoutSignalHandler())
	go func() {
		defer close(s.done)
		_, _ = s.program.Run() // what it shows is over when it ends, however it does
	}()
}

// Close gives the terminal back.
func (s *Screen) Close() {
	s.program.Quit()
	<-s.done
}

// Tell shows news.
func (s *Screen) Tell(e event.Event) { s.program.Send(e) }

// Wait returns once nobody has paused the search.
func (s *Screen) Wait(ctx context.Context) {
	s.mu.Lock()
	gate := s.gate
	s.mu.Unlock()
	select {
	case <-gate:
	case <-ctx.Done():
	}
}

// pause holds the search up, or lets it go on, and reports whether it is held up.
func (s *Screen) pause(hold bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.gate:
		if hold {
			s.gate = make(chan struct{})
		}
	default:
		if !hold {
			close(s.gate)
		}
	}
}

type model struct {
	screen        *Screen
	width, height int
	began, at     time.Time
	news          event.Event // the last that tells of what is being done
	found         []string    // what was found, the latest last
	sizes         []int       // of what is shown, each time it changed
	rates         []int       // questions in each second
	asked, before int
	paused, over  bool
}

type tick time.Time

func (m model) Init() tea.Cmd { return ticking() }

func ticking() tea.Cmd { return tea.Tick(time.Second, func(t time.Time) tea.Msg { return tick(t) }) }

// Update implements tea.Model.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tick:
		m.at = m.screen.Now()
		m.rates = kept(append(m.rates, m.asked-m.before))
		m.before = m.asked
		return m, ticking()
	case event.Event:
		m = m.heard(msg)
	case tea.KeyPressMsg:
		return m.pressed(msg.String())
	}
	return m, nil
}

// pressed does what a key is for.
func (m model) pressed(key string) (tea.Model, tea.Cmd) {
	switch key {
	case "p", "space", " ":
		m.paused = !m.paused
		m.screen.pause(m.paused)
	case "q", "a", "esc", "ctrl+c":
		m.over, m.paused = true, false
		m.screen.Stop()
		m.screen.pause(false)
	case "ctrl+z":
		return m, tea.Suspend
	}
	return m, nil
}

func (m model) heard(e event.Event) model {
	if e.State != event.Going {
		m.found = append(m.found, e.Step+": "+e.Text)
		return m
	}
	if e.Show == "" {
		e.Show = m.news.Show
	} else if n := strings.Count(strings.TrimRight(e.Show, "\n"), "\n") + 1; len(m.sizes) == 0 ||
		m.sizes[len(m.sizes)-1] != n {
		m.sizes = kept(append(m.sizes, n))
	}
	m.asked = max(m.asked, e.N)
	m.news = e
	return m
}

// kept are the last of some numbers, as many as a wide terminal shows.
func kept(all []int) []int { return all[max(0, len(all)-200):] }

// View implements tea.Model.
func (m model) View() tea.View {
	v := tea.NewView(m.draw())
	v.AltScreen = true
	return v
}

// draw is all that is shown, in as many lines and columns as there are.
func (m model) draw() string {
	width, height := max(m.width, 20), max(m.height, 6)
	state := "working"
	switch {
	case m.over:
		state = "stopping: what was found so far is kept"
	case m.paused:
		state = "paused"
	}
	top := []string{
		m.ink("1", paper.Clip(m.screen.Title, width)),
		paper.Clip(fmt.Sprintf("%s, %s; %s", state, m.at.Sub(m.began).Round(time.Second), m.news.Text), width),
	}
	if height > 10 {
		top = append(top, m.ink("36", paper.Clip("size  "+sparks(m.sizes, width-6), width)),
			m.ink("36", paper.Clip("runs  "+sparks(m.rates, width-6), width)))
	}
	top = append(top, "")
	bottom := []string{"", m.ink("2", paper.Clip("p pause   a accept what there is   q stop", width))}
	if len(m.found) > 0 && height > 10 {
		bottom = append([]string{"", paper.Clip(m.found[len(m.found)-1], width)}, bottom...)
	}
	room := max(1, height-len(top)-len(bottom))
	var middle []string
	for line := range strings.Lines(m.news.Show) {
		middle = append(middle, paper.Clip(strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), "\n"), width))
	}
	if len(middle) > room {
		middle = append(middle[:room-1], m.ink("2", fmt.Sprintf("… %d more lines", len(middle)-room+1)))
	}
	for len(middle) < room {
		middle = append(middle, "")
	}
	return strings.Join(append(append(top, middle...), bottom...), "\n")
}

func (m model) ink(code, text string) string {
	if m.screen.Plain {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

var bars = []rune("▁▂▃▄▅▆▇█")

// sparks draws numbers as a line of bars.
func sparks(all []int, width int) string {
	all = all[max(0, len(all)-width):]
	most := 1
	for _, n := range all {
		most = max(most, n)
	}
	var b strings.Builder
	for _, n := range all {
		b.WriteRune(bars[n*(len(bars)-1)/most])
	}
	return b.String()
}
