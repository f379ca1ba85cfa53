package index

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// The index's own network is no way to others on this machine.
func TestAttackByIndex(t *testing.T) {
	i := Index{URL: "https://index.example/simple"}
	for address, want := range map[string]bool{
		"https://files.example/a.whl": true, "http://127.0.0.1:8080/a.whl": false, "http://localhost/a.whl": false,
		"http://[::1]/a.whl":            false,
		"http://169.254.169.254/latest": false, "http://10.0.0.1/": false, "http://intranet/": false,
		"file:///etc/passwd": false, "http://0.0.0.0/": false,
		"http://127.1/": false, "http://0x7f.0.0.1/": false, "http://127.0.0.1../": false, "http://localhost../": false,
		"http://metadata.google.internal/": false,
		"http://100.100.100.200/":          false, "http://[64:ff9b::7f00:1]/": false,
		"http://[::ffff:127.0.0.1]/": false,
		"http://2130706433/":         false,
		"http://localhost./a":        false, "http://x.localhost/a": false, "gopher://a.example/": false,
	} {
		if got := i.MayHold(address); got != want {
			t.Errorf("MayHold(%s) = %v", address, got)
		}
	}
	// A redirect is no way round.
	inner := httptest.NewServer(http.NotFoundHandler())
	defer inner.Close()
	outer := httptest.NewServer(http.RedirectHandler(inner.URL+"/secret", http.StatusFound))
	defer outer.Close()
	if resp, err := (Index{URL: outer.URL + "/simple"}).client().Get(outer.URL + "/files/a.whl"); err == nil {
		resp.Body.Close()
		t.Error("OPEN: a redirect to another server on this machine was followed")
	}
	if !(Index{URL: "http://127.0.0.1:1234/simple"}).MayHold("http://127.0.0.1:1234/files/a.whl") {
		t.Error("an index on this machine has its files there")
	}
}
