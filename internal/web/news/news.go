// Package news tells those who watch what happens.
package news

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/scrub-dev/scrub/internal/web/door"
)

// A Hub tells those who watch what happens.
type Hub struct {
	mu       sync.Mutex
	watchers map[*Watcher]bool
}

// A Watcher is one open stream.
type Watcher struct {
	who  door.Person
	News chan string // closed when it is let go
}

const (
	mostStreams = 512 // open at once
	mostOfOne   = 8   // of one person
	behind      = 64  // messages that a watcher may be behind before it is let go
)

// Join opens a stream, unless there are too many.
func (h *Hub) Join(who door.Person) *Watcher {
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
		h.watchers = map[*Watcher]bool{}
	}
	w := &Watcher{who, make(chan string, behind)}
	h.watchers[w] = true
	return w
}

// Leave ends a stream.
func (h *Hub) Leave(w *Watcher) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watchers[w] {
		delete(h.watchers, w)
		close(w.News)
	}
}

// Tell sends a message to those who may have it. Who does not read is let go, and comes back by itself.
func (h *Hub) Tell(kind string, body any, may func(door.Person) bool) {
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
		case w.News <- message:
		default:
			delete(h.watchers, w)
			close(w.News)
		}
	}
}
