package sandbox_test

import (
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// Who may ask for interfaces may ask the kernel for nothing else by such a socket, and changes nothing by it.
func TestOnlyInterfacesCanBeAskedFor(t *testing.T) {
	program := bug.Program(`import socket, struct
for name, protocol in (("routes", 0), ("audit", 9), ("uevents", 15), ("netfilter", 12), ("crypto", 21)):
    try:
        socket.socket(16, socket.SOCK_RAW, protocol)
        print(name, "opened")
    except OSError as e:
        print(name, "refused")
try:
    s = socket.socket(16, socket.SOCK_RAW, 0)
    # the loopback device is told to go down
    s.send(struct.pack("IHHII", 32, 16, 5, 1, 0) + struct.pack("BBHiII", 0, 0, 0, 1, 0, 1))
    answer = s.recv(4096)
    print("down", struct.unpack("i", answer[16:20])[0])
except OSError as e:
    print("down refused")
`)
	for _, tt := range []struct {
		may  bool
		want string
	}{
		{false, "routes refused\naudit refused\nuevents refused\nnetfilter refused\ncrypto refused\ndown refused\n"},
		{true, "routes opened\naudit refused\nuevents refused\nnetfilter refused\ncrypto refused\ndown -1\n"},
	} {
		o, err := (sandbox.Native{}).Run(t.Context(), sandbox.Job{Repro: program, Runtime: python(t),
			Limits: sandbox.Limits{Interfaces: tt.may}})
		if err != nil {
			t.Fatal(err)
		}
		if o.Stdout != tt.want {
			t.Errorf("interfaces %v: %q, want %q (%s)", tt.may, o.Stdout, tt.want, strings.TrimSpace(o.Stderr))
		}
	}
}

// Programs of one interpreter share what a cache holds, but for the folders in it that each has for itself.
func TestEachProgramHasItsOwnPartOfACache(t *testing.T) {
	w := &sandbox.Warm{Caches: []string{"/tmp/made"}, Own: []string{"/tmp/made/own"}}
	defer w.Close()
	program := bug.Program("import os\nfor f in ('/tmp/made/all', '/tmp/made/own/mine'):\n" +
		"    print(os.path.exists(f))\n    open(f, 'w').close()\n")
	for i, want := range []string{"False\nFalse\n", "True\nFalse\n"} {
		o, err := w.Run(t.Context(), sandbox.Job{Repro: program, Runtime: python(t), Preload: []string{}})
		if err != nil || o.Stdout != want || !o.Warm {
			t.Errorf("run %d: %q, warm %v, want %q (%v; %s; %v)", i+1, o.Stdout, o.Warm, want, err, o.Stderr, w.Refused())
		}
	}
}
