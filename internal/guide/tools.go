package guide

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/guide/checkout"
)

// Tools that need no file of commands: go is given folders, and cargo names of packages.
var (
	goRun     = regexp.MustCompile(`^(?:\$ )?go (?:test|build|run|vet|generate|install)(?: -\S+)* \./([\w./-]*?)/?(?:\.\.\.)?(?: -.*)?$`)
	cargoPart = regexp.MustCompile(`^(?:\$ )?cargo [a-z]+ (?:.* )?(?:-p|--package|--bin)[ =]([\w-]+)(?: .*)?$`)
	crateName = regexp.MustCompile(`(?m)^name\s*=\s*"([\w-]+)"`)
)

// toolClaim judges a command of a tool. It is no claim if it has no verdict.
func (c checker) toolClaim(said string, unsure bool) (Claim, error) {
	if m := checkout.Running.FindStringSubmatch(said); m != nil {
		return c.command(m[1], m[2], unsure), nil
	}
	if m := goRun.FindStringSubmatch(said); m != nil {
		name := strings.TrimSuffix(m[1], "/")
		if name == "" || c.There[name] || c.There[name+"/"] {
			return Claim{Verdict: Holds}, nil
		}
		gone, err := c.gone()
		if err == nil && gone[name] != "" {
			return Claim{Verdict: Stale, Why: "removed in " + gone[name][:12]}, nil
		}
		return Claim{Verdict: Doubtful, Why: "there is no such folder"}, err
	}
	m := cargoPart.FindStringSubmatch(said)
	if m == nil {
		return Claim{}, nil
	}
	names, err := c.crates()
	switch {
	case err != nil || len(names) == 0:
		return Claim{Verdict: NotChecked, Why: "no Cargo.toml names a package"}, err
	case slices.Contains(names, m[1]) || c.There["src/bin/"+m[1]+".rs"]:
		return Claim{Verdict: Holds}, nil
	}
	return Claim{Verdict: Doubtful, Why: "no Cargo.toml names it, but not all can be read"}, nil
}

// crates are the names that the Cargo.toml files of a project have.
func crates(ctx context.Context, p checkout.Checkout) ([]string, error) {
	var all []string
	for _, f := range p.Files {
		if path.Base(f) != "Cargo.toml" {
			continue
		}
		text, err := p.Text(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, m := range crateName.FindAllStringSubmatch(text, -1) {
			all = append(all, m[1])
		}
	}
	return all, nil
}
