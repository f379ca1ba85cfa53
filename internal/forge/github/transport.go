package github

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/scrub-dev/scrub/internal/forge"
)

// A Cache keeps answers by the address they came from.
type Cache interface {
	Get(ctx context.Context, key string) (value []byte, ok bool, err error)
	Put(ctx context.Context, key string, value []byte) error
}

// A transport is polite: it waits where GitHub says so, asks again only where
// nothing can have happened, and does not ask for what it has.
type transport struct {
	base    http.RoundTripper
	wait    func(ctx context.Context, d time.Duration, why string) error
	cache   Cache
	spend   func(ctx context.Context) error
	told    func(forge.Limit)
	account string // what one account was shown is not for another
}

const (
	tries    = 4
	patience = 15 * time.Minute // longer waits are for a person to decide
)

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
		_ = req.Body.Close() // it was read to its end
	}
	reads := req.Method == http.MethodGet || bytes.HasPrefix(body, []byte(`{"query":"query `))
	for try := 1; ; try++ {
		r := req.Clone(req.Context())
		r.Body = io.NopCloser(bytes.NewReader(body))
		known := t.known(r)
		if t.spend != nil {
			if err := t.spend(req.Context()); err != nil {
				return nil, err
			}
		}
		response, err := t.base.RoundTrip(r)
		t.tell(response)
		if err == nil && response.StatusCode == http.StatusNotModified && known != nil {
			return known.response(req), drop(response)
		}
		d, why := t.later(response, err, reads, try)
		if d == 0 || try == tries || d > patience || t.wait == nil {
			if err == nil && req.Method == http.MethodGet && response.StatusCode == http.StatusOK {
				return t.keep(req, response)
			}
			return response, err
		}
		if err == nil {
			_ = drop(response)
		}
		if err := t.wait(req.Context(), d, why); err != nil {
			return nil, err
		}
		if !reads {
			return nil, forge.ErrLimited // somebody may have said no meanwhile
		}
	}
}

// tell passes on what an answer says of a limit, if there is one that does.
func (t *transport) tell(r *http.Response) {
	if r == nil || t.told == nil {
		return
	}
	of, errOf := strconv.Atoi(r.Header.Get("X-Ratelimit-Limit"))
	left, errLeft := strconv.Atoi(r.Header.Get("X-Ratelimit-Remaining"))
	at, errAt := strconv.ParseInt(r.Header.Get("X-Ratelimit-Reset"), 10, 64)
	if errOf == nil && errLeft == nil && errAt == nil {
		t.told(forge.Limit{Host: r.Request.URL.Host, Of: of, Left: left, Resets: time.Unix(at, 0),
			Resource: r.Header.Get("X-Ratelimit-Resource")})
	}
}

func drop(r *http.Response) error { return r.Body.Close() }

// later is how long to wait before asking again, zero for not at all. What
// was refused by a limit did not happen; of anything else that went wrong
// with a write, nobody knows.
func (t *transport) later(r *http.Response, err error, reads bool, try int) (time.Duration, string) {
	backoff := time.Duration(1<<try) * time.Second
	switch {
	case err != nil && reads:
		return backoff, "GitHub could not be reached"
	case err != nil:
		return 0, ""
	case r.StatusCode == http.StatusTooManyRequests || r.StatusCode == http.StatusForbidden:
		return limit(r, try)
	case r.StatusCode >= 500 && reads:
		return backoff, fmt.Sprintf("GitHub answered %d", r.StatusCode)
	}
	return 0, ""
}

// limit is what a refusal says of when to come back. A 403 without such words
// is a real no.
func limit(r *http.Response, try int) (time.Duration, string) {
	if s, err := strconv.Atoi(r.Header.Get("Retry-After")); err == nil {
		return time.Duration(max(1, s)) * time.Second, "GitHub asks to wait"
	}
	if r.Header.Get("X-Ratelimit-Remaining") == "0" {
		at, err := strconv.ParseInt(r.Header.Get("X-Ratelimit-Reset"), 10, 64)
		now, dateErr := http.ParseTime(r.Header.Get("Date"))
		if err == nil && dateErr == nil {
			return max(time.Second, time.Unix(at, 0).Sub(now)+time.Second), "GitHub's hourly rate limit is used up"
		}
		return time.Minute, "GitHub's hourly rate limit is used up"
	}
	if r.StatusCode == http.StatusTooManyRequests || secondary(r) {
		return time.Duration(1<<(try-1)) * time.Minute, "GitHub asks to slow down"
	}
	return 0, ""
}

// secondary reports whether a refusal says, in words alone, that it is one of
// the limits nobody can ask about.
func secondary(r *http.Response) bool {
	text, err := io.ReadAll(io.LimitReader(r.Body, 1<<16))
	_ = r.Body.Close() // a short answer, which was read
	r.Body = io.NopCloser(bytes.NewReader(text))
	return err == nil && bytes.Contains(bytes.ToLower(text), []byte("secondary rate limit"))
}
