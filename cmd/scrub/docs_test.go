//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")
	inline     = regexp.MustCompile("(?s)[^`]`(scrub [a-z][^`]*)`")
	shipped    = regexp.MustCompile(`examples/[\w.-]+|^scrub (demo|doctor|cases|profile list|schema)\b`)
	indexed    = regexp.MustCompile(`--on |--package `)
)

// documented are the lines of shell in the README and in docs that use scrub.
func documented(t *testing.T) (lines, named []string) {
	t.Helper()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	skills, err := filepath.Glob("../../skills/*/SKILL.md")
	if err != nil || len(skills) < 7 {
		t.Fatal(skills, err)
	}
	for _, page := range slices.Concat(pages, skills, []string{"../../README.md", "../../examples/README.md", "../../AGENTS.md"}) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, span := range inline.FindAllStringSubmatch(string(text), -1) {
			words := strings.Join(strings.Fields(span[1]), " ")
			if !strings.ContainsAny(words, "…|;[<") { // a form, not a command
				named = append(named, words)
			}
		}
		for _, block := range shellBlock.FindAllStringSubmatch(string(text), -1) {
			whole := strings.ReplaceAll(block[1], "|\n", "| ")
			for line := range strings.Lines(strings.ReplaceAll(whole, "\\\n", " ")) {
				if strings.Contains(line, "scrub ") && !strings.HasPrefix(line, "#") {
					lines = append(lines, strings.ReplaceAll(strings.TrimSpace(line), "./scrub ", "scrub "))
				}
			}
		}
	}
	slices.Sort(lines)
	slices.Sort(named)
	return slices.Compact(lines), slices.Compact(named)
}

// Every command in the docs is there and takes its flags; those that need nothing
// but what is shipped do what they say.
func TestDocs(t *testing.T) {
	command := scrub(t)
	home := t.TempDir()
	env := append(os.Environ(), "HOME="+home, "USER=ann", "GH_TOKEN=", "GITHUB_TOKEN=", "SCRUB="+command)
	lines, named := documented(t)
	if len(lines) < 40 || len(named) < 30 {
		t.Fatalf("only %d and %d commands found", len(lines), len(named))
	}
	run := 0
	for i, line := range append(lines, named...) {
		if strings.HasPrefix(line, "go install") || strings.HasPrefix(line, "go run ./cmd/scrub ") {
			line = strings.Replace(line, "go run ./cmd/scrub ", "scrub ", 1)
		}
		// With -h a command reads its flags and does nothing.
		shell := `scrub() { "$SCRUB" "$@" -h >/dev/null; }; gh() { :; }; claude() { :; }; jq() { cat >/dev/null; }; go() { :; }` + "\n"
		if i < len(lines) && shipped.MatchString(line) && !indexed.MatchString(line) {
			run++
			shell = `scrub() { "$SCRUB" -q "$@" || test $? -ge 3; }` + "\n"
		}
		line = noFile.ReplaceAllString(line, " > /dev/null")
		cmd := exec.Command("bash", "-c", "set -eo pipefail\ncd ../..\n"+shell+line)
		cmd.Env = env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%.1000s", line, err, out)
		}
	}
	t.Logf("%d commands, %d of them run", len(lines)+len(named), run)
	if run < 3 {
		t.Error("hardly any of them was run")
	}
}

// noFile is where output would go to a file.
var noFile = regexp.MustCompile(` > [\w./-]+`)

// The picture in the README shows what is printed today, but for numbers and for
// the step that needs the package index.
func TestPicture(t *testing.T) {
	numbers := regexp.MustCompile(`[0-9a-f]{12,64}|[0-9]+([.,:][0-9]+)*|\bs\b|[a-zé-]*flaky.*|With PYTHON.*|to %\).*`)
	bare := regexp.MustCompile(`<[^>]*>`)
	file := filepath.Join(t.TempDir(), "scrub.svg")
	draw := exec.Command("go", "run", "./cmd/scrubpicture", "-offline", scrub(t), file)
	draw.Dir = "../.."
	if out, err := draw.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	said := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.ReplaceAll(string(text), "</text>", "\n")
		words := strings.Fields(numbers.ReplaceAllString(bare.ReplaceAllString(lines, " "), "N"))
		return strings.Join(words, " ")
	}
	whole := said("../../docs/scrub.svg")
	before, rest, found := strings.Cut(whole, "$ scrub issue examples/release.md")
	_, after, ended := strings.Cut(rest, " $ ")
	if want := strings.TrimSpace(before) + " $ " + after; !found || !ended {
		t.Errorf("no release is searched in\n%s", whole)
	} else if got := said(file); got != want {
		t.Errorf("make picture draws another one:\n%s\nnot\n%s", got, want)
	}
}
