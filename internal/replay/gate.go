package replay

import (
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// A gate lets whoever is in the box reach the hosts that a person has named, and nothing else: it is a proxy that only
// knows how to pass on encrypted connections.
type gate []string

// serve answers until the box ends.
func (g gate) serve(l net.Listener) {
	server := http.Server{Handler: g, ReadHeaderTimeout: 10 * time.Second}
	_ = server.Serve(l) // it ends when the listener is closed
	_ = server.Close()
}

// ServeHTTP implements http.Handler.
func (g gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, port, err := net.SplitHostPort(r.Host)
	if r.Method != http.MethodConnect || err != nil || port != "443" || !slices.Contains(g, strings.ToLower(host)) {
		http.Error(w, "this host was not named with --allow-host", http.StatusForbidden)
		return
	}
	out, err := (&net.Dialer{Timeout: 20 * time.Second}).DialContext(r.Context(), "tcp", r.Host)
	if err != nil {
		http.Error(w, "the host does not answer", http.StatusBadGateway)
		return
	}
	defer out.Close()
	in, rest, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer in.Close()
	if _, err := io.WriteString(in, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	pass(in, rest.Reader, out)
}

// pass passes on what comes, both ways, until either side ends.
func pass(in net.Conn, buffered io.Reader, out net.Conn) {
	var both sync.WaitGroup
	both.Go(func() { _, _ = io.Copy(out, buffered); _ = out.Close() }) // who ends, ends both
	both.Go(func() { _, _ = io.Copy(in, out); _ = in.Close() })
	both.Wait()
}
