package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/scrub-dev/scrub/internal/page"
	"github.com/scrub-dev/scrub/internal/web/door"
)

// A hub tells those who watch what happens.
type hub struct {
	mu       sync.Mutex
	watchers map[*watcher]bool
}

// A watcher is one open stream.
type watcher struct {
	who  door.Person
	news chan string
}

const (
	mostStreams = 512              // open at once
	mostOfOne   = 8                // of one person
	slowest     = 10 * time.Second // that a watcher may take for a message
	still       = 20 * time.Second // after which a stream shows that it is alive
	behind      = 64               // messages that a watcher may be behind before it is let go
)

// join opens a stream, unless there are too many.
func (h *hub) join(who door.Person) *watcher {
	h.mu.Lock()
	defer h.mu.Unlock()
	mine := 0
	for w := range h.watchers {
		if w.who.Name == who.Name {
			mine++
		}
	}
	if len(h.watchers) >= mostStreams || mine >= mostOfOne {
		return nil
	}
	if h.watchers == nil {
		h.watchers = map[*watcher]bool{}
	}
	w := &watcher{who, make(chan string, behind)}
	h.watchers[w] = true
	return w
}

func (h *hub) leave(w *watcher) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watchers[w] {
		delete(h.watchers, w)
		close(w.news)
	}
}

// tell sends a message to those who may have it. Who does not read is let go, and comes back by itself.
func (h *hub) tell(kind string, body any, may func(door.Person) bool) {
	data, err := json.Marshal(body)
	if err != nil {
		panic(err) // plain values
	}
	message := fmt.Sprintf("event: %s\ndata: %s\n\n", kind, data)
	h.mu.Lock()
	defer h.mu.Unlock()
	for w := range h.watchers {
		if !may(w.who) {
			continue
		}
		select {
		case w.news <- message:
		default:
			delete(h.watchers, w)
			close(w.news)
		}
	}
}

// tellChanged tells which cases have changed, each to those who may see it.
func (s *Server) tellChanged(ids []string) {
	if len(ids) == 0 {
		return
	}
	const most = 50 // more at once are a sweep, and nobody follows each
	byRepo := map[string][]string{}
	for _, id := range ids[:min(most, len(ids))] {
		if row, ok := s.Index.Row(id); ok {
			byRepo[row.Repo] = append(byRepo[row.Repo], id)
		}
	}
	for repo, some := range byRepo {
		s.hub.tell("changed", some, func(p door.Person) bool { return p.In(repo) >= door.Reader })
	}
}

func (s *Server) tellJob(j page.Job) {
	s.hub.tell("job", j, func(p door.Person) bool { return p.In(j.Repo) >= door.Reader })
}

// events is a stream of what happens.
func (v visit) events() error {
	w := v.hub.join(v.who)
	if w == nil {
		http.Error(v.w, "too many open streams", http.StatusServiceUnavailable)
		return nil
	}
	defer v.hub.leave(w)
	head := v.w.Header()
	head.Set("Content-Type", "text/event-stream")
	head.Set("X-Accel-Buffering", "no")
	out := http.NewResponseController(v.w)
	_ = out.SetReadDeadline(time.Time{}) // where that cannot be set there is none
	send := func(text string) bool {
		_ = out.SetWriteDeadline(v.Now().Add(slowest))
		_, err := v.w.Write([]byte(text))
		return err == nil && out.Flush() == nil
	}
	again := time.NewTicker(still)
	defer again.Stop()
	for going := send("retry: 1000\n\n"); going; {
		select {
		case <-v.r.Context().Done():
			return nil
		case <-again.C: // who has left hears nothing more, and proxies see that the stream is alive
			_, _, in := v.Door.Who(v.r)
			going = in && send(": \n\n")
		case text, ok := <-w.news:
			_, _, in := v.Door.Who(v.r)
			going = ok && in && send(text)
		}
	}
	return nil
}
