package machine

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/forge/dirforge"
	"github.com/scrub-dev/scrub/internal/forge/github"
	"github.com/scrub-dev/scrub/internal/refusal"
)

// Forge is the forge of an issue, as whoever is logged in there: a folder, the
// address of a server, or GitHub at the host.
func (m *Machine) Forge(ctx context.Context, where string, ref bug.Ref, o github.Options) (forge.Forge, error) {
	if where != "" && !strings.Contains(where, "://") {
		return dirforge.Dir(where), nil
	}
	if where == "" && ref.Host == "" {
		where = m.GitHub
	}
	o.Host, o.URL, o.Token = ref.Host, where, m.Token(ctx, ref.Host)
	if u, err := url.Parse(where); o.Token != "" && where != "" &&
		(err != nil || u.Scheme != "https" && !local(u.Hostname())) {
		return nil, refusal.Bad("%s: a token is sent over https only", where)
	}
	o.Wait = func(ctx context.Context, how time.Duration, why string) error {
		m.tell("wait", event.Found, "%s: %v", why, how)
		return Wait(ctx, how)
	}
	o.Told = func(l forge.Limit) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.limits == nil {
			m.limits = map[string]forge.Limit{}
		}
		m.limits[l.Host+" "+l.Resource] = l
	}
	return github.New(o)
}

// Limits are what forges have said last of how much may still be asked of them.
func (m *Machine) Limits() []forge.Limit {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []forge.Limit
	for _, key := range slices.Sorted(maps.Keys(m.limits)) {
		all = append(all, m.limits[key])
	}
	return all
}

// local reports whether a host is this machine.
func local(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }

// Wait waits, unless it is told to stop.
func Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
