package sweeping

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/scrub-dev/scrub/internal/desk/swept"
)

// serve answers /metrics and /healthz for a worker.
func (a commands) serve(ctx context.Context, address string, d swept.Desk, w *swept.Working) (stop func(), err error) {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	jobs := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "scrub_job_seconds",
		Help: "How long jobs took, by step and by how they ended.", Buckets: []float64{.05, .2, 1, 5, 20, 60, 180}},
		[]string{"step", "end"})
	lost := prometheus.NewCounter(prometheus.CounterOpts{Name: "scrub_jobs_given_back_total",
		Help: "Jobs of workers that were gone, which this one gave to others."})
	running := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "scrub_jobs_running", Help: "Jobs being done."},
		func() float64 { return float64(w.Running()) })
	r.MustRegister(jobs, lost, running, &backlog{desk: d})
	w.Saw = func(f swept.Finished) {
		end := "done"
		if f.Err != nil {
			end = "not done"
		}
		jobs.WithLabelValues(f.Task.Do, end).Observe(f.Took.Seconds())
	}
	w.Lost = func(n int) { lost.Add(float64(n)) }
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(r, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", func(out http.ResponseWriter, req *http.Request) {
		soon, enough := context.WithTimeout(req.Context(), 5*time.Second)
		defer enough()
		if _, err := d.Sweeps(soon); err != nil {
			http.Error(out, "the state cannot be read: "+err.Error(), http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(out, "ok\n") // to a client that may be gone
	})
	stop, at, err := serveOn(ctx, address, mux)
	if err == nil {
		w.Log.Info("answering /metrics and /healthz", "address", at.String())
	}
	return stop, err
}

// A backlog is how far sweeps have come, read when somebody asks.
type backlog struct{ desk swept.Desk }

var reportsBy = prometheus.NewDesc("scrub_reports", "Reports of a sweep by how far they have come.",
	[]string{"sweep", "state"}, nil)

// Describe implements prometheus.Collector.
func (b *backlog) Describe(to chan<- *prometheus.Desc) { to <- reportsBy }

// Collect implements prometheus.Collector.
func (b *backlog) Collect(to chan<- prometheus.Metric) {
	soon, enough := context.WithTimeout(context.Background(), 5*time.Second)
	defer enough()
	all, err := b.desk.Sweeps(soon)
	if err != nil {
		to <- prometheus.NewInvalidMetric(reportsBy, err)
		return
	}
	for _, p := range all {
		for state, n := range map[string]int64{"done": p.Done, "set_aside": p.Aside, "running": p.Running,
			"to_go": p.Reports - p.Done - p.Aside - p.Running} {
			to <- prometheus.MustNewConstMetric(reportsBy, prometheus.GaugeValue, float64(n), p.Sweep, state)
		}
	}
}
