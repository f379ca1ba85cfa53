package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A watch keeps what a box's processes hold together under a limit. It looks
// from outside, where nothing in the box can reach it.
type watch struct {
	root  int   // the box's first process; what is below it counts
	whole bool  // and itself too
	limit int64 // bytes
	// Without a cgroup around the box, memory that several processes could share
	// is counted here, by what it could become at the most: pages that nobody
	// has mapped at the moment are still there.
	shared bool
}

const (
	tick      = 20 * time.Millisecond
	sharedNth = 5 // reading all maps costs more than reading sizes
)

// A sight is what a watch has to say at its end.
type sight struct {
	over bool  // it had to end it
	err  error // it could not see, and ended it
}

// start calls kill when there is too much, or nothing can be seen. What it
// returns stops the watch.
func (w watch) start(kill func()) func() sight {
	done := make(chan struct{})
	var wg sync.WaitGroup
	var s sight
	wg.Go(func() {
		every := time.NewTicker(tick)
		defer every.Stop()
		for n := 1; ; n++ {
			select {
			case <-done:
				return
			case <-every.C:
				held, err := w.look(n%sharedNth == 0)
				if s = (sight{over: held > w.limit, err: err}); s.over || err != nil {
					kill()
					return
				}
			}
		}
	})
	return func() sight {
		close(done)
		wg.Wait()
		return s
	}
}

// look adds up what the processes hold.
func (w watch) look(maps bool) (int64, error) {
	total, objects := int64(0), map[string]int64{}
	for queue := []int{w.root}; len(queue) > 0; queue = queue[1:] {
		pid := queue[0]
		dir := "/proc/" + strconv.Itoa(pid)
		if pid != w.root || w.whole {
			private, err := privateOf(dir)
			if err != nil {
				return 0, err
			}
			total += private
			if w.shared && maps {
				if err := sharedOf(dir, objects); err != nil {
					return 0, err
				}
			}
		}
		children, err := childrenOf(dir)
		if err != nil {
			return 0, err
		}
		queue = append(queue, children...)
	}
	for _, size := range objects {
		total += size
	}
	if w.shared && maps {
		total += inSockets(fmt.Sprintf("/proc/%d/net/", w.root))
	}
	return total, nil
}

// unixSocket is how much may wait in one socket of a machine's own, at most.
const unixSocket = 425984

// inSockets is about how much the kernel holds for the sockets of a network: it
// says what waits in those of the internet, and how many others there are.
func inSockets(net string) int64 {
	total := int64(0)
	for _, name := range []string{"tcp", "tcp6", "udp", "udp6"} {
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
	text, _ := os.ReadFile(net + "unix")
	return total + int64(strings.Count(string(text), "\n")-1)*unixSocket
}

// gone reports whether an error only says that a process has ended.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) }

func childrenOf(dir string) ([]int, error) {
	lists, err := filepath.Glob(dir + "/task/*/children")
	if err != nil {
		panic(err) // the pattern is well formed
	}
	var all []int
	for _, list := range lists {
		text, err := os.ReadFile(list)
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

// privateOf is how much memory a process holds that no file backs.
func privateOf(dir string) (int64, error) {
	text, err := os.ReadFile(dir + "/statm")
	if gone(err) {
		return 0, nil
	}
	var size, resident, shared int64
	if err == nil {
		_, err = fmt.Sscan(string(text), &size, &resident, &shared)
	}
	if err != nil {
		return 0, fmt.Errorf("watch on memory: %w", err)
	}
	return (resident - shared) * int64(os.Getpagesize()), nil
}

// sharedOf enters the objects in memory that a process has mapped, each with
// the size to which it is mapped.
func sharedOf(dir string, objects map[string]int64) error {
	text, err := os.ReadFile(dir + "/maps")
	if err != nil && !gone(err) {
		return fmt.Errorf("watch on memory: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		if !strings.Contains(line, "/dev/zero") && !strings.Contains(line, "/SYSV") && !strings.Contains(line, "/memfd:") {
			continue
		}
		var from, to, offset int64
		var perms, device, inode string
		if _, err := fmt.Sscanf(line, "%x-%x %s %x %s %s", &from, &to, &perms, &offset, &device, &inode); err != nil {
			return fmt.Errorf("watch on memory: %q: %w", line, err)
		}
		key := device + " " + inode
		objects[key] = max(objects[key], offset+to-from)
	}
	return nil
}
