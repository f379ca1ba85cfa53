package web

import (
	"net/http"
	"time"

	"github.com/scrub-dev/scrub/internal/page"
	"github.com/scrub-dev/scrub/internal/web/door"
)

const (
	slowest = 10 * time.Second // that a watcher may take for a message
	still   = 20 * time.Second // after which a stream shows that it is alive
)

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
		s.hub.Tell("changed", some, func(p door.Person) bool { return p.In(repo) >= door.Reader })
	}
}

func (s *Server) tellJob(j page.Job) {
	s.hub.Tell("job", j, func(p door.Person) bool { return p.In(j.Repo) >= door.Reader })
}

// events is a stream of what happens.
func (v visit) events() error {
	w := v.hub.Join(v.who)
	if w == nil {
		http.Error(v.w, "too many open streams", http.StatusServiceUnavailable)
		return nil
	}
	defer v.hub.Leave(w)
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
		case text, ok := <-w.News:
			_, _, in := v.Door.Who(v.r)
			going = ok && in && send(text)
		}
	}
	return nil
}
