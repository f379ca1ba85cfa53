package survey

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// What everybody has typed before is typed in the examples, too: lines behind a
// prompt that give a name its meaning. What a name means in many files is what
// people mean who leave that line out.

var (
	prompted = regexp.MustCompile(`(?m)^\s*(?:>>>|In \[\d+\]:) (.+)$`)
	bare     = regexp.MustCompile(`(?m)^\s+(import [\w.]+ as \w+)$`) // in a page, code that has no prompt
	imported = regexp.MustCompile(`^import ([\w.]+)(?: as (\w+))?$`)
	fromOwn  = regexp.MustCompile(`^from ([\w.]+) import ([\w, ]+)$`)
	made     = regexp.MustCompile(`^(\w+(?:, ?\w+)*) = (\w+)\((['"][\w ,:]+['"](?:, ?\w+=(?:True|False|None|\d+))*)\)$`)
)

const (
	fewest   = 3   // files that agree
	mostSaid = 120 // meanings that are kept
)

// meanings are those that most examples agree on, and the modules that examples use.
func meanings(files map[string]string, own []string) (all []Meaning, with []string) {
	said := map[string]map[string]int{} // files by name and line
	used := map[string]int{}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if ext := path.Ext(file); ext == ".ipynb" || strings.HasPrefix(file, ".github/") {
			continue
		}
		here := map[string]string{}
		mods := map[string]bool{}
		lines := prompted.FindAllStringSubmatch(files[file], -1)
		if path.Ext(file) != ".py" {
			lines = append(lines, bare.FindAllStringSubmatch(files[file], -1)...)
		}
		for _, m := range lines {
			line := strings.TrimSpace(strings.SplitN(m[1], "  #", 2)[0])
			for name, meaning := range lineMeans(line) {
				if _, known := here[name]; !known && !exported(meaning, own) {
					here[name] = meaning
				}
			}
			if i := imported.FindStringSubmatch(line); i != nil {
				mods[strings.SplitN(i[1], ".", 2)[0]] = true
			}
		}
		for name, line := range here {
			if said[name] == nil {
				said[name] = map[string]int{}
			}
			said[name][line]++
		}
		for m := range mods {
			used[m]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(said)) {
		if m, ok := agreed(name, said[name]); ok {
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(a, b Meaning) int { return b.Files - a.Files })
	for _, m := range slices.Sorted(maps.Keys(used)) {
		if used[m] >= fewest && !slices.Contains(own, m) {
			with = append(with, m)
		}
	}
	return all[:min(len(all), mostSaid)], with
}

// exported reports whether a line takes a name from the package itself: what that
// exports is known by asking it.
func exported(line string, own []string) bool {
	m := fromOwn.FindStringSubmatch(line)
	return m != nil && slices.Contains(own, m[1])
}

// agreed is the line that more files than any other give a name its meaning with: a
// program that leaves it out fails without any.
func agreed(name string, lines map[string]int) (Meaning, bool) {
	best := ""
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		if best == "" || lines[line] > lines[best] {
			best = line
		}
	}
	m := Meaning{Name: name, Line: best, Files: lines[best]}
	return m, m.Files >= fewest
}

// lineMeans is what a line of an example gives names as their meaning, each with a
// line of its own.
func lineMeans(line string) map[string]string {
	all := map[string]string{}
	if m := imported.FindStringSubmatch(line); m != nil {
		if m[2] != "" {
			all[m[2]] = line
		} else if !strings.Contains(m[1], ".") {
			all[m[1]] = line
		}
		return all
	}
	if m := fromOwn.FindStringSubmatch(line); m != nil {
		for name := range strings.SplitSeq(m[2], ",") {
			if name = strings.TrimSpace(name); name != "" && !strings.Contains(name, " ") {
				all[name] = "from " + m[1] + " import " + name
			}
		}
		return all
	}
	if m := made.FindStringSubmatch(line); m != nil {
		names := strings.Split(strings.ReplaceAll(m[1], " ", ""), ",")
		texts := strings.Split(m[3], ",")
		words := strings.FieldsFunc(strings.Trim(texts[0], `'"`), func(r rune) bool { return r == ' ' || r == ',' })
		for i, name := range names {
			// x, y = symbols('x y') makes each of them as x = symbols('x') does
			if len(names) == len(words) && i < len(words) && words[i] == name {
				all[name] = name + " = " + m[2] + "('" + name + "'" + strings.TrimPrefix(m[3], texts[0]) + ")"
			}
		}
	}
	return all
}
