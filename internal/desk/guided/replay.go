package guided

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/history"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/replay"
)

// A ReplayRequest asks for merged pull requests to be done again by an agent.
type ReplayRequest struct {
	Repo  string // OWNER/REPO, whose issues say what was asked
	Forge string // a folder or the address of a server; empty for GitHub
	Dir   string // the clone
	Count int    // how many pull requests, the newest that close an issue; 0 for 10
	Agent replay.Agent
	// Keep is called with each result and the session, as soon as there is one.
	Keep func(task replay.Task, r replay.Result, session string) error
}

// mostLooked is how many pull requests are looked at for ones that close an issue.
const mostLooked = 400

// Replay has an agent do again what people have done.
func (d Desk) Replay(ctx context.Context, r ReplayRequest) (replay.Sum, error) {
	sum := replay.Sum{Schema: "guide-replay/1", Agent: r.Agent.Command, Tasks: []replay.Result{}, Skipped: []replay.Skip{},
		Files: map[cochange.Role]replay.Overlap{}}
	if r.Count == 0 {
		r.Count = 10
	}
	clone, err := history.Open(ctx, r.Dir, filepath.Join(d.Machine.Cache, "clones"))
	if err != nil {
		return sum, refusal.Bad("%w", err)
	}
	kept, err := d.Kept(ctx)
	if err != nil {
		return sum, err
	}
	box, err := d.Machine.Box(desk.Box{Name: "native"})
	if err != nil {
		return sum, err
	}
	does := replay.Replayer{Clone: clone, Log: kept, Box: box, Work: filepath.Join(d.Machine.Cache, "replays"), Now: d.Now}
	pulls, err := clone.Pulls(ctx, mostLooked, time.Time{}, time.Time{})
	if err != nil {
		return sum, err
	}
	for _, pull := range pulls {
		if len(sum.Tasks) == r.Count {
			break
		}
		task, why, err := d.task(ctx, r, pull)
		if err != nil {
			return sum, err
		}
		if why != "" {
			sum.Skipped = append(sum.Skipped, replay.Skip{Number: pull.Number, Why: why})
			continue
		}
		d.say(fmt.Sprintf("pull request %d, task %d of %d: the agent works on issue %d", pull.Number,
			len(sum.Tasks)+1, r.Count,
			task.Issue))
		got, session, err := does.Do(ctx, task, r.Agent)
		if err != nil {
			return sum, fmt.Errorf("pull request %d: %w", pull.Number, err)
		}
		sum.Add(got)
		if err := r.Keep(task, got, session); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// task is a pull request with what was asked, or why it cannot be done again.
func (d Desk) task(ctx context.Context, r ReplayRequest, pull history.Pull) (replay.Task,
	string, error) {
	number := pull.Closes
	if number == 0 || number == pull.Number {
		return replay.Task{}, "its commits do not say which issue it closes", nil
	}
	report, err := d.Read(ctx, desk.Source{Issue: fmt.Sprintf("%s#%d", r.Repo, number), Forge: r.Forge})
	var moved forge.Moved
	switch {
	case errors.Is(err, forge.ErrNotFound) || errors.Is(err, forge.ErrGone) || errors.As(err, &moved):
		return replay.Task{}, "its issue cannot be read", nil
	case err != nil:
		return replay.Task{}, "", err
	case strings.TrimSpace(report.Title+report.Body) == "":
		return replay.Task{}, "its issue says nothing", nil
	}
	return replay.Task{Pull: pull, Issue: number, Text: "# " + report.Title + "\n\n" + report.Body + "\n"}, "", nil
}
