package observe

import (
	"maps"
	"regexp"
	"strings"
)

// Noise is what differs between two runs of a session on one version, and so
// says nothing about versions: by statement the lines, with numbers left out.
type Noise map[int]map[string]bool

var number = regexp.MustCompile(`[0-9]+(?:[.][0-9]+)?(?:[eE][-+]?[0-9]+)?`)

// masked is a line without what varies in lines that vary.
func masked(line string) string {
	return strings.Join(strings.Fields(number.ReplaceAllString(Plain(line), "0")), " ")
}

// NoiseOf compares two runs of a session on one version.
func NoiseOf(one, two Transcript) Noise {
	noise := Noise{}
	for i := range min(len(one.Seen), len(two.Seen)) {
		a, b := one.Seen[i].lines(), two.Seen[i].lines()
		for _, side := range [][2]map[string]bool{{a, b}, {b, a}} {
			for line := range side[0] {
				if !side[1][line] {
					if noise[i] == nil {
						noise[i] = map[string]bool{}
					}
					noise[i][masked(line)] = true
				}
			}
		}
	}
	return noise
}

// lines are all lines in which a statement showed something, but for addresses.
func (s Seen) lines() map[string]bool {
	all := map[string]bool{}
	for _, views := range []map[string]string{s.Value, s.Set, {"": s.Out}} {
		for _, text := range views {
			for line := range strings.Lines(text) {
				all[Plain(line)] = true
			}
		}
	}
	return all
}

// Without is t without the lines that are noise.
func (t Transcript) Without(noise Noise) Transcript {
	quiet := Transcript{Seen: make([]Seen, len(t.Seen))}
	for i, s := range t.Seen {
		if dull := noise[i]; dull != nil {
			s.Out, s.Value, s.Set = still(s.Out, dull), stills(s.Value, dull), stills(s.Set, dull)
		}
		quiet.Seen[i] = s
	}
	return quiet
}

func stills(views map[string]string, dull map[string]bool) map[string]string {
	views = maps.Clone(views)
	for name, text := range views {
		views[name] = still(text, dull)
	}
	return views
}

func still(text string, dull map[string]bool) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !dull[masked(line)] {
			b.WriteString(line)
		}
	}
	return b.String()
}
