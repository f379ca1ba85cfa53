//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

var listens = regexp.MustCompile(`"address":"([^"]+)"`)

// A worker answers those who look after it, tells where its time goes if asked to,
// and gives its jobs back when it is told to stop.
func TestWorkerInOperation(t *testing.T) {
	var spans atomic.Int64
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body) // what there is of it
		var sent struct {
			Resources []struct {
				Scopes []struct {
					Spans []struct {
						Trace string `json:"traceId"`
						Start string `json:"startTimeUnixNano"`
					} `json:"spans"`
				} `json:"scopeSpans"`
			} `json:"resourceSpans"`
		}
		err := json.Unmarshal(body, &sent)
		if err == nil && req.URL.Path == "/v1/traces" && len(sent.Resources[0].Scopes[0].Spans[0].Trace) == 32 &&
			len(sent.Resources[0].Scopes[0].Spans[0].Start) == 19 && bytes.Contains(body, []byte("scrub.sweep")) {
			spans.Add(1)
		}
	}))
	defer collector.Close()
	state := filepath.Join(t.TempDir(), "scrub.db")
	env := append(os.Environ(), "HOME="+t.TempDir(), "USER=ann", "GH_TOKEN=", "GITHUB_TOKEN=",
		"OTEL_EXPORTER_OTLP_ENDPOINT="+collector.URL)
	command := scrub(t)
	cmd := exec.Command(command, "worker", "--state", state, "--listen", "127.0.0.1:0", "--workers", "1")
	cmd.Env = env
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	log := make([]byte, 4096)
	n := 0
	for !listens.Match(log[:n]) { // the test's own limit ends it
		k, err := out.Read(log[n:])
		if err != nil {
			t.Fatalf("%v: %s", err, log[:n])
		}
		n += k
	}
	address := string(listens.FindSubmatch(log[:n])[1])
	output(t, env, nil, command, "sweep", "../../testdata/reports/needs-info", "--steps", "triage", "--workers", "0",
		"--json", "--state", state)
	for path, want := range map[string]string{"/healthz": "ok", "/metrics": `scrub_job_seconds_count{end="done",step="triage"} 1`} {
		text := get(t, "http://"+address+path)
		if !strings.Contains(text, want) {
			t.Errorf("%s: %s", path, text)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(out) // what there is of it
	if err := cmd.Wait(); err != nil || !bytes.Contains(rest, []byte(`"stopped"`)) {
		t.Errorf("%v: %s", err, rest)
	}
	if spans.Load() == 0 {
		t.Error("no span was sent")
	}
	if left, err := filepath.Glob(state + ".worker-*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	client := http.Client{Timeout: time.Minute}
	r, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
