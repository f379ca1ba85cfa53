// Package watch counts from outside what the processes of a box hold.
package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/scrub-dev/scrub/internal/sandbox/cgroup"
)

// A Watch keeps what a box's processes hold together under a limit. It looks
// from outside, where nothing in the box can reach it.
type Watch struct {
	Root  int    // the box's first process; what is below it counts
	Whole bool   // and itself too
	Limit int64  // bytes
	Net   NetSum // what the box's cgroup does not count of its sockets
}

// NetSum is which sockets' buffers a watch must count.
type NetSum int

const (
	noNet    NetSum = iota // the cgroup counts them all
	inetOnly               // those of the internet are not in the sum of the first version's
	allNet                 // there is no cgroup
)

// MissedBy is what a watch must count beside a cgroup.
func MissedBy(g *cgroup.Group) NetSum {
	switch {
	case g == nil:
		return allNet
	case g.V2:
		return noNet
	}
	return inetOnly
}

const (
	tick   = 20 * time.Millisecond
	netNth = 3 // sockets are looked at less often
)

// A Sight is what a watch has to say at its end.
type Sight struct {
	Over bool  // it had to end it
	Err  error // it could not see, and ended it
}

// Start calls kill when there is too much, or nothing can be seen. What it
// returns stops the watch.
func (w Watch) Start(kill func()) func() Sight {
	done := make(chan struct{})
	var wg sync.WaitGroup
	var s Sight
	wg.Go(func() {
		every := time.NewTicker(tick)
		defer every.Stop()
		for n := 1; ; n++ {
			select {
			case <-done:
				return
			case <-every.C:
				held, err := w.Look(n%netNth == 0)
				if s = (Sight{Over: held > w.Limit, Err: err}); s.Over || err != nil {
					kill()
					return
				}
			}
		}
	})
	return func() Sight {
		close(done)
		wg.Wait()
		return s
	}
}

// Look adds up what the processes hold.
func (w Watch) Look(sockets bool) (int64, error) {
	total := int64(0)
	for queue := []int{w.Root}; len(queue) > 0; queue = queue[1:] {
		pid := queue[0]
		dir := "/proc/" + strconv.Itoa(pid)
		if pid != w.Root || w.Whole {
			private, err := privateOf(dir)
			if err != nil {
				return 0, err
			}
			total += private
		}
		children, err := childrenOf(dir)
		if err != nil {
			return 0, err
		}
		queue = append(queue, children...)
	}
	if sockets && w.Net != noNet {
		total += w.Net.held(fmt.Sprintf("/proc/%d/net/", w.Root))
	}
	return total, nil
}

// unixSocket is how much may wait in one socket of a machine's own, at most.
const unixSocket = 425984

// held is about how much the kernel holds for the sockets of a network: it says
// what waits in those of the internet, and how many others there are.
func (n NetSum) held(net string) int64 {
	total := int64(0)
	for _, name := range append(inUse(net), "icmp", "icmp6") {
		text, _ := os.ReadFile(net + name) // a box that is gone holds nothing
		for line := range strings.Lines(string(text)) {
			// 0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 …
			var sent, received int64
			if w := strings.Fields(line); len(w) > 4 {
				if _, err := fmt.Sscanf(w[4], "%x:%x", &sent, &received); err == nil {
					total += 2 * (sent + received) // packets are larger than what is in them
				}
			}
		}
	}
	if n != allNet {
		return total
	}
	text, _ := os.ReadFile(net + "unix")
	return total + int64(strings.Count(string(text), "\n")-1)*unixSocket
}

// inUse are the lists of sockets of a network that are not empty. To write down
// one of them the kernel walks through all sockets of the machine.
func inUse(net string) []string {
	var lists []string
	for _, name := range []string{"sockstat", "sockstat6"} {
		text, _ := os.ReadFile(net + name) // a box that is gone has none
		for line := range strings.Lines(string(text)) {
			// TCP: inuse 5 orphan 0 tw 12 alloc 7 mem 1
			if w := strings.Fields(line); len(w) > 2 && w[1] == "inuse" && w[2] != "0" && w[0] != "FRAG:" && w[0] != "FRAG6:" {
				lists = append(lists, strings.ToLower(strings.TrimSuffix(w[0], ":")))
			}
		}
	}
	return lists
}

// gone reports whether an error only says that a process has ended.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) }

func childrenOf(dir string) ([]int, error) {
	tasks, err := os.ReadDir(dir + "/task")
	if err != nil && !gone(err) {
		return nil, fmt.Errorf("watch on memory: %w", err)
	}
	var all []int
	for _, task := range tasks {
		text, err := os.ReadFile(dir + "/task/" + task.Name() + "/children")
		if err != nil && !gone(err) {
			return nil, fmt.Errorf("watch on memory: %w", err)
		}
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				all = append(all, child)
			}
		}
	}
	return all, nil
}

// counts are the lines of a process's status that say what it holds and no file
// backs, page tables included.
var counts = []string{"RssAnon:", "VmSwap:", "VmPTE:"}

// privateOf is how much memory a process holds that no file backs. One whose
// first thread has ended says so of another.
func privateOf(dir string) (int64, error) {
	held, ok, err := statusOf(dir)
	if ok || err != nil {
		return held, err
	}
	threads, err := filepath.Glob(dir + "/task/*")
	if err != nil {
		panic(err) // the pattern is well formed
	}
	for _, thread := range threads {
		if held, ok, err := statusOf(thread); ok || err != nil {
			return held, err
		}
	}
	return 0, nil // it has ended
}

// statusOf reads one status; ok means that it speaks of memory at all.
func statusOf(dir string) (held int64, ok bool, err error) {
	text, err := os.ReadFile(dir + "/status")
	if gone(err) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("watch on memory: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		w := strings.Fields(line)
		if len(w) < 2 || !slices.Contains(counts, w[0]) {
			continue
		}
		kib, err := strconv.ParseInt(w[1], 10, 64)
		if err != nil {
			return 0, false, fmt.Errorf("watch on memory: %w", err)
		}
		held, ok = held+kib<<10, true
	}
	return held, ok, nil
}
