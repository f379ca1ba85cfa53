package minimize

import (
	"slices"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// stack makes one look of words: the program's own functions, and a library's with a dot.
func stack(words string) syntax.Frames {
	var all syntax.Frames
	for _, w := range strings.Fields(words) {
		all = append(all, syntax.Frame{Own: !strings.Contains(w, "."), Func: w})
	}
	return all
}

func TestWhereAProgramStays(t *testing.T) {
	many := func(words ...string) []syntax.Frames {
		var all []syntax.Frames
		for range 12 {
			for _, w := range words {
				all = append(all, stack(w))
			}
		}
		return all
	}
	for name, tt := range map[string]struct {
		looks []syntax.Frames
		want  place
		there int
	}{
		"in a library": {append(many("<module> load json.load"), many("<module> go re.match re.sub x.y",
			"<module> go re.match re.sub")...),
			place{Way: []string{"re.match", "re.sub"}, Own: "go"}, 12},
		"in a loop of its own": {many("<module> go", "<module> go step re.match", "<module> go step"),
			place{Own: "go", Calls: []string{"re.match"}}, 0},
		"at the top": {many("<module>"), place{Own: "<module>"}, 0},
	} {
		p, ok := stays(tt.looks)
		there := p.before(tt.looks)
		if !ok || there != tt.there || p.Own != tt.want.Own || !slices.Equal(p.Way, tt.want.Way) ||
			!slices.Equal(p.Calls, tt.want.Calls) {
			t.Errorf("%s: %+v after %d looks, %v; want %+v after %d", name, p, there, ok, tt.want, tt.there)
		}
	}
	if _, ok := stays(many("<module> go")[:8]); ok {
		t.Error("eight looks tell where it stays")
	}
}

func TestElsewhere(t *testing.T) {
	regex := place{Way: []string{"re.match"}, Own: "go"}
	loop := place{Own: "go", Calls: []string{"re.match", "json.loads"}}
	plain := place{Own: "go"}
	for _, tt := range []struct {
		was, now place
		same     bool
	}{
		{regex, place{Way: []string{"re.match"}, Own: "<module>"}, true},
		{regex, place{Way: []string{"re.sub"}}, false},
		{regex, place{Own: "go"}, false},
		{loop, place{Own: "<module>", Calls: []string{"json.loads"}}, true},
		{loop, place{Own: "go"}, false},
		{plain, place{Own: "go"}, true},
		{plain, place{Own: "<module>"}, false},
		{place{Way: []string{"threading.wait"}, Waits: true}, place{Way: []string{"threading.wait"}}, false},
	} {
		if why := tt.was.elsewhere(tt.now); (why == "") != tt.same {
			t.Errorf("%+v then %+v: %q", tt.was, tt.now, why)
		}
	}
}

func TestWhereItDied(t *testing.T) {
	stderr := "Fatal Python error: Segmentation fault\n\nThread 0x01 (most recent call first):\n  File \"/usr/lib/threading.py\", line 3 in wait\n\n" +
		"Current thread 0x02 (most recent call first):\n  File \"/usr/lib/ctypes/__init__.py\", line 9 in string_at\n" +
		"  File \"/box/repro.py\", line 2 in go\n  File \"/box/repro.py\", line 3 in <module>\n\nExtension modules: x\n"
	p, ok := died(bug.Outcome{Stderr: stderr}, "def go():\n  f()\ngo()\n")
	if !ok || p.Own != "go" || !slices.Equal(p.Way, []string{"ctypes.string_at"}) {
		t.Errorf("%+v, %v", p, ok)
	}
	stderr = "Current thread 0x02 (most recent call first):\n  File \"/box/repro.py\", line 3 in <module>\n"
	p, ok = died(bug.Outcome{Stderr: stderr}, "def go(x): pass\n\nlist(go(map(f, y)))\n")
	if !ok || len(p.Way) > 0 || !slices.Equal(p.Calls, []string{"list", "map"}) {
		t.Errorf("%+v, %v", p, ok)
	}
}
