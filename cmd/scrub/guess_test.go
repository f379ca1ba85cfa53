//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/fanout"
	"github.com/scrub-dev/scrub/internal/runtimes/runtimestest"
)

// What is made up for a report is accepted if it shows the report's bug, and never if it only looks like that.
func TestGuesses(t *testing.T) {
	for _, file := range []string{"guesses.txtar", "second.txtar", "third.txtar", "fourth.txtar"} {
		tried, err := guesses(t, filepath.Join("testdata", "guesses", file))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %v", file, tried)
	}
}

// guesses tries those of a file, and counts them by the folders that they are in.
func guesses(t *testing.T, file string) (map[string]int, error) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	lib, reports := files["lib.py"], map[string]string{}
	dir := t.TempDir()
	for name, text := range files {
		if report, ok := strings.CutPrefix(name, "reports/"); ok {
			reports[strings.TrimSuffix(report, ".md")] = filepath.Join(dir, report)
			if err := os.WriteFile(filepath.Join(dir, report), []byte(text), 0o600); err != nil {
				return nil, err
			}
		}
	}
	shelf := runtimestest.NewShelf("1.0", "2.0")
	t.Cleanup(shelf.CloseClientConnections)
	shelf.Only = map[string]map[string]string{
		"1.0": {"snail.py": "speed, FIXED = 1.0, False\n" + lib}, "2.0": {"snail.py": "speed, FIXED = 2.0, True\n" + lib}}
	t.Setenv("PIP_INDEX_URL", shelf.Index())
	all := slices.DeleteFunc(archive.Files, func(f txtar.File) bool {
		kind, _, _ := strings.Cut(f.Name, "/")
		return kind != "good" && kind != "wrong" && kind != "cheat"
	})
	if testing.Short() { // make long tries them all
		few, each := all[:0], 4
		if filepath.Base(file) == "guesses.txtar" {
			each = 2
		}
		for i, f := range all {
			if i%each == 0 {
				few = append(few, f)
			}
		}
		all = few
	}
	tried := map[string]int{}
	codes, said := make([]int, len(all)), make([]string, len(all))
	errs := fanout.Each(len(all), 2, func(i int) error {
		name := strings.ReplaceAll(strings.TrimSuffix(all[i].Name, ".md"), "/", "-")
		codes[i], said[i] = measured(t, dir, name, string(all[i].Data), reports)
		return nil
	})
	for i, f := range all {
		kind, _, _ := strings.Cut(f.Name, "/")
		tried[kind]++
		for line := range strings.Lines(said[i]) {
			if strings.HasPrefix(line, "  - ") {
				t.Logf("%s%s", f.Name, line)
			}
		}
		// A person who must decide first has not accepted anything.
		if good := kind == "good"; good != (codes[i] == console.Done) || codes[i] == console.Misused ||
			codes[i] == console.Failed {
			t.Errorf("%s: exit code %d:\n%s", f.Name, codes[i], said[i])
		}
	}
	return tried, errors.Join(errs...)
}

// measured has scrub measure one.
func measured(t *testing.T, dir, name, text string, reports map[string]string) (code int, said string) {
	t.Helper()
	head, program, _ := strings.Cut(text, "\n\n")
	args := []string{"guess", "", "--approve-clean", "--on", "1.0,2.0", "-n", "1", "--timeout", "5s", "--no-bisect",
		"--state", filepath.Join(dir, "scrub.db"), "--environments", filepath.Join(dir, "envs"), "--by", "an agent"}
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "report":
			args[1] = reports[value]
		case "file":
			file, text, _ := strings.Cut(value, " ")
			file = filepath.Join(t.TempDir(), file)
			if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, "--file", file)
		default:
			args = append(args, "--"+key, value)
		}
	}
	if strings.TrimSpace(program) != "" {
		file := filepath.Join(dir, name+".py")
		if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--program", file)
	}
	cmd := exec.Command(scrub(t), args...)
	cmd.Env = append(os.Environ(), "HOME="+dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// The case of a program that was made up says so and by whom, on paper and in JSON; nobody is told what it showed: the
// author is asked for a program, and the issue stays open.
func TestGuessIsDisclosed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"forge/octo/json/8.md": "---\nrepo: octo/json\nnumber: 8\ntitle: json.loads " +
		"does not like commas\nauthor: bob\n---\nWith `json.loads` it says Expecting value: line 1 column 4 (char 3) when " +
		"there is one too many.\n", "try.py": "import json\njson.loads('[1,]')\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		cmd := exec.Command(scrub(t), append(args, "--state", filepath.Join(dir, "scrub.db"), "-q")...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "USER=ann")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
		return string(out)
	}
	run("guess", "octo/json#8", "--forge", "forge", "--program", "try.py", "--expect", "JSONDecodeError: Expecting value",
		"--quote", "it says Expecting value", "--approve-clean", "--by", "an agent")
	for _, shown := range []string{run("show", "octo/json#8"), run("show", "octo/json#8", "--json"),
		run("report", "octo/json#8", "--html")} {
		if !strings.Contains(strings.ToLower(shown), "made up by an agent") {
			t.Errorf("nobody says who made it up: %s", shown)
		}
	}
	proposed := run("actions", "--json")
	for _, must := range []string{"Could you add a small one that shows the problem"} {
		if !strings.Contains(proposed, must) {
			t.Errorf("%q is not proposed: %s", must, proposed)
		}
	}
	for _, never := range []string{"[1,]", "still reproduces", `"close"`} {
		if strings.Contains(proposed, never) {
			t.Errorf("%q is proposed: %s", never, proposed)
		}
	}
}
