package sandbox

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// setLimits puts the limits that the kernel keeps for one process on this one,
// and so on all that it starts. Memory is not among them: a limit on address
// space makes Go's runtime abort now and then, and says nothing about what
// is used.
func (p plan) setLimits() error {
	l := p.Limits
	limits := []rlimit{{unix.RLIMIT_CORE, noCore}, {unix.RLIMIT_NPROC, uint64(l.Processes)},
		{unix.RLIMIT_NOFILE, uint64(l.Files)}}
	if p.Server == 0 {
		limits = append(limits, rlimit{unix.RLIMIT_FSIZE, uint64(p.most())},
			rlimit{unix.RLIMIT_CPU, uint64(l.Time.Seconds()+2) * uint64(runtime.NumCPU())})
	}
	for _, r := range limits {
		if err := unix.Setrlimit(r.what, &unix.Rlimit{Cur: r.most, Max: r.most}); err != nil {
			return fmt.Errorf("set limit %d: %w", r.what, err)
		}
	}
	return nil
}

type rlimit struct {
	what int
	most uint64
}
