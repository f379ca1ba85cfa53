package console

import (
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/scrub-dev/scrub/internal/bug"
)

// Self is what this process and its machine are called among others. The machine
// is called as somebody says, or as it calls itself.
func (a *Console) Self(machine string) (process, name string) {
	if machine == "" {
		machine, _ = os.Hostname() // one without a name is called so
	}
	if machine == "" {
		machine = "machine"
	}
	seed := bug.Digest(fmt.Sprint(a.Now().UnixNano(), os.Getpid()))[:8]
	clean := strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, machine)
	return fmt.Sprintf("%.60s-%d-%s", clean, os.Getpid(), seed), machine
}

// Used is the processors' time that this process has used, and those it started
// that are over.
func Used() time.Duration {
	total := time.Duration(0)
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var u unix.Rusage
		if err := unix.Getrusage(who, &u); err == nil {
			total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return total
}
