package guide

import (
	"maps"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/guide/checkout"
)

func TestCheck(t *testing.T) {
	r := world(t, `
mkdir -p src/core tools web
echo 1 > src/core/a.py; echo 1 > src/gone.py; echo 1 > bare.py; echo 1 > tools/run.sh; printf 'out/\n.env\nmade/*/x\n' > .gitignore
printf 'test lint:\n\ttrue\nfmt: test\n' > Makefile
echo '{"scripts": {"build": "x"}}' > web/package.json
printf 'check:\n  true\nalias c := check\n' > justfile
printf '[tasks]\nfmt = "x"\n[tasks."test:ci"]\nrun = "x"\n' > mise.toml
commit begin
mkdir -p .tool web/src/made; echo 1 > .tool/state.json; echo 1 > web/src/made/x.ts; commit more
git rm -q src/gone.py bare.py .tool/state.json web/src/made/x.ts; printf 'src/made/\n**/cached\n' > web/.gitignore; commit "take it away"
cat > AGENTS.md <<'X'
Code is in `+"`src/core/`, as `core/a.py` and [run](tools/run.sh); see `src/gone.py`, `bare.py` and `src/never.py`"+`.
Old: `+"`src/gone.py`"+` was removed.
Settings: `+"`.tool/state.json`; client: `web/src/made/`, `web/x/cached`"+`.
Secrets are in `+"`.env`"+`, results in `+"`out/x.json`, `made/a/x`"+`. Look at `+"`https://example.com/a/b` or `pandas.DataFrame` or `/etc/passwd`"+`.
Run `+"`make test`, `make fmt`, `make nothing`, `just check`, `just c`, `just gone`, `npm run build`, `npm run gone`, `mise run test:ci`"+`.
`+"```sh\nmake lint   # all of it\nyarn build\npoetry run poe x\n```"+`
X
commit agents`)
	got, err := Check(t.Context(), r, nil)
	if err != nil || strings.Join(got.Files, " ") != "AGENTS.md" {
		t.Fatalf("%+v, %v", got, err)
	}
	found := map[string]Verdict{}
	for _, c := range got.Claims {
		found[c.Text] = c.Verdict
	}
	for text, want := range map[string]Verdict{
		"src/core/": Holds, "core/a.py": Holds, "tools/run.sh": Holds, "src/gone.py": Stale, "bare.py": Doubtful,
		"src/never.py":     Doubtful,
		".tool/state.json": Doubtful, "web/src/made/": NotChecked, "web/x/cached": NotChecked,
		"out/x.json": NotChecked, "made/a/x": NotChecked, "https://example.com/a/b": "", "pandas.DataFrame": "",
		"/etc/passwd": "", "make test": Holds,
		"make fmt": Holds, "make nothing": Doubtful, "just check": Holds, "just c": Holds, "just gone": Stale,
		"npm run build": Holds,
		"npm run gone":  Stale, "mise run test:ci": Holds, "make lint": Holds, "yarn build": Holds,
		"poetry run poe x": Doubtful,
	} {
		if found[text] != want {
			t.Errorf("%s: %q, want %q", text, found[text], want)
		}
	}
	if got.Counts[Stale] != 3 {
		t.Errorf("%+v", got.Counts)
	}
	if _, err := Check(t.Context(), r, []string{"none.md"}); err == nil || !strings.Contains(err.Error(),
		"none.md is not in") {
		t.Error(err)
	}
}

func TestCheckTools(t *testing.T) {
	r := world(t, `mkdir -p cmd/app old crates/core; echo 1 > cmd/app/main.go; echo 1 > old/x.go
printf '[package]\nname = "snail-core"\n' > crates/core/Cargo.toml; commit one; git rm -rq old
cat > AGENTS.md <<'X'
`+"`go test ./...`, `go build ./cmd/app`, `go test -race ./cmd/... -run X`, `go vet ./old`, `go run ./cmd/none`, `go test`"+`
`+"`cargo test -p snail-core`, `cargo run --bin none`, `cargo build`"+`
X
commit two`)
	got, err := Check(t.Context(), r, nil)
	found := map[string]Verdict{}
	for _, c := range got.Claims {
		found[c.Text] = c.Verdict
	}
	want := map[string]Verdict{"go test ./...": Holds, "go build ./cmd/app": Holds, "go test -race ./cmd/... -run X": Holds,
		"go vet ./old": Stale, "go run ./cmd/none": Doubtful, "cargo test -p snail-core": Holds, "cargo run --bin none": Doubtful}
	if err != nil || !maps.Equal(found, want) {
		t.Errorf("%v, want %v, %v", found, want, err)
	}
}

// Whatever a file says, it is read to its end.
func FuzzCheck(f *testing.F) {
	f.Add("`a/b.py` ```\nmake x\n")
	c := checker{Checkout: checkout.Checkout{There: map[string]bool{"a/": true}, Files: []string{"a/x"}}, ignored: []ignored{{".", []string{"[", "a/*"}}}}
	f.Fuzz(func(t *testing.T, text string) {
		for line := range strings.Lines(text) {
			for _, code := range []bool{true, false} {
				for _, said := range checkout.Mentions(line, code) {
					if checkout.Running.MatchString(said) {
						m := checkout.Running.FindStringSubmatch(said)
						c.command(m[1], m[2], code)
					}
					c.ignores(said)
				}
			}
		}
	})
}

// A file that was made to take long, or to break what reads it, does neither.
func TestHostileFile(t *testing.T) {
	r := world(t, `mkdir src; echo 1 > src/a.py; printf '[tool.poe.tasks]\n= 1\n' > pyproject.toml
python3 -c 'print(" ".join("`+"`src/x%d.py`"+`" % i for i in range(20000)))' > AGENTS.md
python3 -c 'print("\n".join("`+"`src/y%d.py` [a](b%d/c.md)"+`" % (i, i) for i in range(20000)))' >> AGENTS.md; commit one`)
	got, err := Check(t.Context(), r, nil)
	if err != nil || len(got.Claims) != mostClaims {
		t.Errorf("%d claims, %v", len(got.Claims), err)
	}
}
