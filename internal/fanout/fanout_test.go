package fanout

import (
	"errors"
	"sync/atomic"
	"testing"
)

var errOdd = errors.New("odd")

// All are done, errors come by number, and never more than so many are at it.
func TestEach(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 100} {
		var at, most, done atomic.Int64
		errs := Each(40, workers, func(i int) error {
			if now := at.Add(1); now > most.Load() {
				most.Store(now)
			}
			defer at.Add(-1)
			done.Add(1)
			if i%2 == 1 {
				return errOdd
			}
			return nil
		})
		if done.Load() != 40 || most.Load() > int64(max(1, workers)) {
			t.Errorf("%d workers: %d done, %d at once", workers, done.Load(), most.Load())
		}
		for i, err := range errs {
			if errors.Is(err, errOdd) != (i%2 == 1) {
				t.Errorf("%d workers: error %v of %d", workers, err, i)
			}
		}
	}
}
