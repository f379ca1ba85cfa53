package journal

import (
	"context"
	"errors"
	"sync"
	"testing"
)

// Slices of work that never seem to have time left come to the end all the same,
// and ask nothing twice.
func TestSlicesComeToAnEnd(t *testing.T) {
	log, asked := new(Mem), map[int]int{}
	work := func(ctx context.Context) error {
		for i := range 5 {
			_, err := Do(ctx, log, "square/1", i, func(_ context.Context, n int) (int, error) {
				asked[n]++
				return n * n, nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	slices := 0
	for {
		ctx, s := Sliced(t.Context(), func() bool { return true }, nil)
		err := work(ctx)
		slices++
		if err == nil {
			break
		}
		if !errors.Is(err, ErrPaused) || !errors.Is(context.Cause(ctx), ErrPaused) || ctx.Err() == nil {
			t.Fatalf("%v, %v", err, context.Cause(ctx))
		}
		if made := s.Made(); made != 1 {
			t.Fatalf("%d new answers in a slice without time", made)
		}
	}
	if slices != 5 {
		t.Errorf("%d slices", slices)
	}
	for i, n := range asked {
		if n != 1 {
			t.Errorf("%d was asked %d times", i, n)
		}
	}
}

// What is being asked when a slice ends is answered and recorded first.
func TestSliceEndsBetweenQuestions(t *testing.T) {
	log := new(Mem)
	ctx, s := Sliced(t.Context(), func() bool { return true }, nil)
	began, goOn := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_, err := Do(ctx, log, "long/1", 1, func(ctx context.Context, n int) (int, error) {
			close(began)
			<-goOn
			// what belongs to a question is asked whatever the time
			return Do(ctx, log, "part/1", n, func(context.Context, int) (int, error) { return 7, ctx.Err() })
		})
		if err != nil {
			t.Errorf("the long one: %v", err)
		}
	})
	<-began
	if _, err := Do(ctx, log, "short/1", 1, func(context.Context, int) (int, error) { return 1, nil }); err != nil {
		t.Fatal(err) // the first answer is given whatever the time
	}
	wg.Go(func() {
		_, err := Do(ctx, log, "short/1", 2, func(context.Context, int) (int, error) { return 1, nil })
		if !errors.Is(err, ErrPaused) {
			t.Errorf("a second one: %v", err)
		}
	})
	close(goOn)
	wg.Wait()
	if made := s.Made(); made != 2 {
		t.Errorf("%d answers, want the short and the long one", made)
	}
}
