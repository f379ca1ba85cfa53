package sandboxtest

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

func makeOpenFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(dir+"/file", []byte("shown"), 0o666); err != nil {
		return err
	}
	return os.Chmod(dir, 0o777)
}

// Conform checks what every box must do: tell how a program ended, keep its
// limits, and give it the world it expects. What a box that others make is
// known not to do is named in known.
func Conform(t *testing.T, box sandbox.Box, runtime bug.Runtime, preload []string, known ...string) {
	run := func(t *testing.T, code string, limits sandbox.Limits) bug.Outcome {
		t.Helper()
		if limits.Time == 0 {
			limits.Time = 20 * time.Second
		}
		o, err := box.Run(t.Context(), sandbox.Job{Repro: bug.Program(code), Runtime: runtime, Limits: limits,
			Preload: preload})
		if err != nil {
			t.Fatalf("box: %v\n%s", err, o.Stderr)
		}
		return o
	}
	for _, tt := range ends {
		if slices.Contains(known, tt.name) {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			o := run(t, tt.code, tt.limits)
			if o.Cost.Wall <= 0 {
				t.Errorf("no wall time in %+v", o.Cost)
			}
			if o.Limit == "" && (o.Cost.CPU <= 0 || o.Cost.Memory <= 0) {
				t.Errorf("no CPU time or memory in %+v", o.Cost)
			}
			o.Cost, o.Stderr, o.Warm = bug.Cost{}, "", false
			if o != tt.want {
				t.Errorf("got %+v, want %+v", o, tt.want)
			}
		})
	}
	t.Run("head and tail", func(t *testing.T) {
		o := run(t, "import sys\nsys.stdout.write('A' * 10 + 'x' * (5 << 20) + 'Z' * 10)", sandbox.Limits{Output: 1000})
		if !strings.HasPrefix(o.Stdout, "AAAAAAAAAAxx") || !strings.HasSuffix(o.Stdout, "xxZZZZZZZZZZ") ||
			!strings.Contains(o.Stdout, "bytes left out") || len(o.Stdout) > 1100 {
			t.Errorf("%d bytes: %.40s … %s", len(o.Stdout), o.Stdout, o.Stdout[max(0, len(o.Stdout)-40):])
		}
	})
	t.Run("several files", func(t *testing.T) {
		repro := bug.Repro{Files: bug.Files{"repro.py": "import pack.part\nprint(pack.part.x, open('data.txt').read())",
			"pack/part.py": "x = 5", "data.txt": "é"}, Command: []string{"python", "repro.py"}}
		o, err := box.Run(t.Context(), sandbox.Job{Repro: repro, Runtime: runtime, Preload: preload})
		if err != nil || o.Stdout != "5 é\n" {
			t.Errorf("%+v, %v", o, err)
		}
	})
	t.Run("a world of its own", func(t *testing.T) {
		code := "import os\nprint(os.getuid() != 0, os.getcwd(), sorted(os.listdir('.')), len([p for p in " +
			"os.listdir('/proc') if p.isdigit()]) < 5)\nopen('/tmp/x', 'w')\nopen('/dev/shm/x', 'w')\n"
		for range 2 {
			if o := run(t, code, sandbox.Limits{}); o.Stdout != "True /box ['repro.py'] True\n" || o.Code != 0 {
				t.Errorf("%+v", o)
			}
		}
	})
	t.Run("called off", func(t *testing.T) { calledOff(t, box, runtime, preload) })
}

// calledOff checks that a run which is called off gives nothing.
func calledOff(t *testing.T, box sandbox.Box, runtime bug.Runtime, preload []string) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o, err := box.Run(ctx, sandbox.Job{Repro: bug.Program("print(1)"), Runtime: runtime, Preload: preload})
	if err == nil {
		t.Errorf("a run that was called off gave %+v", o)
	}
}

var ends = []struct {
	name, code string
	limits     sandbox.Limits
	want       bug.Outcome
}{
	{"good", "print('hi')", sandbox.Limits{}, bug.Outcome{End: bug.Exited, Stdout: "hi\n"}},
	{"code", "import sys; sys.exit(7)", sandbox.Limits{}, bug.Outcome{End: bug.Exited, Code: 7}},
	{"exception", "1/0", sandbox.Limits{}, bug.Outcome{End: bug.Exited, Code: 1}},
	{"abort", "import os; os.abort()", sandbox.Limits{}, bug.Outcome{End: bug.Killed, Signal: "SIGABRT"}},
	{"segfault", "import os; os.kill(os.getpid(), 11)", sandbox.Limits{},
		bug.Outcome{End: bug.Killed, Signal: "SIGSEGV"}},
	{"interrupt", "import os; os.kill(os.getpid(), 2); import time; time.sleep(9)", sandbox.Limits{},
		bug.Outcome{End: bug.Killed, Signal: "SIGINT"}},
	{"hang", "print('on it', flush=True)\nwhile 1: pass", sandbox.Limits{Time: time.Second},
		bug.Outcome{End: bug.TimedOut, Limit: "time", Within: time.Second, Stdout: "on it\n"}},
	{"memory", "x = [bytearray(1 << 20) for _ in range(800)]\nimport time; time.sleep(1)",
		sandbox.Limits{Memory: 200 << 20}, bug.Outcome{End: bug.Killed, Signal: "SIGKILL", Limit: "memory"}},
	{"memory of many", "import os, time\nfor _ in range(8):\n  if not os.fork():\n    x = bytearray(60 << 20)\n    " +
		"time.sleep(9)\nos.wait()", sandbox.Limits{Memory: 260 << 20}, bug.Outcome{End: bug.Killed, Signal: "SIGKILL",
		Limit: "memory"}},
}
