// Package replay has an agent do again what people have done: it gets a project as it was right before a pull
// request was merged, and the text of the issue, in a box. What it did can then be compared with what was merged, since
// both began at the same place and were asked the same.
package replay

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/history"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/sandbox"
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
	Unread   string     `json:"unread,omitempty"` // why what it did cannot be read
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
		Folders             []string
		Time                time.Duration
	}
	q := question{t.Pull.Parent, t.Text, a.Command, a.Hosts, slices.Sorted(maps.Keys(a.Secrets)), a.Folders, a.Time}
	got, err := journal.Do(ctx, r.Log, "replay/1", q, func(ctx context.Context, _ question) (done, error) {
		return r.do(ctx, t, a)
	})
	return got.Result, got.Session, err
}

// room is where one task is done.
type room struct {
	dir   string // the project
	notes string // git's notes of how it was, which the agent does not see
	own   string // a home for git when it is ours
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
	in := room{dir: filepath.Join(top, "project"), notes: filepath.Join(top, "notes"), own: filepath.Join(top, "own"),
		home: filepath.Join(top, "home")}
	in.task = filepath.Join(in.home, "TASK.md")
	err = errors.Join(os.Chmod(top, 0o755), os.CopyFS(in.dir, os.DirFS(base)), os.Mkdir(in.notes, 0o755), os.Mkdir(in.own, 0o755),
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
const asGit = "git -c user.name=scrub -c user.email=scrub@localhost -c commit.gpgsign=false -c core.autocrlf=false " +
	"-c core.fsmonitor=false -c core.hooksPath=/dev/null "

// Before the agent, the project is noted twice: for the agent, as a repository without a past, and for us. What the
// agent did is then read by our notes alone: settings, attributes and ignored files are those of before, and what it hid
// by rights or in repositories of its own is laid open.
const (
	before = asGit + `init -q . && ` + asGit + `add -A -f && ` + asGit + `commit -q --allow-empty -m base && cp -a .git/. "$NOTES" && ` +
		`{ cat .gitignore 2>/dev/null; echo __pycache__/; echo node_modules/; } > "$OWN/ignored"`
	ours  = asGit + `--git-dir="$NOTES" --work-tree=. `
	after = `chmod -R u+rwX . && find . -name .git -prune -exec rm -rf {} + && ` + ours + `add -u && ` + ours +
		`ls-files -z -o --exclude-from="$OWN/ignored" | xargs -0 -r ` + ours + `add -f -- && ` + ours +
		`diff --cached --text --no-color --no-ext-diff --no-textconv --no-renames --src-prefix=a/ --dst-prefix=b/ HEAD`
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
	job := sandbox.Job{Write: []string{in.dir, in.notes, in.own}, Limits: sandbox.Limits{Output: mostPatch}}
	notes := map[string]string{"NOTES": in.notes, "OWN": in.own, "HOME": in.own, "TMPDIR": in.own,
		"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1"}
	if o, err := r.run(ctx, in, before, notes, job); err != nil || o.End != bug.Exited || o.Code != 0 {
		return done{}, errors.Join(fmt.Errorf("noting how the project was: %s %s", o.End, bug.Short(o.Stderr, 400)), err)
	}
	o, err := r.work(ctx, in, a)
	if err != nil || ctx.Err() != nil {
		return done{}, errors.Join(err, ctx.Err())
	}
	d := done{Result: Result{Number: t.Pull.Number, Issue: t.Issue, Base: t.Pull.Parent, End: o.End, Code: o.Code,
		Seconds: o.Cost.Wall.Seconds()}}
	diff, err := r.run(ctx, in, after, notes, job)
	if err != nil {
		return done{}, err
	}
	if diff.End != bug.Exited || diff.Code != 0 {
		d.Result.Unread = fmt.Sprintf("%s %s", diff.End, bug.Short(diff.Stderr, 400))
	}
	merged, err := r.Clone.Patch(ctx, t.Pull)
	if err != nil {
		return done{}, err
	}
	d.Result.Patch = a.without(diff.Stdout)
	d.Result.Compared = Compare(diff.Stdout, merged)
	s, text := told(ctx, in.home, o.Stdout, in.dir)
	for _, step := range s.Steps {
		d.Result.Calls++
		if step.Ended == bug.No {
			d.Result.Failed++
		}
	}
	d.Session = a.without(text)
	return d, nil
}

// work lets the agent work.
func (r Replayer) work(ctx context.Context, in room, a Agent) (bug.Outcome, error) {
	vars := map[string]string{}
	maps.Copy(vars, a.Secrets)
	job := sandbox.Job{Write: []string{in.dir, in.home}, Runtime: bug.Runtime{Folders: a.Folders},
		Limits: sandbox.Limits{Time: a.Time, Memory: 8 << 30, Processes: 2048, Files: 8192, Output: mostSession}}
	if len(a.Hosts) > 0 {
		for _, name := range []string{"HTTPS_PROXY", "https_proxy"} {
			vars[name] = "http://" + sandbox.Door
		}
		job.Serve = gate(a.Hosts).serve
	}
	return r.run(ctx, in, "{ "+a.Command+"\n}", vars, job)
}

// leastSecret is how long a part of a secret must be to be looked for alone.
const leastSecret = 8

// without is a text without what the agent was given in secret, also as it is written in JSON, in an address or in
// base64.
func (a Agent) without(text string) string {
	var forms []string
	for _, secret := range a.Secrets {
		quoted, _ := json.Marshal(secret) // a text always can be
		forms = append(forms, secret, strings.Trim(string(quoted), `"`), url.QueryEscape(secret), url.PathEscape(secret),
			base64.StdEncoding.EncodeToString([]byte(secret)))
		for line := range strings.Lines(secret) {
			if line = strings.TrimSpace(line); len(line) >= leastSecret {
				forms = append(forms, line)
			}
		}
	}
	slices.SortFunc(forms, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, form := range forms {
		if form != "" {
			text = strings.ReplaceAll(text, form, "[secret]")
		}
	}
	return text
}
