package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// watchTree calls kill when the processes below root together hold more
// than limit. What it returns stops the watch and says whether it had to.
func watchTree(root int, limit int64, kill func()) (over func() bool) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	hit := false
	wg.Go(func() {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if treeMemory(root) > limit {
					hit = true
					kill()
					return
				}
			}
		}
	})
	return func() bool {
		close(done)
		wg.Wait()
		return hit
	}
}

// treeMemory adds up the private memory of root and all below it.
func treeMemory(root int) int64 {
	total := int64(0)
	for queue := []int{root}; len(queue) > 0; {
		pid := queue[0]
		queue = queue[1:]
		total += privateOf(fmt.Sprintf("/proc/%d", pid))
		lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
		if err != nil {
			panic(err) // the pattern is well formed
		}
		for _, list := range lists {
			text, _ := os.ReadFile(list) // a process that is gone has no children
			for _, word := range strings.Fields(string(text)) {
				if child, err := strconv.Atoi(word); err == nil {
					queue = append(queue, child)
				}
			}
		}
	}
	return total
}

// privateOf is how much memory a process holds that no file backs.
func privateOf(dir string) int64 {
	var size, resident, shared int64
	text, err := os.ReadFile(dir + "/statm")
	if err != nil {
		return 0
	}
	if _, err := fmt.Sscan(string(text), &size, &resident, &shared); err != nil {
		return 0
	}
	return (resident - shared) * int64(os.Getpagesize())
}
