// Package explained is the part of the desk that has a project tell what it does
// with a program.
package explained

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/evidence"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/refusal"
)

// A Desk is the application, asked what happens inside.
type Desk struct{ *desk.Desk }

// A LogsRequest is a program to run so that the project tells what it does.
type LogsRequest struct {
	desk.Program
	For string            `json:"for"`           // one of the profile's questions
	Set map[string]string `json:"set,omitempty"` // variables of the environment besides those of the profile
}

// Logs is what a program left behind, and what is in it.
type Logs struct {
	Schema string `json:"schema"`
	evidence.Evidence
}

// Logs runs a program with the logging that the profile has for a question.
func (d Desk) Logs(ctx context.Context, r LogsRequest) (Logs, error) {
	ready, err := d.Ready(ctx, r.Program)
	if err != nil {
		return Logs{}, err
	}
	at := slices.IndexFunc(ready.Profile.Logs, func(l profile.Logs) bool { return l.For == r.For })
	if at < 0 {
		words := make([]string, len(ready.Profile.Logs))
		for i, l := range ready.Profile.Logs {
			words[i] = l.For
		}
		return Logs{}, refusal.Bad("--for %q: profile %s has %s", r.For, ready.Profile.Name, strings.Join(words, ", "))
	}
	logs := ready.Profile.Logs[at]
	logs.Set = maps.Clone(logs.Set)
	if logs.Set == nil {
		logs.Set = map[string]string{}
	}
	maps.Copy(logs.Set, r.Set)
	d.Going("logs", "%s", logs.About)
	limits := ready.Limits
	limits.Time, limits.Scratch = evidence.Time(limits.Time, logs), 2<<30
	e, err := evidence.Gather(ctx, ready.Subject.Repro, ready.On, logs, limits, ready.Box)
	return Logs{"logs/1", e}, err
}
