package guiding

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk/guided"
	"github.com/scrub-dev/scrub/internal/replay"
	"github.com/scrub-dev/scrub/internal/report"
)

func (a commands) replay() *cobra.Command {
	r := guided.ReplayRequest{Agent: replay.Agent{Secrets: map[string]string{}}}
	var out string
	var pass []string
	c := &cobra.Command{
		Use:   "replay OWNER/REPO",
		Short: "Have an agent redo merged pull requests, and compare the results",
		Long: `Takes the newest merged pull requests of a clone whose commits say which issue they
close. For each, your agent gets the project as it was right before, without any
later history, and the text of the issue, and is left to work in a sandbox. What it
changed is compared with what was merged: both began at the same commit and were
asked the same.

The agent is any command. It is started in the project; $TASK names the file with
the task. It has no network but the hosts you name, no environment variables but
those you pass, and sees no folders of yours but those you let it read. What it
did is on record: the same command goes on where it was stopped. Needs the native
sandbox, and git.`,
		Example: `  scrub guide replay owner/repo --agent 'claude -p "$(cat "$TASK")" --output-format stream-json --verbose' \
      --allow-host api.anthropic.com --pass-env ANTHROPIC_API_KEY --read ~/.local/share/claude
  scrub guide replay owner/repo --agent ./agent.sh --count 3 --out replays/`,
		Args: console.Wants(1, "OWNER/REPO"),
		RunE: func(c *cobra.Command, args []string) error {
			r.Repo = args[0]
			if err := a.equip(&r.Agent, pass); err != nil {
				return err
			}
			r.Keep = func(t replay.Task, got replay.Result, session string) error { return keep(out, t, got, session) }
			d := a.desk()
			defer d.Close()
			sum, err := d.Replay(c.Context(), r)
			if err != nil {
				return err
			}
			return a.Answer(sum, report.Clean(sumText(sum)))
		},
	}
	f := c.Flags()
	f.StringVar(&r.Dir, "git", ".", "the clone")
	f.StringVar(&r.Agent.Command, "agent", "", "the agent's command, for sh; $TASK names the file with the task")
	f.IntVar(&r.Count, "count", 10, "how many pull requests to do again")
	f.DurationVar(&r.Agent.Time, "limit", 30*time.Minute, "how long the agent may take for each")
	f.StringSliceVar(&r.Agent.Hosts, "allow-host", nil, "hosts that the agent may reach over HTTPS")
	f.StringSliceVar(&pass, "pass-env", nil, "environment variables that the agent gets; their values are cut out of what is kept")
	f.StringSliceVar(&r.Agent.Folders, "read", nil, "folders that the agent may read, such as where it is installed")
	f.StringVar(&r.Forge, "forge", "", "a folder or the URL of a server's API to use instead of GitHub")
	f.StringVarP(&out, "out", "o", "", "folder to write tasks, patches and sessions to")
	return c
}

// equip gives an agent what it was promised.
func (a commands) equip(agent *replay.Agent, pass []string) error {
	if agent.Command == "" {
		return console.Usage("scrub guide replay needs --agent COMMAND; see scrub guide replay -h")
	}
	for _, name := range pass {
		value := a.Getenv(name)
		if value == "" {
			return console.Usage("--pass-env %s: it is not set", name)
		}
		agent.Secrets[name] = value
	}
	for i, dir := range agent.Folders {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		agent.Folders[i] = abs
	}
	return nil
}

// keep writes what came of a task.
func keep(out string, t replay.Task, r replay.Result, session string) error {
	if out == "" {
		return nil
	}
	dir := filepath.Join(out, fmt.Sprint(r.Number))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return console.Usage("%w", err)
	}
	for name, text := range map[string]string{"task.md": t.Text, "patch.diff": r.Patch, "session.jsonl": session} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// sumText says what came of all tasks.
func sumText(s replay.Sum) string {
	var b strings.Builder
	for _, t := range s.Tasks {
		fmt.Fprintf(&b, "pull request %d (issue %d): %s after %.0f s; agent +%d -%d, people +%d -%d lines\n",
			t.Number, t.Issue,
			t.End, t.Seconds, t.Compared.Agent.Added, t.Compared.Agent.Removed, t.Compared.People.Added,
			t.Compared.People.Removed)
		if t.Unread != "" {
			fmt.Fprintf(&b, "  what it changed cannot be read, so it counts as nothing: %s\n", t.Unread)
		}
	}
	if len(s.Tasks) == 0 && len(s.Skipped) == 0 {
		return "No pull request could be done again: no commit of the main line says that it is one, as those that end " +
			"in (#12) and GitHub's merges do.\n"
	}
	if len(s.Tasks) == 0 {
		fmt.Fprintf(&b, "No pull request could be done again; %d were looked at, most often: %s.\n", len(s.Skipped),
			common(s.Skipped))
		return b.String()
	}
	fmt.Fprintf(&b, "\n%d of %d ended by themselves. Files that both changed, only the agent, only people:\n",
		s.Ended, len(s.Tasks))
	for _, role := range slices.Sorted(maps.Keys(s.Files)) {
		o := s.Files[role]
		fmt.Fprintf(&b, "  %-14s %3d %3d %3d\n", role, o.Both, o.Agent, o.People)
	}
	share := func(c cochange.Count) string { return fmt.Sprintf("%d of %d", c.Followed, c.Of) }
	fmt.Fprintf(&b, "Where people changed a test, the agent changed one too in %s, and one of theirs in %s.\n",
		share(s.AnyTest),
		share(s.SameTest))
	fmt.Fprintf(&b, "Lines of the agent's that were merged word for word: %s.\n", share(s.Same))
	return b.String()
}

// common is the most frequent reason.
func common(all []replay.Skip) string {
	counts, best := map[string]int{}, ""
	for _, s := range all {
		if counts[s.Why]++; counts[s.Why] > counts[best] {
			best = s.Why
		}
	}
	return best
}
