package journal

import (
	"context"
	"errors"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
)

func TestDo(t *testing.T) {
	ctx := t.Context()
	var log Mem
	runs := 0
	double := func(_ context.Context, n int) (int, error) {
		runs++
		if n < 0 {
			return 0, errors.New("negative")
		}
		return 2 * n, nil
	}
	for _, tt := range []struct {
		step string
		in   int
		out  int
		runs int // after this call
		ok   bool
	}{
		{"double/1", 4, 8, 1, true},
		{"double/1", 4, 8, 1, true},  // on record
		{"double/1", 5, 10, 2, true}, // other input
		{"double/2", 4, 8, 3, true},  // other version
		{"double/1", -1, 0, 4, false},
		{"double/1", -1, 0, 5, false}, // errors are not recorded
	} {
		out, err := Do(ctx, &log, tt.step, tt.in, double)
		if out != tt.out || runs != tt.runs || (err == nil) != tt.ok {
			t.Errorf("Do(%s, %d) = %d, %v after %d runs, want %d after %d", tt.step, tt.in, out, err, runs, tt.out,
				tt.runs)
		}
	}
}

// If somebody else answers while we are at it, their answer is the one that counts,
// though ours is another.
func TestFirstAnswerStands(t *testing.T) {
	var log Mem
	ask := func() (string, error) {
		return Do(t.Context(), &log, "race/1", 1, func(ctx context.Context, n int) (string, error) {
			_, err := log.Put(ctx, "race/1:"+bug.Digest(n), []byte(`"theirs"`))
			return "ours", err
		})
	}
	for range 2 {
		if out, err := ask(); out != "theirs" || err != nil {
			t.Errorf("Do = %q, %v", out, err)
		}
	}
}

// What was made is read back before it is used: what JSON drops is gone the first
// time, too.
func TestTheFirstTimeIsLikeTheOthers(t *testing.T) {
	type made struct {
		Kept string
		Lost string `json:"-"`
	}
	var log Mem
	for range 2 {
		out, err := Do(t.Context(), &log, "made/1", 1,
			func(context.Context, int) (made, error) { return made{"a", "b"}, nil })
		if out != (made{Kept: "a"}) || err != nil {
			t.Errorf("Do = %+v, %v", out, err)
		}
	}
}
