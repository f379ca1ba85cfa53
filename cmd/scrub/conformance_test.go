//go:build unix

package main

import (
	"encoding/json"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The protocol's own suite and its inspector find nothing wrong. SCRUB_TEST_MCP is a folder in which npm has installed
// them; .ci/run makes one.
func TestConformance(t *testing.T) {
	at := os.Getenv("SCRUB_TEST_MCP")
	if at == "" {
		t.Skip("SCRUB_TEST_MCP names no folder with the protocol's own tests")
	}
	dir := t.TempDir()
	serve := exec.Command(scrub(t), "mcp", "--http", "127.0.0.1:0", "--state", filepath.Join(dir, "scrub.db"))
	serve.Env = append(os.Environ(), "HOME="+dir, "USER=ann", "SCRUB_MCP_TOKEN=a-token")
	where, err := url.Parse(begun(t, serve, `serving at (http://\S+)\n`))
	if err != nil {
		t.Fatal(err)
	}
	// The suite knows no tokens: this one adds it, and leaves alone what the suite says of host and origin.
	door := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(where)
		r.Out.Host = r.In.Host
		r.Out.Header.Set("Authorization", "Bearer a-token")
	}})
	t.Cleanup(door.Close)
	for _, scenario := range []string{"server-initialize", "ping", "logging-set-level", "tools-list", "prompts-list",
		"resources-list", "dns-rebinding-protection"} {
		cmd := exec.Command(filepath.Join(at, "node_modules/.bin/conformance"), "server", "--url", door.URL, "--scenario",
			scenario, "-o", dir)
		out, err := cmd.CombinedOutput()
		if strings.Contains(string(out), "Request timed out") { // which says nothing of what would have been answered
			out, err = exec.Command(cmd.Path, cmd.Args[1:]...).CombinedOutput()
		}
		if err != nil || !strings.Contains(string(out), " 0 failed") {
			t.Errorf("%s: %v: %.2000s", scenario, err, out)
		}
	}
	for method, want := range map[string]string{"tools/list": "tools", "prompts/list": "prompts",
		"resources/templates/list": "resourceTemplates", "tools/call": "content"} {
		args := []string{"--cli", scrub(t), "mcp", "--state", filepath.Join(dir, "scrub.db"), "--method", method}
		if method == "tools/call" {
			args = append(args, "--tool-name", "classify", "--tool-arg", "log=ValueError: too slow")
		}
		cmd := exec.Command(filepath.Join(at, "node_modules/.bin/mcp-inspector"), args...)
		cmd.Env = append(os.Environ(), "HOME="+dir)
		out, err := cmd.Output()
		var got map[string]json.RawMessage
		if err != nil || json.Unmarshal(out, &got) != nil || len(got[want]) < 10 {
			t.Errorf("the inspector, %s: %v: %.2000s", method, err, out)
		}
	}
}
