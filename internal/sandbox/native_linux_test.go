package sandbox

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"scrub/internal/bug"
)

func TestMain(m *testing.M) {
	Main()
	os.Exit(m.Run())
}

// system python, which every machine that runs these tests has.
func python(t *testing.T) bug.Runtime {
	t.Helper()
	return bug.Runtime{Path: "/usr/bin/python3"}
}

func run(t *testing.T, code string, limits Limits) bug.Outcome {
	t.Helper()
	if limits.Time == 0 {
		limits.Time = 20 * time.Second
	}
	o, err := Native{}.Run(t.Context(), Job{Repro: bug.Program(code), Runtime: python(t), Limits: limits})
	if err != nil {
		t.Fatalf("box: %v\n%s", err, o.Stderr)
	}
	return o
}

func TestEndsAreTold(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		limits     Limits
		want       bug.Outcome
	}{
		{"good", "print('hi')", Limits{}, bug.Outcome{End: bug.Exited, Stdout: "hi\n"}},
		{"code", "import sys; sys.exit(7)", Limits{}, bug.Outcome{End: bug.Exited, Code: 7}},
		{"abort", "import os; os.abort()", Limits{}, bug.Outcome{End: bug.Killed, Signal: "SIGABRT"}},
		{"segfault", "import os; os.kill(os.getpid(), 11)", Limits{}, bug.Outcome{End: bug.Killed, Signal: "SIGSEGV"}},
		{"hang", "print('on it', flush=True)\nwhile 1: pass", Limits{Time: time.Second}, bug.Outcome{End: bug.TimedOut, Limit: "time", Stdout: "on it\n"}},
		{"memory", "x = [bytearray(1 << 20) for _ in range(400)]", Limits{Memory: 100 << 20}, bug.Outcome{End: bug.Killed, Signal: "SIGKILL", Limit: "memory"}},
		{"memory of many", "import os\nfor _ in range(8):\n  if not os.fork():\n    x = bytearray(40 << 20)\n    import time; time.sleep(9)\nos.wait()", Limits{Memory: 160 << 20}, bug.Outcome{End: bug.Killed, Signal: "SIGKILL", Limit: "memory"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := run(t, tt.code, tt.limits)
			if o.Cost.Wall <= 0 {
				t.Errorf("no wall time in %+v", o.Cost)
			}
			o.Cost, o.Stderr = bug.Cost{}, ""
			if o != tt.want {
				t.Errorf("got %+v, want %+v", o, tt.want)
			}
		})
	}
}

func TestOutputKeepsItsHeadAndTail(t *testing.T) {
	o := run(t, "import sys\nsys.stdout.write('A' * 10 + 'x' * (5 << 20) + 'Z' * 10)", Limits{Output: 1000})
	if !strings.HasPrefix(o.Stdout, "AAAAAAAAAAxx") || !strings.HasSuffix(o.Stdout, "xxZZZZZZZZZZ") ||
		!strings.Contains(o.Stdout, "bytes left out") || len(o.Stdout) > 1100 {
		t.Errorf("%d bytes: %.40s … %s", len(o.Stdout), o.Stdout, o.Stdout[max(0, len(o.Stdout)-40):])
	}
}

func TestCancelIsNoOutcome(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o, err := Native{}.Run(ctx, Job{Repro: bug.Program("print(1)"), Runtime: python(t)})
	if err == nil {
		t.Errorf("a run that was called off gave %+v", o)
	}
}

func TestNoProgramIsTheBoxsFault(t *testing.T) {
	_, err := Native{}.Run(t.Context(), Job{Repro: bug.Program("print(1)"), Runtime: bug.Runtime{Path: "/no/such/python"}})
	if err == nil || !strings.Contains(err.Error(), "/no/such/python") {
		t.Errorf("Run = %v", err)
	}
}

func TestNothingGetsOut(t *testing.T) {
	t.Setenv("SCRUB_SECRET_TOKEN", "canary")
	home := t.TempDir()
	if err := os.WriteFile(home+"/id", []byte("canary"), 0o600); err != nil {
		t.Fatal(err)
	}
	code := `
import os, socket
def tried(what, f):
    try: print(what, 'OPEN', f())
    except Exception as e: print(what, 'shut', type(e).__name__)
tried('token', lambda: os.environ['SCRUB_SECRET_TOKEN'])
tried('file', lambda: open('` + home + `/id').read())
tried('shadow', lambda: open('/etc/shadow').read())
tried('write', lambda: open('/usr/x', 'w'))
tried('root', lambda: open('/x', 'w'))
tried('network', lambda: socket.create_connection(('1.1.1.1', 53), 2))
tried('mount', lambda: os.chroot('/tmp'))
print('pids', len([p for p in os.listdir('/proc') if p.isdigit()]), 'uid', os.getuid(), 'cwd', os.getcwd(), sorted(os.listdir('.')))
`
	o := run(t, code, Limits{})
	if strings.Contains(o.Stdout, "OPEN") || !strings.Contains(o.Stdout, "pids 2 uid 1000 cwd /box ['repro.py']") {
		t.Errorf("%s%s", o.Stdout, o.Stderr)
	}
}
