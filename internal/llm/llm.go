// Package llm asks language models for typed answers. What a model says is a stranger's word: it is bounded, must have
// the form that was asked for, and must pass the check of whoever asks.
package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/scrub-dev/scrub/internal/journal"
)

// A Prompt is one thing to ask a model.
type Prompt struct {
	Task string // what it is for, as in "words"
	Text string
}

// A Model completes prompts.
type Model interface {
	Name() string
	Complete(ctx context.Context, p Prompt) (string, error)
}

// mostSaid is how many bytes of an answer are read.
const mostSaid = 256 << 10

// ErrUnusable means that a model has answered, twice, and not so that it can be used.
var ErrUnusable = errors.New("the model's answer cannot be used")

// Ask is the model's answer to p as a T, which it must give as JSON with T's fields and no others, and which must pass
// check. A model that gets it wrong is told so and asked once more.
//
// A good answer is on record under the model's name and the whole prompt: a prompt that was changed is asked
// again, and one that was not is free.
func Ask[T any](ctx context.Context, m Model, log journal.Log, p Prompt, check func(T) error) (T, error) {
	type question struct {
		Model  string
		Prompt Prompt
	}
	v, err := journal.Do(ctx, log, "llm/1", question{m.Name(), p}, func(ctx context.Context, _ question) (T, error) {
		v, said, err := ask(ctx, m, p, check)
		if err == nil || said == "" {
			return v, err
		}
		again := Prompt{p.Task, fmt.Sprintf("%s\n\nYou answered:\n%s\n\nThat cannot be used: %v\n", p.Text, said, err)}
		v, said, err = ask(ctx, m, again, check)
		if err != nil && said != "" {
			err = errors.Join(ErrUnusable, err)
		}
		return v, err
	})
	if err == nil {
		err = check(v) // what is on record may be older than the check
	}
	return v, err
}

// ask asks once. If the model said something that cannot be used, it returns that too.
func ask[T any](ctx context.Context, m Model, p Prompt, check func(T) error) (v T, said string, err error) {
	if said, err = m.Complete(ctx, p); err != nil {
		return v, "", fmt.Errorf("%s: ask %s: %w", p.Task, m.Name(), err)
	}
	dec := json.NewDecoder(strings.NewReader(plain(said)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		return v, said, fmt.Errorf("it is not the JSON that was asked for: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return v, said, errors.New("there is more than the JSON that was asked for")
	}
	return v, said, check(v)
}

// plain is an answer without the fence that models put around JSON.
func plain(said string) string {
	said = strings.TrimSpace(said)
	if rest, ok := strings.CutPrefix(said, "```"); ok {
		rest = strings.TrimPrefix(rest, "json")
		said = strings.TrimSuffix(rest, "```")
	}
	return said
}
