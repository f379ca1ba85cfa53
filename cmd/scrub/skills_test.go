//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/duplicated"
	"github.com/scrub-dev/scrub/internal/desk/explained"
	"github.com/scrub-dev/scrub/internal/desk/fixed"
	"github.com/scrub-dev/scrub/internal/desk/guessed"
	"github.com/scrub-dev/scrub/internal/desk/tested"
	"github.com/scrub-dev/scrub/internal/guide"
	"github.com/scrub-dev/scrub/internal/runtimes/runtimestest"
)

// The words of a skill, and what they stand for here.
var recorded = map[string]string{
	"OWNER/REPO#N":          "octo/slug#7",
	"SOURCE":                "report.md",
	"report.md":             "report.md",
	"FILE":                  "slow.py",
	"repro.py":              "slow.py",
	"CASE":                  "octo/slug#7",
	"NAME":                  "slug",
	"torch":                 "slug",
	"TOPIC":                 "frames",
	"LOG":                   "log.txt",
	"BAD,GOOD":              "1.3,1.4",
	"A":                     "1.4",
	"B":                     "1.3",
	"2.5":                   "1.4",
	"2.6":                   "1.3",
	"DIR":                   "tree",
	"A..B":                  "1.0..1.5",
	"TEXT":                  "too slow",
	"'prints: TEXT'":        "prints: slow",
	"'ValueError: text'":    "ValueError: too slow",
	"'WORDS OF THE REPORT'": "it prints slow",
	"STATEMENT":             "print(slug.speed < 1.4 and 'slow' or 'quick')",
}

// said are the flags of commands as tools have them.
var said = map[string]string{
	"--on":            "on[]",
	"--expect":        "expect",
	"--quote":         "quote",
	"--statement":     "statement",
	"-n":              "runs#",
	"--package":       "package",
	"--good":          "good",
	"--bad":           "bad",
	"--versions":      "versions",
	"--profile":       "profile",
	"--for":           "for",
	"--checkout":      "checkout",
	"--minimize":      "minimize!",
	"--since":         "since!",
	"--approve-clean": "",
}

// asked is what a tool takes for what a command is given.
var askedFor = map[string]string{
	"issue":      "issue",
	"guess":      "issue",
	"duplicates": "case",
	"run":        "program",
	"minimize":   "program",
	"bisect":     "program",
	"ablate":     "program",
	"logs":       "program",
	"classify":   "log",
	"regress":    "report",
	"check-fix":  "report",
	"hint":       "files",
}

var (
	spans   = regexp.MustCompile("`(scrub [^`]+)`")
	toolOf  = regexp.MustCompile("`scrub (?:guide )?([a-z-]+)[^`]*` ?\\(tool `(\\w+)`\\)")
	shelled = regexp.MustCompile(`'[^']*'|\S+`)
)

// An agent that follows each skill by its letter comes to the same as whoever types the commands.
func TestAgentFollowsSkills(t *testing.T) {
	dir := library(t)
	pages, err := filepath.Glob("../../skills/*/SKILL.md")
	if err != nil {
		t.Fatal(err)
	}
	tools, steps := map[string]string{}, []string{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range toolOf.FindAllStringSubmatch(string(text), -1) {
			tools[m[1]] = m[2]
		}
		for _, m := range spans.FindAllStringSubmatch(string(text), -1) {
			steps = append(steps, m[1])
		}
	}
	a := agentIn(
		t,
		dir,
		nil,
		"--patience",
		"5m",
		"--forge",
		filepath.Join(dir, "forge"),
		"--folder",
		filepath.Join(dir, "tree"),
		"--environments",
		filepath.Join(dir, "envs"),
	)
	followed, seen := map[string]int{}, map[string]bool{}
	for _, step := range steps {
		words, args, ok := spoken(t, dir, step)
		tool := tools[words[0]]
		if key := strings.Join(words, " "); !ok || tool == "" || seen[key] {
			continue // a person's: no tool writes tests into trees, posts or decides
		} else {
			seen[key] = true
		}
		followed[tool]++
		answer, _ := a.call(tool, args)
		for _, fact := range facts(t, typed(t, dir, words), words[0]) {
			if !strings.Contains(answer, fact) {
				t.Errorf("%s: the command says %q, and the tool %s with %v:\n%s", step, fact, tool, args, answer)
			}
		}
	}
	for _, tool := range []string{"issue", "guess", "run", "minimize", "bisect", "ablate", "classify", "logs", "regress",
		"check_fix", "similar", "hint"} {
		if followed[tool] == 0 {
			t.Errorf("no skill says %s in a way that could be followed", tool)
		}
	}
	t.Logf("followed: %v", followed)
}

// library is a folder with what skills are about: issues, a program, a work tree, and releases on an index.
func library(t *testing.T) string {
	t.Helper()
	shelf := runtimestest.NewShelf("1.0")
	t.Cleanup(shelf.CloseClientConnections)
	t.Setenv("PIP_INDEX_URL", shelf.Index())
	dir := t.TempDir()
	program := "import slug\n\ndef run():\n    if slug.speed < 1.4:\n        raise ValueError('too slow')\n\nrun()\n"
	head := "---\nrepo: octo/slug\nnumber: %d\ntitle: %s\nauthor: ann\n---\n"
	report := fmt.Sprintf(head, 7, "It is too slow") + "With slug 1.0:\n\n```python\n" + program +
		"```\n\n```\nTraceback (most recent call last):\n  File \"a.py\", line 7, in <module>\n    run()\n" +
		"ValueError: too slow\n```\n"
	for name, text := range map[string]string{"slow.py": program, "report.md": report, "forge/octo/slug/7.md": report,
		"forge/octo/slug/8.md": fmt.Sprintf(head, 8, "It is wrong") + "With slug 1.0 it prints slow.\n\n" +
			"```python\nimport slug\n" +
			"print(slug.speed < 1.4 and 'slow' or 'quick')\n```\n",
		"log.txt": "Traceback (most recent call last):\n  File \"a.py\", line 7, in <module>\n    run()\n" +
			"ValueError: too slow\n",
		"tree/slug.py": "speed = 1.0\nbuild = 0\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	python := exec.Command(
		"sh",
		"-c",
		"python3 -m venv venv && venv/bin/python -m pip install -q --index-url "+shelf.Index()+
			" slug==1.0",
	)
	python.Dir = dir
	if out, err := python.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Setenv("VIRTUAL_ENV", filepath.Join(dir, "venv"))
	git := exec.Command("sh", "-c", "git init -q -b main && git add . && git -c user.name=a "+
		"-c user.email=a@b commit -qm 'a tree' && sed -i s/1.0/1.5/ slug.py")
	git.Dir = filepath.Join(dir, "tree")
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// spoken is a step of a skill as a command and as what its tool is given; it is not ok if no tool can be told that.
func spoken(t *testing.T, dir, step string) (words []string, args map[string]any, ok bool) {
	t.Helper()
	args, ok = map[string]any{}, true
	all := shelled.FindAllString(step, -1)[1:]
	if all[0] == "guide" && len(all) > 1 {
		all = all[1:]
	}
	words = []string{all[0]}
	file := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return ""
		}
		return string(text)
	}
	on := recorded["OWNER/REPO#N"]
	if all[0] == "guess" {
		on = "octo/slug#8" // of which the words alone say what is wrong
	}
	for i := 1; i < len(all); i++ {
		value := func(word string) string {
			if as, known := recorded[word]; known {
				return as
			}
			return strings.Trim(word, "'")
		}
		if !strings.HasPrefix(all[i], "-") {
			what := value(all[i])
			if what == "octo/slug#7" {
				what = on
			}
			words = append(words, what)
			switch name := askedFor[all[0]]; {
			case name == "":
				return words, args, false
			case name == "files":
				args["folder"], args["files"] = filepath.Join(dir, "tree"), []string{"slug.py"}
				words[len(words)-1] = "slug.py"
			case file(what) != "":
				args[name] = file(what)
			default:
				args[name] = what
			}
			continue
		}
		as, known := said[all[i]]
		if !known {
			return words, args, false
		}
		words = append(words, all[i])
		name, kind := strings.TrimRight(as, "[]#!"), strings.TrimLeft(as, "abcdefghijklmnopqrstuvwxyz_")
		if as == "" || kind == "!" {
			if as != "" {
				args[name] = true
			}
			continue
		}
		i++
		one := value(all[i])
		switch kind {
		case "[]":
			args[name] = strings.Split(one, ",")
		case "#":
			args[name] = json.Number(one)
		default:
			args[name] = one
		}
		if name == "checkout" {
			one = filepath.Join(dir, one)
			args[name] = one
		}
		words = append(words, one)
	}
	return words, args, ok
}

// typed is what a command prints as JSON, over a state of its own.
func typed(t *testing.T, dir string, words []string) []byte {
	t.Helper()
	args := slices.Clone(words)
	if args[0] == "hint" {
		args = append([]string{"guide"}, args...)
	}
	args = append(args, "--json", "-q", "--state", filepath.Join(dir, "typed.db"))
	if slices.Contains([]string{"issue", "guess", "duplicates"}, words[0]) {
		args = append(args, "--forge", filepath.Join(dir, "forge"))
	}
	if slices.Contains([]string{"issue", "guess", "bisect", "regress", "check-fix"}, words[0]) {
		args = append(args, "--environments", filepath.Join(dir, "envs"))
	}
	cmd := exec.Command(scrub(t), args...)
	cmd.Dir = dir
	if words[0] == "hint" {
		cmd.Dir = filepath.Join(dir, "tree")
	}
	cmd.Env = append(os.Environ(), "HOME="+dir, "USER=ann")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if len(out) == 0 {
		t.Logf("%v: %v: %s", args, err, &said)
	}
	return out
}

// facts are what a command has found out, in the words of the tool that does the same.
func facts(t *testing.T, answer []byte, command string) []string {
	t.Helper()
	read := func(into any) {
		if err := json.Unmarshal(answer, into); err != nil && len(answer) > 0 {
			t.Errorf("%s: %v: %.300s", command, err, answer)
		}
	}
	if len(answer) == 0 {
		return []string{"next: "} // both say what is missing
	}
	switch command {
	case "issue", "guess":
		var c desk.Case
		var g guessed.Guessed
		var all []string
		if command == "guess" {
			read(&g)
			c, all = g.Case, []string{fmt.Sprintf("accepted: %s", map[bool]string{true: "yes", false: "no"}[g.Accepted])}
			if !g.Accepted {
				return all
			}
		} else {
			read(&c)
		}
		for _, a := range c.Asked {
			all = append(all, fmt.Sprintf("on %s: %d of %d runs show it", a.Runtime.Version, a.Tally.Yes, a.Tally.Runs()))
		}
		return append(all, "verdict: "+string(c.Verdict), "case: "+c.ID, c.Reason)
	case "run":
		var r desk.Run
		read(&r)
		return []string{"program " + r.Program, fmt.Sprintf("%d times it %s", r.Tally.Runs(), r.Tally.Outcomes[0].Words())}
	case "minimize":
		var m desk.Minimized
		read(&m)
		return []string{m.Program, m.Symptom.String()}
	case "bisect":
		var b desk.Bisected
		read(&b)
		return []string{fmt.Sprintf("changed between %s and %s", b.From, b.To), b.Words}
	case "ablate":
		var w desk.Ablated
		read(&w)
		return []string{"kind: " + w.Class.Category}
	case "classify":
		var c desk.Classified
		read(&c)
		return []string{"kind: " + c.Category}
	case "logs":
		var l explained.Logs
		read(&l)
		return l.Says
	case "regress":
		var r tested.Regression
		read(&r)
		return []string{"proven: yes", r.Test.Text}
	case "check-fix":
		var c fixed.Checked
		read(&c)
		return []string{"fixed: " + c.Fixed.String()}
	case "duplicates":
		var f duplicated.Found
		read(&f)
		return []string{fmt.Sprintf("pairs: %d", len(f.Pairs))}
	case "hint":
		var h []guide.Hint
		read(&h)
		return []string{fmt.Sprintf("hints: %d", len(h))}
	}
	t.Errorf("%s: nobody knows its facts", command)
	return nil
}
