package guide

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/guide/checkout"
)

// A Verdict is whether something that a file for agents says is still so.
type Verdict string

// What can be said of a claim. Stale needs proof; where there is none it is doubtful, and what is not about
// the project's files and commands is not checked.
const (
	Holds      Verdict = "holds"
	Stale      Verdict = "stale"
	Doubtful   Verdict = "doubtful"
	NotChecked Verdict = "not checked"
)

// A Claim is something that a file for agents says of the project.
type Claim struct {
	File    string  `json:"file"`
	Line    int     `json:"line"`
	Text    string  `json:"text"` // a path, or a command
	Verdict Verdict `json:"verdict"`
	Why     string  `json:"why,omitempty"`
	Cost    int     `json:"sessions,omitempty"` // that looked for it, or ran it, in vain
}

// Checked is what became of all claims.
type Checked struct {
	Schema string          `json:"schema"`
	Files  []string        `json:"files"`
	Claims []Claim         `json:"claims"`
	Counts map[Verdict]int `json:"counts"`
	// sessions that were looked at for what stale claims cost
	Sessions int `json:"sessions"`
}

// Check says what files for agents claim that is no longer so: those that are named, or all there are.
func Check(ctx context.Context, r Request, names []string) (Checked, error) {
	p, err := checkout.Open(ctx, r.Dir, r.Work)
	if err != nil {
		return Checked{}, err
	}
	c := checker{Checkout: p, gone: sync.OnceValues(func() (map[string]string, error) { return p.Deleted(ctx) }),
		crates: sync.OnceValues(func() ([]string, error) { return crates(ctx, p) })}
	if c.known, err = p.Commands(ctx); err != nil {
		return Checked{}, err
	}
	for _, f := range p.Files {
		if path.Base(f) == ".gitignore" {
			text, err := p.Text(ctx, f)
			if err != nil {
				return Checked{}, err
			}
			c.ignored = append(c.ignored, ignored{path.Dir(f), strings.Split(text, "\n")})
		}
	}
	if len(names) == 0 {
		for _, f := range p.Files {
			if checkout.ForAgents.MatchString(f) {
				names = append(names, f)
			}
		}
	}
	out := Checked{Schema: "guide-check/1", Files: names, Claims: []Claim{}, Counts: map[Verdict]int{}}
	for _, name := range names {
		text, err := p.Text(ctx, name)
		if err != nil {
			return out, fmt.Errorf("%s is not in the newest commit: %w", name, err)
		}
		text = text[:min(len(text), mostText)]
		if strings.Contains(text, begin) && c.recent == nil {
			if c.recent, err = recent(ctx, p); err != nil {
				return out, err
			}
		}
		claims, err := c.read(name, text)
		if err != nil {
			return out, err
		}
		out.Claims = append(out.Claims, claims...)
	}
	for _, claim := range out.Claims {
		out.Counts[claim.Verdict]++
	}
	return out, c.costs(ctx, r, &out)
}

type checker struct {
	checkout.Checkout
	known   []checkout.Command
	ignored []ignored
	recent  []cochange.Parts                  // the last changes
	gone    func() (map[string]string, error) // what was taken away
	crates  func() ([]string, error)          // packages of cargo
}

// What of a file is looked at.
const (
	mostText   = 1 << 20
	mostClaims = 2000
)

var (
	// a line that speaks of what is not there, or need not be
	otherwise = regexp.MustCompile(`(?i)\b(no longer|removed?|deleted?|deprecated|legacy|formerly|used to|instead of|renamed|` +
		`don'?t|do not|never|avoid|not|e\.g\.|for example|such as|example|creates?|generates?|outputs?|written to|if (it|they) exists?|optional)\b`)
	pathLike = regexp.MustCompile(`^(\./)?[A-Za-z0-9_.@-]+(/[A-Za-z0-9_.@-]+)+/?$|^[A-Za-z0-9_-]+\.(py|go|rs|ts|tsx|js|md|rst|toml|ya?ml|json|sh|cfg|ini)$`)
	personal = regexp.MustCompile(`^\.[^/]+/`)
)

// read finds the claims of one file.
func (c checker) read(name, text string) ([]Claim, error) {
	var all []Claim
	seen := map[string]bool{}
	code, ours := false, false // in a section that a guide has written
	for i, line := range strings.Split(text, "\n") {
		if line == begin || line == end {
			ours = line == begin
		}
		if ours {
			for _, r := range rules(line) {
				claim := c.followed(r)
				claim.File, claim.Line, claim.Text = name, i+1, about(r.When)+" with "+about(r.Then)
				all = append(all, claim)
			}
		}
		if checkout.Fence.MatchString(line) {
			code = !code
			continue
		}
		unsure := !code && otherwise.MatchString(checkout.Span.ReplaceAllString(line, ""))
		for _, said := range checkout.Mentions(line, code) {
			if seen[said] || len(all) >= mostClaims {
				continue
			}
			seen[said] = true
			claim, err := c.judge(name, said, unsure)
			if err != nil {
				return nil, err
			}
			if claim.Verdict != "" {
				claim.File, claim.Line, claim.Text = name, i+1, said
				all = append(all, claim)
			}
		}
	}
	return all, nil
}

// judge says whether something that is named is there. Without a verdict it is no claim.
func (c checker) judge(in, said string, unsure bool) (Claim, error) {
	if claim, err := c.toolClaim(said, unsure); claim.Verdict != "" || err != nil {
		return claim, err
	}
	if !pathLike.MatchString(said) || strings.Contains(said, "://") {
		return Claim{}, nil
	}
	name := strings.TrimPrefix(said, "./")
	for _, at := range []string{name, path.Join(path.Dir(in), name)} {
		at = strings.TrimSuffix(at, "/")
		if c.There[at] || c.There[at+"/"] {
			return Claim{Verdict: Holds}, nil
		}
	}
	base := strings.TrimSuffix(name, "/")
	if slices.ContainsFunc(c.Files, func(f string) bool {
		return strings.HasSuffix(f, "/"+base) || strings.Contains("/"+f, "/"+base+"/")
	}) {
		return Claim{Verdict: Holds, Why: "below another folder"}, nil
	}
	if unsure || c.ignores(base) {
		return Claim{Verdict: NotChecked, Why: "the line speaks of what need not be there"}, nil
	}
	for _, at := range []string{base, path.Join(path.Dir(in), base)} {
		all, err := c.gone()
		if err != nil {
			return Claim{}, err
		}
		gone := all[at]
		if gone != "" && (!strings.Contains(base, "/") || personal.MatchString(base)) {
			// A name alone may be about any file that is called so, here or elsewhere; and what a tool keeps in a hidden
			// folder may be each person's own.
			return Claim{Verdict: Doubtful, Why: "removed in " + gone[:12]}, nil
		}
		if gone != "" {
			return Claim{Verdict: Stale, Why: "removed in " + gone[:12]}, nil
		}
	}
	if !strings.Contains(base, "/") || !c.There[strings.Split(base, "/")[0]+"/"] {
		return Claim{Verdict: NotChecked, Why: "it may not be about this project"}, nil
	}
	return Claim{Verdict: Doubtful, Why: "there is no such file"}, nil
}

// An ignored is what git does not keep below a folder.
type ignored struct {
	dir   string
	lines []string
}

// ignores reports whether the project expects a file that git does not keep.
func (c checker) ignores(name string) bool {
	return slices.ContainsFunc(c.ignored, func(in ignored) bool {
		below, ok := strings.CutPrefix(name, in.dir+"/")
		if !ok {
			below = name // a file may be named as seen from any folder
		}
		return slices.ContainsFunc(in.lines, func(line string) bool { return matches(line, below) })
	})
}

// matches reports whether a line of a .gitignore is about a path or a folder that it is in.
func matches(line, name string) bool {
	line = strings.Trim(strings.TrimSpace(line), "/")
	line = strings.TrimPrefix(line, "**/")
	if line == "" || line[0] == '#' {
		return false
	}
	hit, _ := path.Match(line, path.Base(name))
	whole, _ := path.Match(line, name)
	return hit || whole || line == name || strings.HasPrefix(name, line+"/") || strings.HasSuffix(name, "/"+line) ||
		strings.Contains(name, "/"+line+"/") || slices.Contains(strings.Split(name, "/"), line)
}

// ours are the tools whose own files say all they can run.
var ours = map[string]string{"poetry run poe": "poe", "uv run poe": "poe", "yarn run": "npm run", "pnpm run": "npm run"}

// command says whether a command is defined.
func (c checker) command(tool, name string, unsure bool) Claim {
	if same := ours[tool]; same != "" {
		tool = same
	}
	if tool == "yarn" || tool == "pnpm" {
		if slices.ContainsFunc(c.known, func(k checkout.Command) bool { return k.Tool == "npm run" && k.Name == name }) {
			return Claim{Verdict: Holds}
		}
		return Claim{Verdict: NotChecked, Why: "it may be a command of " + tool + " itself"}
	}
	defines := false
	for _, k := range c.known {
		if k.Tool != tool {
			continue
		}
		if k.Name == name {
			return Claim{Verdict: Holds, Why: k.From}
		}
		defines = true
	}
	switch {
	case !defines:
		return Claim{Verdict: Doubtful, Why: "no file here defines commands for " + tool}
	case unsure || tool == "make" || tool == "tox -e" || tool == "mise run":
		return Claim{Verdict: Doubtful, Why: "no such target was found, but not all can be read"}
	}
	return Claim{Verdict: Stale, Why: "none of the files that define commands for " + tool + " has it"}
}
