//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// hostile writes reports that mean harm, or are merely broken, in turns.
func hostile(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	noise := rand.New(rand.NewPCG(1, 2))
	random := func(size int) string {
		var b strings.Builder
		for b.Len() < size {
			fmt.Fprintf(&b, "%x ", noise.Uint64())
		}
		return b.String()
	}
	program := func(text, says string) string { return "```python\n" + text + "\n```\n\n```\n" + says + "\n```\n" }
	kinds := []func(i int) string{
		func(int) string { return random(5 << 20) },
		func(int) string {
			return "```python\nx = '''" + random(5<<20) + "'''\nraise ValueError('long')\n```\n\n```\nValueError: long\n```\n"
		},
		func(int) string { return program("while True: pass", "ValueError: never comes") },
		func(int) string {
			return program("x = []\nwhile True: x.append(bytearray(1 << 24))", "MemoryError")
		},
		func(int) string {
			return program("import os\nwhile True: print(os.urandom(3000).hex())", "ValueError: flood")
		},
		func(int) string {
			return program("import sys\nfor i in range(10**7): sys.stderr.write('x' * 1000)", "ValueError: flood")
		},
		func(int) string { return strings.Repeat("```python\n", 20000) },
		func(int) string { return strings.Repeat("<details>", 50000) },
		func(i int) string { return program(fmt.Sprintf("raise KeyError('plain %d')", i), "KeyError: 'plain'") },
		func(int) string {
			return program("import os\nfor i in range(10**6): open(f'/tmp/{i}', 'w').write('x' * 10**6)", "OSError")
		},
		func(int) string {
			return program("def f(): f()\nimport sys\nsys.setrecursionlimit(10**9)\nf()", "RecursionError")
		},
		func(int) string {
			return program("import subprocess\nwhile True: subprocess.Popen(['sleep', '99'])", "OSError: fork")
		},
	}
	for i := range n {
		name, text := fmt.Sprintf("%04d.md", i), kinds[i%len(kinds)](i)
		head := fmt.Sprintf("---\nrepo: octo/snail\nnumber: %d\ntitle: report %[1]d\nauthor: eve\n---\n", i+1)
		if i%23 == 0 {
			name, head, text = fmt.Sprintf("%04d.json", i), "", `{"title": "broken", "body": "`+"\x00\xff"
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(head+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A backlog that means harm comes to its end, in bounds, and nothing else is harmed.
// SCRUB_TEST_HOSTILE says how many reports.
func TestHostileBacklog(t *testing.T) {
	n := 24
	if text := os.Getenv("SCRUB_TEST_HOSTILE"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	dir, home := hostile(t, n), t.TempDir()
	canary := filepath.Join(home, "canary")
	if err := os.WriteFile(canary, []byte("alive"), 0o600); err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	env := append(os.Environ(), "HOME="+home, "USER=ann", "GH_TOKEN=", "GITHUB_TOKEN=", "TMPDIR="+tmp)
	state, command := filepath.Join(home, "scrub.db"), scrub(t)
	var p struct {
		State   string
		Reports int
		Aside   int `json:"set_aside"`
		Done    int
	}
	out := output(t, env, nil, command, "sweep", dir, "--approve-clean", "--timeout", "2s", "--json", "--state", state)
	if err := json.Unmarshal(out, &p); err != nil {
		t.Fatal(err)
	}
	broken := (n + 22) / 23
	if p.State != "done" || p.Reports != n || p.Done+p.Aside != n || p.Aside != broken {
		t.Errorf("%+v, want %d, %d of them broken", p, n, broken)
	}
	info, err := os.Stat(state)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d reports, the state has %d MB", n, info.Size()>>20)
	if most := int64(max(n, 100)) * (200 << 20) / 1000; info.Size() > most {
		t.Errorf("the state has %d bytes", info.Size())
	}
	if text, err := os.ReadFile(canary); err != nil || string(text) != "alive" {
		t.Errorf("%q, %v", text, err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
