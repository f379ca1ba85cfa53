// Package door says who is at the page and what they may do: sessions, one-time links,
// tokens, and how often somebody may ask.
package door

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Role is what somebody may do.
type Role int

// Roles, each of which may do what those before it may.
const (
	None     Role = iota
	Reader        // look at everything
	Runner        // have programs run
	Approver      // agree to what is done in public
	Admin         // see who did what
)

var roleNames = []string{"none", "reader", "runner", "approver", "admin"}

func (r Role) String() string { return roleNames[r] }

// ParseRole reads the name of a role.
func ParseRole(name string) (Role, error) {
	if i := slices.Index(roleNames, name); i > 0 {
		return Role(i), nil
	}
	return None, fmt.Errorf("%q: must be reader, runner, approver or admin", name)
}

// A Grant is a role in repositories: owner/name, where * stands for anything.
type Grant struct {
	Repo string
	Role Role
}

// A Person is somebody who has come in.
type Person struct {
	Name   string
	Grants []Grant
}

// In is what they may do in a repository, or with reports that are of none.
func (p Person) In(repo string) Role {
	best := None
	for _, g := range p.Grants {
		if ok, err := path.Match(g.Repo, repo); g.Repo == "*" || err == nil && ok {
			best = max(best, g.Role)
		}
	}
	return best
}

// Best is the most that they may do anywhere.
func (p Person) Best() Role {
	best := None
	for _, g := range p.Grants {
		best = max(best, g.Role)
	}
	return best
}

// Everywhere is what they may do in every repository.
func (p Person) Everywhere() Role {
	best := None
	for _, g := range p.Grants {
		if g.Repo == "*" {
			best = max(best, g.Role)
		}
	}
	return best
}

// A session is somebody's for as long as they stay.
type session struct {
	Person
	token string // that their forms carry
	until time.Time
}

// A Door lets people in. Its zero fields are set by whoever has it before it is used.
type Door struct {
	Hosts  []string // names with ports under which it may be called
	Secure bool     // it is reached by https
	Port   string   // it listens on: browsers send cookies to every port of a machine
	Proxy  bool     // a proxy stands before it, and says from where somebody asks
	Now    func() time.Time
	Random io.Reader
	Tokens []Token

	mu       sync.Mutex
	sessions map[[32]byte]session
	keys     map[[32]byte]key
	asked    map[string]*bucket
}

// A key opens the door once.
type key struct {
	Person
	until time.Time
}

const (
	stays   = 12 * time.Hour   // how long a session lasts
	waits   = 10 * time.Minute // how long a one-time link does
	cookie  = "scrub"
	mostIn  = 10_000 // sessions at once
	seconds = 40     // requests a second that one person may send for long
	burst   = 200
)

// secret is a new one that nobody can guess.
func (d *Door) secret() (string, error) {
	b := make([]byte, 32)
	if _, err := io.ReadFull(d.Random, b); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(b), nil
}

// Key is a new one-time key for somebody.
func (d *Door) Key(p Person) (string, error) {
	s, err := d.secret()
	if err != nil {
		return "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.keys == nil {
		d.keys = map[[32]byte]key{}
	}
	for k, v := range d.keys {
		if d.Now().After(v.until) {
			delete(d.keys, k)
		}
	}
	d.keys[sha256.Sum256([]byte(s))] = key{p, d.Now().Add(waits)}
	return s, nil
}

// Enter uses up a key and begins a session. A session that the browser brought along is ended:
// somebody else may have put it there.
func (d *Door) Enter(w http.ResponseWriter, r *http.Request, k string) (Person, bool, error) {
	d.mu.Lock()
	sum := sha256.Sum256([]byte(k))
	found, ok := d.keys[sum]
	delete(d.keys, sum)
	d.mu.Unlock()
	if !ok || d.Now().After(found.until) {
		return Person{}, false, nil
	}
	d.Leave(w, r)
	return found.Person, true, d.Begin(w, found.Person)
}

// Begin begins a session of somebody's.
func (d *Door) Begin(w http.ResponseWriter, p Person) error {
	name, err := d.secret()
	if err != nil {
		return err
	}
	token, err := d.secret()
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.sessions == nil {
		d.sessions = map[[32]byte]session{}
	}
	for k, s := range d.sessions {
		if d.Now().After(s.until) {
			delete(d.sessions, k)
		}
	}
	if len(d.sessions) >= mostIn {
		return fmt.Errorf("more than %d sessions", mostIn)
	}
	d.sessions[sha256.Sum256([]byte(name))] = session{p, token, d.Now().Add(stays)}
	http.SetCookie(w, d.cookie(name, int(stays.Seconds())))
	return nil
}

func (d *Door) cookie(value string, age int) *http.Cookie {
	name := cookie + d.Port
	if d.Secure {
		name = "__Host-" + name
	}
	return &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: age, HttpOnly: true, Secure: d.Secure,
		SameSite: http.SameSiteStrictMode}
}

// Leave ends the session of a request.
func (d *Door) Leave(w http.ResponseWriter, r *http.Request) {
	c, err := r.Cookie(d.cookie("", 0).Name)
	if err != nil {
		return
	}
	d.mu.Lock()
	delete(d.sessions, sha256.Sum256([]byte(c.Value)))
	d.mu.Unlock()
	http.SetCookie(w, d.cookie("", -1))
}

// Who is at the other end of a request, and the token that their forms carry. Nobody is, if not ok.
func (d *Door) Who(r *http.Request) (p Person, token string, ok bool) {
	if said, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); found {
		p, ok = d.bearer(said)
		return p, "", ok
	}
	c, err := r.Cookie(d.cookie("", 0).Name)
	if err != nil {
		return Person{}, "", false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	s, found := d.sessions[sha256.Sum256([]byte(c.Value))]
	if !found || d.Now().After(s.until) {
		return Person{}, "", false
	}
	return s.Person, s.token, true
}

// Sent reports whether a form carries the token of its session.
func Sent(carried, token string) bool {
	return token != "" && subtle.ConstantTimeCompare([]byte(carried), []byte(token)) == 1
}

// Known reports whether a request calls the page by a name of its own. Another name may lead here
// all the same, and a page of that name must not read what is here.
func (d *Door) Known(r *http.Request) bool { return slices.Contains(d.Hosts, strings.ToLower(r.Host)) }

// A bucket is what is left of what somebody may ask.
type bucket struct {
	left float64
	at   time.Time
}

// Often reports whether somebody may ask once more.
func (d *Door) Often(who string, perSecond, most float64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.Now()
	if d.asked == nil || len(d.asked) > mostIn {
		d.asked = map[string]*bucket{}
	}
	b := d.asked[who]
	if b == nil {
		b = &bucket{most, now}
		d.asked[who] = b
	}
	b.left = min(most, b.left+perSecond*now.Sub(b.at).Seconds())
	b.at = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}

// MayAsk reports whether a request is not one too many: by who sends it, or from where if nobody has come in.
func (d *Door) MayAsk(r *http.Request, p Person) bool {
	if p.Name != "" {
		return d.Often("who "+p.Name, seconds, burst)
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if peer, err := netip.ParseAddr(host); d.Proxy && err == nil && (peer.IsLoopback() || peer.IsPrivate()) {
		said := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
		last := strings.TrimSpace(said[strings.LastIndexByte(said, ',')+1:]) // what the proxy itself has added
		if from, err := netip.ParseAddr(last); err == nil {
			host = from.String()
		}
	}
	return d.Often("from "+host, 1, 30)
}
