package web_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/report/reporttest"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/web/door"
)

// fill puts n cases of forty repositories on record, every tenth with something to agree to.
func (w *world) fill(n int) []string {
	w.t.Helper()
	kept, err := w.desk.Kept(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	words := strings.Fields("snail shell slow tensor shape crash export compile wrong gradient dtype sparse index memory hangs")
	verdicts := []casefile.Verdict{casefile.Reproduces, casefile.Fixed}
	l, err := w.desk.Ledger(w.t.Context(), nil, func() (action.Policy, error) { return action.PolicyOf(nil) })
	if err != nil {
		w.t.Fatal(err)
	}
	var ids []string
	for i := range n {
		c := reporttest.Whole(verdicts[i%2])
		c.Report.Ref = bug.Ref{Repo: fmt.Sprintf("octo/project%d", i%40), Number: i + 1}
		c.Report.Title = fmt.Sprintf("%s %s in %s %d", words[i%len(words)], words[i/7%len(words)], words[i/3%len(words)], i)
		c.Report.Created = time.Now().Add(-time.Duration(i) * time.Hour)
		c.Report.Labels = []string{"module: " + words[i%len(words)], "triaged"}
		c.Repro = bug.Program(strings.Repeat(fmt.Sprintf("print(%d)\n", i), 40))
		c.Proposals = []action.Action{{Kind: action.Comment, On: c.Report.Ref, Text: "It still fails.", Why: "seen"}}
		body, err := json.Marshal(c.Document())
		if err != nil {
			w.t.Fatal(err)
		}
		brief := c.Brief()
		brief.Component = words[i/11%len(words)]
		listed, err := json.Marshal(brief)
		if err != nil {
			w.t.Fatal(err)
		}
		verdict, _ := c.Verdict()
		if err := kept.PutCase(w.t.Context(), store.Case{ID: c.ID(), Ref: c.Report.Ref.String(), Title: c.Report.Title,
			Verdict: string(verdict), Body: body, Updated: time.Now().Add(-time.Duration(i) * time.Minute),
			Listed: listed}); err != nil {
			w.t.Fatal(err)
		}
		if i%10 == 0 {
			if err := l.Propose(w.t.Context(), c.Report, c.Proposals); err != nil {
				w.t.Fatal(err)
			}
		}
		ids = append(ids, c.ID())
	}
	w.look()
	return ids
}

// What 50 people at once wait for the first byte of each page, with as many cases as SCRUB_TEST_CASES says (50,000).
// It prints what it measures: nothing here can fail for being slow.
func BenchmarkPages(b *testing.B) {
	n := 50_000
	if said := os.Getenv("SCRUB_TEST_CASES"); said != "" {
		if _, err := fmt.Sscan(said, &n); err != nil {
			b.Fatal(err)
		}
	}
	w := newWorld(b)
	ids := w.fill(n)
	const people = 50
	var all []*browser
	for i := range people {
		all = append(all, w.as(fmt.Sprintf("user%d", i), door.Grant{Repo: "*", Role: door.Admin}))
	}
	runtime.GC()
	pages := map[string]func(r *rand.Rand) string{
		"inbox":  func(*rand.Rand) string { return "/inbox" },
		"cases":  func(r *rand.Rand) string { return fmt.Sprintf("/cases?page=%d", 1+r.IntN(100)) },
		"search": func(r *rand.Rand) string { return fmt.Sprintf("/cases?q=snail+%d", r.IntN(1000)) },
		"facet":  func(r *rand.Rand) string { return fmt.Sprintf("/cases?verdict=fixed&repo=octo/project%d", r.IntN(40)) },
		"case":   func(r *rand.Rand) string { return "/case/" + ids[r.IntN(len(ids))] },
		"charts": func(*rand.Rand) string { return "/charts" },
		"live":   func(*rand.Rand) string { return "/live" },
		"fleet":  func(*rand.Rand) string { return "/fleet" },
		"queue":  func(*rand.Rand) string { return "/queue" },
		"audit":  func(*rand.Rand) string { return "/audit" },
		"batch":  func(r *rand.Rand) string { return fmt.Sprintf("/batch?repo=octo/project%d", r.IntN(40)) },
	}
	measure := func(when string, names ...string) {
		for _, name := range names {
			took, bytes := w.storm(all, pages[name])
			slices.Sort(took)
			at := func(p float64) time.Duration { return took[int(p*float64(len(took)-1))].Round(100 * time.Microsecond) }
			fmt.Printf("%-7s %d requests by %d people%s: median %v, 95 %% %v, 99 %% %v; %d kB\n", name, len(took), people,
				when, at(.5), at(.95), at(.99), bytes/1000)
		}
	}
	for range b.N {
		measure("", "inbox", "cases", "search", "facet", "case", "charts", "live", "fleet", "queue", "audit", "batch")
		still := w.stir(ids)
		measure(" while cases change", "inbox", "cases", "search", "facet", "case", "charts")
		still()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Printf("%d cases, memory of server and load together: %d MB in use, %d MB from the system\n", n,
		m.HeapAlloc>>20, m.Sys>>20)
}

// stir changes a case every 300 ms and looks, as a busy fleet has the page do, until it is told to be still.
func (w *world) stir(ids []string) (still func()) {
	kept, err := w.desk.Kept(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	over, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		tick := time.NewTicker(300 * time.Millisecond)
		defer tick.Stop()
		for n := 0; ; n++ {
			select {
			case <-over:
				return
			case <-tick.C:
			}
			c, err := kept.Case(w.t.Context(), ids[n*37%len(ids)])
			if err == nil {
				c.Updated = time.Now()
				err = kept.PutCase(w.t.Context(), c)
			}
			if err != nil {
				w.t.Error(err)
				return
			}
			w.look()
		}
	}()
	return func() { close(over); <-done }
}

// storm has everybody ask for a page again and again, each as soon as the last one has come.
func (w *world) storm(all []*browser, page func(*rand.Rand) string) (took []time.Duration, most int) {
	const each = 20
	var mu sync.Mutex
	var wait sync.WaitGroup
	for i, b := range all {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			for range each {
				ask := b.request(http.MethodGet, page(r), nil)
				var first time.Duration
				began := time.Now()
				trace := &httptrace.ClientTrace{GotFirstResponseByte: func() { first = time.Since(began) }}
				answer, err := b.Do(ask.WithContext(httptrace.WithClientTrace(ask.Context(), trace)))
				if err != nil {
					w.t.Error(err)
					return
				}
				text, _ := io.Copy(io.Discard, answer.Body) // its length is what counts
				answer.Body.Close()
				if answer.StatusCode != http.StatusOK {
					w.t.Errorf("%s: %s", ask.URL, answer.Status)
					return
				}
				mu.Lock()
				took, most = append(took, first), max(most, int(text))
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return took, most
}
