package index

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// A list of files is read once in a while, and not for every question.
func TestKept(t *testing.T) {
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = w.Write([]byte(`<a href="snail-1.0-py3-none-any.whl">snail-1.0-py3-none-any.whl</a>`))
	}))
	defer s.Close()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	i := Index{URL: s.URL, Kept: &Kept{Now: func() time.Time { return now }}}
	for range 3 {
		if r, err := i.Newest(t.Context(), "snail"); err != nil || r.Version != "1.0" {
			t.Fatal(r, err)
		}
	}
	now = now.Add(time.Hour)
	if _, err := i.Newest(t.Context(), "snail"); err != nil || asked != 2 {
		t.Errorf("asked %d times, %v", asked, err)
	}
}
