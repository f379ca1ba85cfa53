package github_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/forge/github"
)

// What GitHub says of its limits with an answer is told, whatever the answer is.
func TestLimitsAreTold(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-RateLimit-Limit", "5000")
		w.Header().Set("X-RateLimit-Remaining", "4998")
		w.Header().Set("X-RateLimit-Reset", "1800000000")
		w.Header().Set("X-RateLimit-Resource", "core")
		w.WriteHeader(http.StatusNotFound)
	}))
	defer s.Close()
	var told []forge.Limit
	c, err := github.New(github.Options{URL: s.URL, Told: func(l forge.Limit) { told = append(told, l) }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Report(t.Context(), bug.Ref{Repo: "octo/snail", Number: 7}); err == nil {
		t.Error("there is no such issue")
	}
	want := forge.Limit{Host: s.Listener.Addr().String(), Resource: "core", Left: 4998, Of: 5000, Resets: time.Unix(1800000000, 0)}
	if len(told) == 0 || told[0] != want {
		t.Errorf("told %v, want %v", told, want)
	}
}
