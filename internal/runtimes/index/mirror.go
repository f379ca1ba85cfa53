package index

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// A Mirror is the package index as an installer in a box sees it: on a day, if
// one is named, since an old release breaks with the packages of today. It gives
// out the lists of packages and the files that are on them, and fetches nothing
// else for anybody.
type Mirror struct {
	of     Index
	before time.Time
	except []string // packages of today are wanted: they build old ones
	// Given is told how much of a file was handed on, of how much; nil if nobody wants to know.
	Given func(name string, got, of int64)

	mu      sync.Mutex
	files   map[string]string // where the files are that were listed, by the name they have here
	trouble error             // what went wrong last and may go right in a while
}

// AtDoor is the mirror's address in the box.
const AtDoor = "http://" + sandbox.Door + "/simple"

func NewMirror(of Index, before time.Time, except []string) *Mirror {
	return &Mirror{of: of, before: before, except: except, files: map[string]string{}}
}

// Trouble is why something was not given out that may be given out in a while;
// nil if there was no such thing.
func (m *Mirror) Trouble() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.trouble
}

// troubled notes what went wrong, unless it was asked for nothing: whoever asked is gone.
func (m *Mirror) troubled(ctx context.Context, err error) {
	if err == nil || ctx.Err() != nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trouble = err
}

// Serve answers until the listener is closed.
func (m *Mirror) Serve(l net.Listener) {
	s := &http.Server{Handler: m, ReadHeaderTimeout: time.Minute}
	_ = s.Serve(l) // it ends with the box
	_ = s.Close()
}

// ServeHTTP answers for a package's list, or for a file of one.
func (m *Mirror) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch dir := path.Dir(path.Clean(r.URL.Path)); {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		http.Error(w, "the index is only read here", http.StatusMethodNotAllowed)
	case dir == "/simple":
		m.list(w, r, path.Base(r.URL.Path))
	case strings.HasPrefix(dir, "/files/"):
		m.file(w, r)
	default:
		http.NotFound(w, r)
	}
}

// list writes the list of a package's files, as any installer reads it.
func (m *Mirror) list(w http.ResponseWriter, r *http.Request, name string) {
	files, err := m.then(r.Context(), name)
	var refused Refused
	if !errors.As(err, &refused) || refused.Passing() {
		m.troubled(r.Context(), err)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	for _, f := range files {
		here := m.enter(f)
		if here == "" {
			continue
		}
		fmt.Fprintf(w, "<a href=\"%s\"", html.EscapeString(here))
		if f.Requires != "" {
			fmt.Fprintf(w, " data-requires-python=\"%s\"", html.EscapeString(f.Requires))
		}
		if f.yanked() {
			fmt.Fprint(w, " data-yanked=\"\"")
		}
		if f.described() {
			fmt.Fprint(w, " data-dist-info-metadata=\"true\" data-core-metadata=\"true\"")
		}
		fmt.Fprintf(w, ">%s</a>\n", html.EscapeString(f.Name))
	}
}

// then are the files that there were on the day.
func (m *Mirror) then(ctx context.Context, name string) ([]file, error) {
	all, err := m.of.files(ctx, name)
	if m.before.IsZero() || slices.Contains(m.except, Normalized(name)) {
		return all, err
	}
	return slices.DeleteFunc(all, func(f file) bool { return f.Date.After(m.before) }), err
}

// enter remembers where a file is, and returns what it is called here; nothing
// if it is nowhere that a file of an index should be.
func (m *Mirror) enter(f file) string {
	if !m.of.MayHold(f.URL) {
		return ""
	}
	at, sum, _ := strings.Cut(f.URL, "#")
	here := "/files/" + bug.Digest(f.URL)[:16] + "/" + url.PathEscape(f.Name)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[here] = at
	if f.described() {
		m.files[here+".metadata"] = at + ".metadata"
	}
	if known := f.Hashes["sha256"]; known != "" {
		sum = "sha256=" + known
	}
	if sum != "" {
		return here + "#" + sum
	}
	return here
}

// MayHold reports whether a file of the index may be at an address: anywhere on
// the internet, but on this machine and in its own network only where the index
// itself is.
func (i Index) MayHold(address string) bool {
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "https" && at.Scheme != "http" {
		return false
	}
	if i.own(func(own *url.URL) bool { return at.Host == own.Host }) {
		return true
	}
	host := strings.TrimRight(strings.ToLower(at.Hostname()), ".")
	if ip, err := netip.ParseAddr(host); err == nil {
		return public(ip)
	}
	// The last part of a name is never a number; one that is, is an odd address.
	last := host[strings.LastIndexByte(host, '.')+1:]
	odd := last == "" || last[0] >= '0' && last[0] <= '9' || last == host
	return !odd && last != "localhost" && last != "internal" && last != "local"
}

// own reports whether something holds for where one of the indexes is.
func (i Index) own(holds func(at *url.URL) bool) bool {
	return slices.ContainsFunc(append([]string{i.URL}, i.More...), func(address string) bool {
		at, err := url.Parse(address)
		return err == nil && at.Host != "" && holds(at)
	})
}

// public reports whether an address is one of the internet.
func public(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && !slices.ContainsFunc(reserved,
		func(p netip.Prefix) bool { return p.Contains(ip) })
}

// reserved are addresses that look public and lead inside: of carriers and
// clouds, and those that stand for others.
var reserved = []netip.Prefix{netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("64:ff9b::/96"),
	netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("198.18.0.0/15")}

// client fetches for the index: it follows no redirect to where its files must
// not be, and a name that is said to be public does not lead to this machine.
func (i Index) client() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	dialer := &net.Dialer{Timeout: 30 * time.Second}
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		d := *dialer
		if !i.own(func(own *url.URL) bool { return address == hostPort(own) }) {
			d.Control = func(_, to string, _ syscall.RawConn) error {
				at, err := netip.ParseAddrPort(to)
				if err != nil || at.Addr().Unmap().IsLoopback() || at.Addr().IsLinkLocalUnicast() ||
					at.Addr().IsUnspecified() {
					return fmt.Errorf("%s leads to %s, which is no place for a package", address, to)
				}
				return nil
			}
		}
		return d.DialContext(ctx, network, address)
	}
	return &http.Client{Transport: transport, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		if len(via) > 10 || !i.MayHold(req.URL.String()) {
			return fmt.Errorf("it leads to %s, which is no place for a package", req.URL.Host)
		}
		return nil
	}}
}

// hostPort is what is dialled for an address.
func hostPort(at *url.URL) string {
	port := at.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[at.Scheme]
	}
	return net.JoinHostPort(at.Hostname(), port)
}

// passed are the headers that go through, each way.
var passed = []string{"Range", "If-Range", "Content-Type", "Content-Length", "Content-Range", "Accept-Ranges", "Etag",
	"Last-Modified"}

// file hands on a file that was listed.
func (m *Mirror) file(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	at := m.files[r.URL.EscapedPath()]
	m.mu.Unlock()
	if at == "" {
		http.NotFound(w, r)
		return
	}
	req, err := http.NewRequestWithContext(r.Context(), r.Method, at, nil)
	if err != nil {
		http.Error(w, "no such file", http.StatusBadGateway)
		return
	}
	hand(req.Header, r.Header)
	resp, err := m.of.client().Do(req)
	if err != nil {
		m.troubled(r.Context(), fmt.Errorf("package index: %w", err))
		http.Error(w, "the package index does not answer", http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	if refused := (Refused{resp.StatusCode, resp.Status, path.Base(at)}); refused.Passing() {
		m.troubled(r.Context(), refused)
	}
	hand(w.Header(), resp.Header)
	w.WriteHeader(resp.StatusCode)
	_, err = io.Copy(w, &counted{Reader: resp.Body, name: path.Base(at), of: resp.ContentLength, given: m.Given})
	m.troubled(r.Context(), err)
}

// counted tells how much was read of a file.
type counted struct {
	io.Reader
	name          string
	got, told, of int64
	given         func(name string, got, of int64)
}

// often is after how many bytes it is told again.
const often = 4 << 20

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.got += int64(n)
	if c.given != nil && c.got-c.told >= often {
		c.told = c.got
		c.given(c.name, c.got, c.of)
	}
	return n, err
}

func hand(to, from http.Header) {
	for _, name := range passed {
		if v := from.Get(name); v != "" {
			to.Set(name, v)
		}
	}
}
