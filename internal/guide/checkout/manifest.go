package checkout

import (
	"context"
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A Command is one that a project's own files define.
type Command struct {
	Run  string `json:"run"`
	From string `json:"from"`
	Name string `json:"-"` // what the tool knows it by
	Tool string `json:"-"`
}

var everyday = regexp.MustCompile(`^(test|tests|lint|fmt|format|check|typecheck|typing|build|docs?)$`)

// Wanted reports whether everybody needs it.
func (c Command) Wanted() bool {
	return everyday.MatchString(c.Name) && Plain(c.Name) && path.Dir(c.From) == "."
}

// SaidIn reports whether one of these texts names it.
func (c Command) SaidIn(texts map[string]string) bool {
	for _, text := range texts {
		if strings.Contains(text, c.Run) {
			return true
		}
	}
	return false
}

var (
	makeTarget = regexp.MustCompile(`(?m)^([A-Za-z0-9][A-Za-z0-9_./-]*(?:[ \t]+[A-Za-z0-9][A-Za-z0-9_./-]*)*)[ \t]*::?(?:[^=]|$)`)
	recipe     = regexp.MustCompile(`(?m)^@?([A-Za-z][A-Za-z0-9_-]*)(?:[ \t]+[^:=\n]*)?:(?:[^=]|$)`)
	alias      = regexp.MustCompile(`(?m)^alias\s+([\w-]+)\s*:=`)
	toxSection = regexp.MustCompile(`(?m)^\[testenv:([^\]]+)\]`)
	noxSession = regexp.MustCompile(`(?m)^@nox\.session(?:\([^)]*\))?\s*\ndef\s+(\w+)`)
)

// kinds are the files that define commands.
var kinds = []struct {
	tool  string
	is    *regexp.Regexp
	names func(string) []string
}{
	{"make", regexp.MustCompile(`(^|/)(GNUm|M|m)akefile$`), func(s string) []string {
		var all []string
		for _, m := range makeTarget.FindAllStringSubmatch(s, -1) {
			all = append(all, strings.Fields(m[1])...)
		}
		return all
	}},
	{"just", regexp.MustCompile(`(?i)(^|/)\.?justfile$`), func(s string) []string {
		return append(firsts(recipe, s), firsts(alias, s)...)
	}},
	{"npm run", regexp.MustCompile(`(^|/)package\.json$`), func(s string) []string {
		var p struct{ Scripts map[string]json.RawMessage }
		_ = json.Unmarshal([]byte(s), &p) // what cannot be read defines nothing
		return slices.Sorted(maps.Keys(p.Scripts))
	}},
	{"mise run", regexp.MustCompile(`(^|/)\.?mise\.toml$`), func(s string) []string { return table(s, "tasks") }},
	{"tox -e", regexp.MustCompile(`(^|/)tox\.ini$`), func(s string) []string { return firsts(toxSection, s) }},
	{"nox -s", regexp.MustCompile(`(^|/)noxfile\.py$`), func(s string) []string { return firsts(noxSession, s) }},
	{"poe", regexp.MustCompile(`(^|/)pyproject\.toml$`), func(s string) []string { return table(s, "tool.poe.tasks") }},
}

func firsts(form *regexp.Regexp, text string) []string {
	var all []string
	for _, m := range form.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

// table are the keys of a table of a TOML file, those with a table of their own included.
func table(text, name string) []string {
	var all []string
	at := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(line, "["); ok {
			at = strings.TrimSuffix(strings.TrimSpace(strings.SplitN(head, "#", 2)[0]), "]")
			if key, ok := strings.CutPrefix(at, name+"."); ok {
				all = append(all, tomlKey(key))
			}
		} else if key, _, ok := strings.Cut(line, "="); ok && at == name && key != "" && key[0] != '#' {
			all = append(all, tomlKey(strings.TrimSpace(key)))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// tomlKey is the first part of a key.
func tomlKey(key string) string {
	if quoted, ok := strings.CutPrefix(key, `"`); ok {
		key, _, _ = strings.Cut(quoted, `"`)
		return key
	}
	key, _, _ = strings.Cut(key, ".")
	return key
}

// largeFile is more than a file has that people write such things into.
const largeFile = 1 << 20

// Commands are all that the files of a project define.
func (p Checkout) Commands(ctx context.Context) ([]Command, error) {
	all := []Command{}
	for _, f := range p.Files {
		for _, k := range kinds {
			if !k.is.MatchString(f) || strings.Contains(f, "node_modules/") {
				continue
			}
			text, err := p.Text(ctx, f)
			if err != nil {
				return nil, err
			}
			if len(text) > largeFile {
				continue
			}
			for _, name := range k.names(text) {
				all = append(all, Command{Run: k.tool + " " + name, From: f, Name: name, Tool: k.tool})
			}
		}
		if dir, name, ok := strings.Cut(f, "mise-tasks/"); ok && dir == strings.TrimSuffix(dir, ".") {
			all = append(all, Command{Run: "mise run " + strings.ReplaceAll(name, "/", ":"), From: f, Tool: "mise run",
				Name: strings.ReplaceAll(name, "/", ":")})
		}
	}
	return all, nil
}
