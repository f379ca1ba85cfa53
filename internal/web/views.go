package web

import (
	"sync"

	"github.com/scrub-dev/scrub/internal/page"
)

// views are cases that were shown and have not changed since: anything that changes begins a new version.
type views struct {
	mu      sync.Mutex
	version int
	all     map[string]page.CaseView
}

// mostViews is how many are kept.
const mostViews = 200

func (s *views) get(version int, id string) (page.CaseView, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.all[id]
	return v, ok && s.version == version
}

func (s *views) put(version int, id string, v page.CaseView) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.version != version || len(s.all) >= mostViews || s.all == nil {
		s.version, s.all = version, map[string]page.CaseView{}
	}
	s.all[id] = v
}
