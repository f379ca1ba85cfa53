package machine_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// Programs find in their caches what the profile's own program has left there, each in a copy of its own and nobody what
// another has left; warm they do, too. Where that program fails they run with empty caches, and that is said.
func TestCachesAreLaid(t *testing.T) {
	const look = `import os
# kept
for at, _, names in sorted(os.walk("/tmp/kept")):
    print(at, *["%s=%s" % (n, open(os.path.join(at, n)).read()) for n in sorted(names)])
os.makedirs("/tmp/kept/own", exist_ok=True)
open("/tmp/kept/a", "w").write("changed")
open("/tmp/kept/b", "w").write("new")
print(os.listdir("/"))
`
	fills := `import os
os.makedirs("/tmp/kept/own", exist_ok=True)
os.makedirs("/tmp/kept/below", exist_ok=True)
for name in "a", "own/x", "below/c":
    path = "/tmp/kept/" + name
    found = os.path.exists(path)
    open(path, "w").write("found" if found else "made")
`
	for name, one := range map[string]struct{ ready, want string }{
		"filled": {fills, "/tmp/kept a=made\n/tmp/kept/below c=made\n"},
		"broken": {"raise SystemExit(1)", ""},
		"none":   {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var warnings []string
			m := &machine.Machine{Cache: t.TempDir(), Now: time.Now, Tell: func(e event.Event) {
				if e.State == event.Warning {
					warnings = append(warnings, e.Text)
				}
			}}
			var prof profile.Profile
			prof.Warm = profile.Warm{Caches: []string{"/tmp/kept"}, Own: []string{"/tmp/kept/own"}}
			if one.ready != "" {
				prof.Warm.Ready = []profile.Script{{Uses: profile.Pattern{Regexp: regexp.MustCompile("kept")}, Text: one.ready}}
			}
			pythons, err := m.Pythons(t.Context(), machine.Box{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			box, err := m.BoxFor(machine.Box{}, prof)
			if err != nil {
				t.Fatal(err)
			}
			job := sandbox.Job{Repro: bug.Program(look), Runtime: pythons[0]}
			for range 2 {
				o, err := box.Run(t.Context(), job)
				if err != nil || o.Failed() || !strings.HasPrefix(o.Stdout, one.want) || strings.Contains(o.Stdout, "own x") ||
					strings.Contains(o.Stdout, "new") || strings.Contains(o.Stdout, "laid") {
					t.Errorf("%v: %+v", err, o)
				}
			}
			if (name == "broken") != (len(warnings) == 1) {
				t.Errorf("told: %q", warnings)
			}
			if left, err := filepath.Glob(filepath.Join(m.Cache, "laid", "making-*")); err != nil || len(left) > 0 {
				t.Errorf("left: %v %v", left, err)
			}
			if name != "filled" {
				return
			}
			warm, err := m.Warm(prof, job.Repro)
			if err != nil {
				t.Fatal(err)
			}
			defer warm.Close()
			job.Preload = []string{"json"}
			if o, err := warm.Run(t.Context(), job); err != nil || !o.Warm ||
				!strings.HasPrefix(o.Stdout, strings.ReplaceAll(one.want, "made", "found")) {
				t.Errorf("%v: %+v %v", err, o, warm.Refused())
			}
		})
	}
}
