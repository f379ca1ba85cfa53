// Package journal makes steps durable: a step whose result is on record
// is not run again.
//
// A step is named by its input. Run the whole pipeline again after a crash
// and it walks past everything already done; edit the issue and only the
// steps that read the edited text run again.
package journal

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A Log keeps results by key. A key is written once: a Put that finds it
// taken changes nothing and returns what is on record, so that two processes
// that asked the same at once go on with the same answer. A Put that fails
// leaves nothing behind.
type Log interface {
	Get(ctx context.Context, key string) (value []byte, ok bool, err error)
	Put(ctx context.Context, key string, value []byte) (onRecord []byte, err error)
}

// Do returns what step makes of in: from log if it is there, or else by
// calling run and recording the result. Errors are not recorded, so a step
// that failed runs again next time.
//
// The name of a step carries its version, as in "reduce/2". Raise it when
// the step would now answer differently.
func Do[In, Out any](ctx context.Context, log Log, step string, in In,
	run func(context.Context, In) (Out, error)) (Out, error) {
	var out Out
	key := step + ":" + bug.Digest(in)
	data, ok, err := log.Get(ctx, key)
	if err != nil {
		return out, fmt.Errorf("%s: read journal: %w", step, err)
	}
	if !ok {
		if data, err = answer(ctx, log, step, key, in, run); err != nil {
			return out, err
		}
	}
	// Also what was just made is read back, so that a step cannot behave
	// differently the first time.
	if err := json.Unmarshal(data, &out); err != nil {
		return out, fmt.Errorf("%s: corrupt journal at %s: %w", step, key, err)
	}
	return out, nil
}

// answer asks what is not on record, and records it.
func answer[In, Out any](ctx context.Context, log Log, step, key string, in In,
	run func(context.Context, In) (Out, error)) (data []byte, err error) {
	inside, done, err := begin(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { done(err == nil) }()
	made, err := run(inside, in)
	if err != nil {
		return nil, err
	}
	if data, err = json.Marshal(made); err != nil {
		return nil, fmt.Errorf("%s: %w", step, err)
	}
	if data, err = log.Put(ctx, key, data); err != nil {
		return nil, fmt.Errorf("%s: write journal: %w", step, err)
	}
	return data, nil
}

// Mem is a Log in memory. The zero Mem is empty and ready to use.
type Mem struct{ m sync.Map }

// Get implements Log.
func (m *Mem) Get(_ context.Context, key string) ([]byte, bool, error) {
	v, ok := m.m.Load(key)
	if !ok {
		return nil, false, nil
	}
	return v.([]byte), true, nil
}

// Put implements Log.
func (m *Mem) Put(_ context.Context, key string, value []byte) ([]byte, error) {
	v, _ := m.m.LoadOrStore(key, value)
	return v.([]byte), nil
}
