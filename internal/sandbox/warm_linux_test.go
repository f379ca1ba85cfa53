package sandbox_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/sandbox/sandboxtest"
)

// addresses, and the thread and process ids that crash reports name, are
// never the same twice.
var chance = regexp.MustCompile(`(?m)^[VWIE]\d{4} \S+ \d+ |0x[0-9a-f]+|pid \d+|tests? in \d+\.\d+s`)

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

// An interpreter gets ready once, for all its programs, and is there also if that
// goes wrong.
func TestReady(t *testing.T) {
	ready := "import decimal, os\ndecimal.made = os.getpid()\nopen('/tmp/made/first', 'w').close()\n"
	code := "import decimal, os\nprint(getattr(decimal, 'made', 0) > 0, os.path.exists('/tmp/made/first'))\n"
	for name, c := range map[string]struct {
		first, want string
		refused     int
	}{
		"well":    {ready, "True True\n", 0},
		"badly":   {ready + "1 / 0\n", "False False\n", 1},
		"threads": {ready + "import threading\nthreading.Thread(target=threading.Event().wait).start()\n", "False False\n", 1},
		"leaver":  {ready + "os.fork() or os.execv('/bin/sleep', ['sleep', '99'])\n", "False False\n", 1},
	} {
		w := &sandbox.Warm{Caches: []string{"/tmp/made"}, Ready: c.first}
		for range 2 {
			o, err := w.Run(t.Context(), sandbox.Job{Repro: bug.Program(code), Runtime: python(t), Preload: []string{"decimal"}})
			if err != nil || !o.Warm || o.Stdout != c.want || len(w.Refused()) != c.refused {
				t.Errorf("%s: %q, want %q; %v, refused %q", name, o.Stdout, c.want, err, w.Refused())
			}
		}
		w.Close()
	}
}

// Programs that compile do in an interpreter that has compiled before what they do
// in a new one. SCRUB_TEST_PYTHON names one that has torch; it takes minutes.
func TestCompiledWarmLikeCold(t *testing.T) {
	if os.Getenv("SCRUB_TEST_PYTHON") == "" {
		t.Skip("SCRUB_TEST_PYTHON names no Python with torch")
	}
	r := named(t)
	ready, err := os.ReadFile("../profile/data/pytorch/compile_once.py")
	if err != nil {
		t.Fatal(err)
	}
	w := &sandbox.Warm{Caches: []string{"/tmp/torchinductor_scrub"}, Ready: string(ready),
		Own: []string{"/tmp/torchinductor_scrub/fxgraph", "/tmp/torchinductor_scrub/aotautograd"}}
	defer w.Close()
	address := regexp.MustCompile(`0x[0-9a-f]+|\w{52}|/tmp/\S+|[VIWE]\d{4} [\d:.]+ +\d+ `) // and times in logs
	// What the compiler is to leave alone is called through it once something was compiled.
	through := regexp.MustCompile(`  File "[^"]*/_dynamo/eval_frame\.py", line \d+, in _fn\n.*\n(?: *[\^~]+\n)?`)
	same := func(o bug.Outcome) string {
		return fmt.Sprintf("%s %d\n%s\n%s", o.End, o.Code, address.ReplaceAllString(o.Stdout, "0x"),
			through.ReplaceAllString(address.ReplaceAllString(o.Stderr, "0x"), ""))
	}
	for i, body := range compiledPrograms {
		code := "import torch\nimport torch._dynamo as d\nfrom torch._dynamo.utils import counters\n" + body
		job := sandbox.Job{Repro: bug.Program(code), Runtime: r}
		cold, err := (sandbox.Native{}).Run(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		job.Preload = []string{"torch", "torch._dynamo", "torch._inductor.compile_fx"}
		for range 2 {
			warm, err := w.Run(t.Context(), job)
			if err != nil || !warm.Warm || same(warm) != same(cold) {
				t.Errorf("%d, %s\ncold %s\nwarm %s\n%v, refused %q", i, body, same(cold), same(warm), err, w.Refused())
			}
		}
	}
}

var compiledPrograms = []string{
	"print(torch.get_num_threads(), torch.compile(lambda x: (x.sin() + 1).sum())(torch.ones(3)), dict(counters['stats']))\n",
	"m = torch.nn.Linear(4, 4)\ntorch.nn.init.ones_(m.weight)\nc = torch.compile(m)\nc(torch.ones(2, 4)).sum().backward()\n" +
		"print(m.weight.grad, dict(counters['stats']))\n",
	"f = torch.compile(lambda x: x * 2)\nfor n in 2, 3, 4, 5:\n    f(torch.ones(n))\nprint(dict(counters['stats']))\n",
	"torch._logging.set_logs(recompiles=True, graph_breaks=True)\nf = torch.compile(lambda x: x * 2)\n" +
		"f(torch.ones(2))\nf(torch.ones(2, dtype=torch.int64))\n",
	"@torch.compile(fullgraph=True)\ndef f(x):\n    print(x)\n    return x.nope()\nf(torch.ones(2))\n",
	"@torch.library.custom_op('t::bad', mutates_args=())\ndef bad(x: torch.Tensor) -> torch.Tensor:\n    return x.clone()\n" +
		"torch.compile(lambda x: bad(x) + 1)(torch.ones(2))\n",
	"import torch._dynamo, torch.export\nclass M(torch.nn.Module):\n    def forward(self, x):\n        return x.relu() if x.sum() > 0 else x\n" +
		"torch.export.export(M(), (torch.ones(2),))\n",
}
