// Package wire is how scrub talks to a warm interpreter inside a box: messages over
// a socket that also carries descriptors.
package wire

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/scrub-dev/scrub/internal/sandbox/capture"
)

// A Hello is the first thing an interpreter says.
type Hello struct {
	Threads int      `json:"threads"`
	Absent  []string `json:"absent"` // what could not be imported or done before, and why
}

// An Order is one job as the interpreter reads it. The program itself goes past it to
// the child, so that nothing of it is there when the next one comes.
type Order struct {
	Timeout float64 `json:"timeout"` // seconds
	CPU     int64   `json:"cpu"`     // seconds of each process, kept by the kernel
	Busy    float64 `json:"busy"`    // seconds of all of them, kept by the interpreter; 0 for no such limit
	Idle    float64 `json:"idle"`    // seconds that none of them may do anything, likewise
	Memory  int64   `json:"memory"`
	Scratch int64   `json:"scratch"`
	Tools   bool    `json:"tools"` // it finds modules of scrub's own imported
}

// An Ending is what the interpreter says of a program.
type Ending struct {
	Status int    `json:"status"`
	Limit  string `json:"limit"`
	Wall   int64  `json:"wall_us"`
	CPU    int64  `json:"cpu_us"`
	Memory int64  `json:"memory"`
	Error  string `json:"error"` // the program was not let in
}

// A Wire is one end of the socket.
type Wire struct{ *os.File }

// Send sends a message, with descriptors.
func (w Wire) Send(text []byte, fds ...int) error {
	var rights []byte
	if len(fds) > 0 {
		rights = unix.UnixRights(fds...)
	}
	return unix.Sendmsg(int(w.Fd()), text, rights, nil, 0)
}

// Job sends a job: its limits, its files in one that has no name, and a pipe for
// each stream, which readers fill.
func (w Wire) Job(limits, text []byte, readers *sync.WaitGroup, streams ...*capture.Capture) error {
	file, err := unix.MemfdCreate("job", unix.MFD_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(file)
	for rest := text; len(rest) > 0; {
		n, err := unix.Write(file, rest)
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	fds := []int{file}
	for _, c := range streams {
		r, end, err := os.Pipe()
		if err != nil {
			return err
		}
		defer end.Close()
		fds = append(fds, int(end.Fd()))
		readers.Go(func() {
			defer r.Close()
			c.ReadAll(r)
		})
	}
	return w.Send(limits, fds...)
}

// Receive reads one message, or calls kill when ctx ends.
func (w Wire) Receive(ctx context.Context, into any, kill func()) error {
	stop := context.AfterFunc(ctx, kill)
	defer stop()
	buf := make([]byte, 64<<10)
	for {
		n, err := unix.Read(int(w.Fd()), buf)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return err
		case n == 0:
			return errors.New("it is gone")
		}
		return json.Unmarshal(buf[:n], into)
	}
}
