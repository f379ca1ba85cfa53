// Package shown keeps what was shown, for as long as it holds.
package shown

import (
	"sync"

	"github.com/scrub-dev/scrub/internal/page"
)

// Views are cases that were shown: anything that changes begins a new version.
type Views struct {
	mu      sync.Mutex
	version int
	all     map[string]page.CaseView
	size    int
}

// What is kept.
const (
	mostViews = 200
	mostSize  = 32 << 20
)

// sizeOf is about what a view takes in memory.
func sizeOf(v page.CaseView) int {
	n := 4096
	for _, s := range v.Report.Posts() {
		n += len(s)
	}
	for _, s := range v.Repro.Files {
		n += len(s)
	}
	for _, p := range v.Thread.Programs {
		n += len(p.Text)
	}
	for _, a := range v.Asked {
		for _, o := range a.Tally.Outcomes {
			n += len(o.Stdout) + len(o.Stderr)
		}
	}
	return n
}

// Get is a case as it was shown.
func (s *Views) Get(version int, id string) (page.CaseView, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.all[id]
	return v, ok && s.version == version
}

// Put keeps a case, unless it is very large.
func (s *Views) Put(version int, id string, v page.CaseView) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := sizeOf(v)
	if n > mostSize/8 {
		return
	}
	if s.version != version || len(s.all) >= mostViews || s.size+n > mostSize || s.all == nil {
		s.version, s.all, s.size = version, map[string]page.CaseView{}, 0
	}
	s.size += n
	s.all[id] = v
}
