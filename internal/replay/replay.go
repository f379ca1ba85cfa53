// Package replay has an agent do again what people have done: it gets a project as it was right before a pull
// request was merged, and the text of the issue, in a box. What it did can then be compared with what was merged, since
// both began at the same place and were asked the same.
package replay

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"scrub/internal/bug"
	"scrub/internal/history"
	"scrub/internal/journal"
	"scrub/internal/sandbox"
)

// A Task is a pull request to do again.
type Task struct {
	Pull  history.Pull
	Issue int
	Text  string // of the issue; nothing of the solution
}

// An Agent is who does it.
type Agent struct {
	Command string            // for sh; $TASK names the file with the task
	Hosts   []string          // that it may reach, over HTTPS
	Secrets map[string]string // environment variables that it needs; of these only the names are on record
	Folders []string          // of this machine that it may read
	Time    time.Duration     // for each task
}

// A Result is what came of a task.
type Result struct {
	Number   int        `json:"pull"`
	Issue    int        `json:"issue"`
	Base     string     `json:"base"`
	End      bug.End    `json:"end"`
	Code     int        `json:"code"`
	Seconds  float64    `json:"seconds"`
	Patch    string     `json:"patch"`
	Compared Comparison `json:"compared"`
	Calls    int        `json:"calls"` // of tools, as the session tells
	Failed   int        `json:"failed_calls"`
}

// A Replayer does tasks again, one after the other.
type Replayer struct {
	Clone history.Clone
	Log   journal.Log
	Box   sandbox.Box // one that may write to folders
	Work  string      // for trees, and for what the agent does
	Now   func() time.Time
}

// What is kept of a task.
const (
	mostPatch   = 4 << 20
	mostSession = 16 << 20
)

// done is what is on record of a task.
type done struct {
	Result  Result
	Session string
}

// Do has an agent do a task, once: what was done is on record.
func (r Replayer) Do(ctx context.Context, t Task, a Agent) (Result, string, error) {
	type question struct {
		Base, Text, Command string
		Hosts, Secrets      []string
		Time                time.Duration
	}
	q := question{t.Pull.Parent, t.Text, a.Command, a.Hosts, slices.Sorted(maps.Keys(a.Secrets)), a.Time}
	got, err := journal.Do(ctx, r.Log, "replay/1", q, func(ctx context.Context, _ question) (done, error) {
		return r.do(ctx, t, a)
	})
	return got.Result, got.Session, err
}

// room is where one task is done.
type room struct {
	dir   string // the project
	notes string // git's notes of how it was, which the agent does not see
	home  string
	task  string
}

// lay makes the room of a task.
func (r Replayer) lay(ctx context.Context, t Task) (room, func(), error) {
	none := func() {}
	if err := os.MkdirAll(r.Work, 0o755); err != nil {
		return room{}, none, err
	}
	trees := history.Trees{Clone: r.Clone, Dir: filepath.Join(r.Work, "trees"), Keep: 4, Now: r.Now}
	base, err := trees.Whole(ctx, t.Pull.Parent)
	if err != nil {
		return room{}, none, err
	}
	top, err := os.MkdirTemp(r.Work, "task")
	if err != nil {
		return room{}, none, err
	}
	clear := func() { _ = os.RemoveAll(top) } // what stays is in the way of nothing
	in := room{filepath.Join(top, "project"), filepath.Join(top, "notes"), filepath.Join(top, "home"), ""}
	in.task = filepath.Join(in.home, "TASK.md")
	err = errors.Join(os.Chmod(top, 0o755), os.CopyFS(in.dir, os.DirFS(base)), os.Mkdir(in.notes, 0o755),
		os.Mkdir(in.home, 0o755), os.WriteFile(in.task, []byte(t.Text), 0o644), give(top))
	return in, clear, err
}

// give makes all below dir the property of whoever is in the box.
func give(dir string) error {
	uid, ok := sandbox.Inhabitant()
	if !ok {
		return nil
	}
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, uid, uid))
	})
}

// asGit is git for who has no settings and no name.
const asGit = "git -c user.name=scrub -c user.email=scrub@localhost -c commit.gpgsign=false -c core.autocrlf=false "

// Before the agent, the project is noted twice: for the agent, as a repository without a past, and for us.
const (
	before = asGit + `init -q . && ` + asGit + `add -A && ` + asGit + `commit -q --allow-empty -m base && cp -a .git/. "$NOTES"`
	after  = asGit + `--git-dir="$NOTES" --work-tree=. add -A && ` + asGit +
		`--git-dir="$NOTES" --work-tree=. diff --cached --no-color --no-ext-diff --no-textconv --no-renames HEAD`
)

// run runs a script in the room.
func (r Replayer) run(ctx context.Context, in room, script string, vars map[string]string,
	job sandbox.Job) (bug.Outcome, error) {
	all := map[string]string{"HOME": in.home, "TASK": in.task, "TMPDIR": in.home}
	maps.Copy(all, vars)
	job.Repro = bug.Repro{Command: []string{"/bin/sh", "-c", `cd "$0" && ` + script, in.dir}}
	job.Setting, job.Runtime.Path = bug.Setting{Factors: all}, "/bin/sh"
	return r.Box.Run(ctx, job)
}

// do does a task.
func (r Replayer) do(ctx context.Context, t Task, a Agent) (done, error) {
	in, clear, err := r.lay(ctx, t)
	defer clear()
	if err != nil {
		return done{}, err
	}
	ours := sandbox.Job{Write: []string{in.dir, in.notes, in.home}, Limits: sandbox.Limits{Output: mostPatch}}
	notes := map[string]string{"NOTES": in.notes}
	if o, err := r.run(ctx, in, before, notes, ours); err != nil || o.End != bug.Exited || o.Code != 0 {
		return done{}, errors.Join(fmt.Errorf("noting how the project was: %s %s", o.End, bug.Short(o.Stderr, 400)), err)
	}
	vars := maps.Clone(a.Secrets)
	job := sandbox.Job{Write: []string{in.dir, in.home}, Runtime: bug.Runtime{Folders: a.Folders},
		Limits: sandbox.Limits{Time: a.Time, Memory: 8 << 30, Processes: 2048, Files: 8192, Output: mostSession}}
	if len(a.Hosts) > 0 {
		if vars == nil {
			vars = map[string]string{}
		}
		for _, name := range []string{"HTTPS_PROXY", "https_proxy"} {
			vars[name] = "http://" + sandbox.Door
		}
		job.Serve = gate(a.Hosts).serve
	}
	o, err := r.run(ctx, in, "{ "+a.Command+"\n}", vars, job)
	if err != nil || ctx.Err() != nil {
		return done{}, errors.Join(err, ctx.Err())
	}
	diff, err := r.run(ctx, in, after, notes, ours)
	if err != nil || diff.End != bug.Exited || diff.Code != 0 {
		return done{}, errors.Join(fmt.Errorf("reading what the agent did: %s %s", diff.End, bug.Short(diff.Stderr,
			400)), err)
	}
	merged, err := r.Clone.Patch(ctx, t.Pull)
	if err != nil {
		return done{}, err
	}
	d := done{Result: Result{Number: t.Pull.Number, Issue: t.Issue, Base: t.Pull.Parent, End: o.End, Code: o.Code,
		Seconds: o.Cost.Wall.Seconds(), Patch: a.without(diff.Stdout)}}
	d.Result.Compared = Compare(diff.Stdout, merged)
	s, text := told(in.home, o.Stdout, in.dir)
	for _, step := range s.Steps {
		d.Result.Calls++
		if step.Ended == bug.No {
			d.Result.Failed++
		}
	}
	d.Session = a.without(text)
	return d, nil
}

// without is a text without what the agent was given in secret.
func (a Agent) without(text string) string {
	for _, secret := range a.Secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[secret]")
		}
	}
	return text
}
