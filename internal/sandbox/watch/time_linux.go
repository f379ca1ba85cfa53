package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ErrLate means that a box has had its time.
var ErrLate = errors.New("its time is up")

const (
	mostWall = 4                      // times its time, at the most, on a machine that is too busy to give it
	least    = 100 * time.Millisecond // between two looks
)

// Within is ctx until the processes of root, which began then, have had their time:
// by the clock, less what they stood in line for a processor. So a busy machine
// makes nothing hang; one that has used so much of processors is late anyway.
func Within(ctx context.Context, root int, began time.Time, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	var timer *time.Timer
	ready := make(chan struct{})
	timer = time.AfterFunc(limit, func() {
		<-ready
		used, queued := spent(root)
		took := time.Since(began)
		left := limit - (took - queued)
		if left <= 0 || used >= limit || took >= mostWall*limit {
			cancel(ErrLate)
			return
		}
		timer.Reset(max(min(left, mostWall*limit-took), least))
	})
	close(ready)
	// Whatever looking takes.
	last := time.AfterFunc(mostWall*limit, func() { cancel(ErrLate) })
	return ctx, func() {
		timer.Stop()
		last.Stop()
		cancel(context.Canceled)
	}
}

// spent is what the processes of root have used of processors together, and the
// longest that one of their threads stood in line for one.
func spent(root int) (used, queued time.Duration) {
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		dir := "/proc/" + strconv.Itoa(queue[0])
		tasks, err := os.ReadDir(dir + "/task")
		if err != nil {
			continue // it has ended
		}
		for _, task := range tasks {
			on, waited := scheduled(filepath.Join(dir, "task", task.Name(), "schedstat"))
			used, queued = used+on, max(queued, waited)
		}
		children, err := childrenOf(dir)
		if err != nil {
			continue
		}
		queue = append(queue, children...)
	}
	return used, queued
}

// scheduled reads what the kernel says of a thread: how long it was on a processor,
// and how long it was ready to be. A kernel that does not say has said 0.
func scheduled(file string) (on, waited time.Duration) {
	text, err := os.ReadFile(file)
	words := strings.Fields(string(text))
	if err != nil || len(words) < 2 {
		return 0, 0
	}
	a, err := strconv.ParseInt(words[0], 10, 64)
	b, err2 := strconv.ParseInt(words[1], 10, 64)
	if err != nil || err2 != nil {
		return 0, 0
	}
	return time.Duration(a), time.Duration(b)
}
