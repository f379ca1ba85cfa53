// Package fanout does things at once, some at a time.
package fanout

import "sync"

// Each calls do with every number below n, at most workers of them at a time, and
// returns what went wrong, by number. It waits for all of them.
func Each(n, workers int, do func(i int) error) []error {
	errs := make([]error, n)
	slots := make(chan struct{}, max(1, workers))
	var wg sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			errs[i] = do(i)
		})
	}
	wg.Wait()
	return errs
}
