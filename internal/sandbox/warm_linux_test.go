package sandbox_test

import (
	"maps"
	"regexp"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/sandbox/sandboxtest"
)

// addresses, and the thread and process ids that crash reports name, are
// never the same twice.
var chance = regexp.MustCompile(`0x[0-9a-f]+|pid \d+|tests? in \d+\.\d+s`)

// Warm and cold agree on every program: how it ends, what it raises, and
// every byte it writes.
func TestWarmIsLikeCold(t *testing.T) {
	w := &sandbox.Warm{Tools: tools}
	defer w.Close()
	for _, p := range sandboxtest.Corpus() {
		t.Run(p.Name, func(t *testing.T) {
			job := sandbox.Job{Repro: bug.Program(p.Code), Runtime: python(t), Preload: []string{}}
			warm, err := w.Run(t.Context(), job)
			if err != nil {
				t.Fatal(err)
			}
			if !warm.Warm {
				t.Fatalf("it did not run warm: %v", w.Refused())
			}
			cold, err := sandbox.Native{}.Run(t.Context(), job)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range []*bug.Outcome{&warm, &cold} {
				o.Cost, o.Warm = bug.Cost{}, false
				o.Stdout, o.Stderr = chance.ReplaceAllString(o.Stdout, "~"), chance.ReplaceAllString(o.Stderr, "~")
			}
			if warm != cold {
				t.Errorf("warm: %s\n%s%s\ncold: %s\n%s%s", warm.Words(), warm.Stdout, warm.Stderr, cold.Words(),
					cold.Stdout, cold.Stderr)
			}
		})
	}
}

// tools stand for modules of scrub's own, with much that these import.
var tools = bug.Files{"scrub_tool/__init__.py": "",
	"scrub_tool/part.py": "import ast, difflib, dis, importlib.util, json, re, " +
		"symtable, threading, types\nmade = 1\n"}

// Who brings a tool finds it imported, and nobody else finds it at all.
func TestTools(t *testing.T) {
	w := &sandbox.Warm{Tools: tools}
	defer w.Close()
	code := "import sys\nprint('scrub_tool.part' in sys.modules, 'difflib' in sys.modules)\ntry:\n  import scrub_tool.part\n" +
		"  print(scrub_tool.part.made)\nexcept ImportError:\n  print('none')\n"
	for brings, want := range map[bool]string{true: "True True\n1\n", false: "False False\nnone\n"} {
		job := sandbox.Job{Repro: bug.Program(code), Runtime: python(t), Preload: []string{}}
		if brings {
			maps.Copy(job.Repro.Files, tools)
		}
		o, err := w.Run(t.Context(), job)
		if err != nil || !o.Warm || o.Stdout != want {
			t.Errorf("brings it: %v: %q, want %q; %v, %+v", brings, o.Stdout, want, err, o)
		}
	}
}

// Work is bounded by what it costs, however long it takes.
func TestBusy(t *testing.T) {
	w := new(sandbox.Warm)
	defer w.Close()
	for code, want := range map[string]string{
		"while 1: pass": "cpu",
		"import os\nfor _ in range(3): os.fork()\nwhile 1: pass": "cpu",
		"import time; time.sleep(0.4)":                           "",
		"import threading; threading.Event().wait()":             "idle",
	} {
		job := sandbox.Job{Repro: bug.Program(code), Runtime: python(t), Preload: []string{},
			Limits: sandbox.Limits{CPU: 200 * time.Millisecond, Idle: time.Second}}
		o, err := w.Run(t.Context(), job)
		if err != nil || !o.Warm || o.Limit != want || (o.End == bug.TimedOut) != (want != "") {
			t.Errorf("%q: limit %q, want %q; %+v, %v", code, o.Limit, want, o, err)
		}
	}
}

// An interpreter that cannot be a server is no reason to wait.
func TestNoServer(t *testing.T) {
	w := new(sandbox.Warm)
	defer w.Close()
	job := sandbox.Job{Repro: bug.Program("print(1)"), Runtime: bug.Runtime{Path: "/bin/echo"}, Preload: []string{}}
	o, err := w.Run(t.Context(), job)
	if err != nil || o.Warm || o.Stdout != "repro.py\n" || len(w.Refused()) != 1 {
		t.Errorf("%+v, %v, refused: %v", o, err, w.Refused())
	}
}

// What takes long to make is made once, and nothing else is left behind.
func TestCaches(t *testing.T) {
	w := &sandbox.Warm{Caches: []string{"/tmp/made/here", "/box/.made"}}
	defer w.Close()
	code := "import os\nfor at in '/tmp/made/here', '/box/.made', '/tmp', '/box':\n" +
		"  print(os.path.exists(at + '/it'), end=' ')\n  open(at + '/it', 'w').close()\nprint(os.listdir('/tmp'))\n"
	for i, want := range []string{"False False False False ['made', 'it']\n", "True True False False ['made', 'it']\n"} {
		o, err := w.Run(t.Context(), sandbox.Job{Repro: bug.Program(code), Runtime: python(t), Preload: []string{}})
		if err != nil || !o.Warm || len(o.Stdout) != len(want) || o.Stdout[:22] != want[:22] {
			t.Errorf("run %d: %q, want %q; %v, %+v", i, o.Stdout, want, err, o)
		}
	}
}
