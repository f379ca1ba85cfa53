package desk

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/evidence"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/mend"
	"github.com/scrub-dev/scrub/internal/minimize"
	"github.com/scrub-dev/scrub/internal/minimize/poverty"
	"github.com/scrub-dev/scrub/internal/oracle"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/project"
	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/reduce/textpass"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/report"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
	"github.com/scrub-dev/scrub/internal/vet"
)

// A File has a name, as seen from the folder of the first, and a text.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// A MinimizeRequest is a program to make small: of files, or of a report.
type MinimizeRequest struct {
	Files    []File           `json:"files,omitempty"`  // the first is the program, the others modules of its own
	Args     []string         `json:"args,omitempty"`   // that it is started with
	Stdin    *string          `json:"stdin,omitempty"`  // its standard input
	Inputs   bug.Files        `json:"inputs,omitempty"` // files beside it that it reads
	Issue    *IssueRequest    `json:"issue,omitempty"`  // a report to take the program and the symptom from
	Expect   string           `json:"expect,omitempty"`
	Python   string           `json:"python,omitempty"`
	PassesOn string           `json:"passes_on,omitempty"` // an interpreter on which it must end normally
	Profile  string           `json:"profile,omitempty"`
	Exact    bool             `json:"exact,omitempty"` // only the program that computes the same wrong values
	Both     bool             `json:"both,omitempty"`  // also the smallest that keeps the program's own way to the bug
	Keep     []string         `json:"keep,omitempty"`  // patterns: lines that match stay
	Command  string           `json:"command,omitempty"`
	Fresh    bool             `json:"fresh,omitempty"`
	Minifier bool             `json:"minifier,omitempty"` // try what the project's own makes of it
	Timeout  profile.Duration `json:"timeout,omitempty"`
	Deadline profile.Duration `json:"deadline,omitempty"`
	Budget   int              `json:"budget,omitempty"`
	Enough   int              `json:"good_enough,omitempty"` // stop at so many lines
	Jobs     int              `json:"jobs,omitempty"`
	Box      Box              `json:"box,omitzero"`
}

// A Minimized is a program made small.
type Minimized struct {
	Schema string `json:"schema"`
	minimize.Small
}

func (r MinimizeRequest) check() error {
	switch {
	case r.Timeout < 0 || r.Deadline < 0 || r.Budget < 0 || r.Enough < 0 || r.Jobs < 0:
		return refusal.Bad("--timeout, --deadline, --budget, --good-enough and --jobs must not be negative")
	case r.Issue != nil && (len(r.Files) > 0 || r.Command != ""):
		return refusal.Bad("--issue cannot be combined with FILE or --cmd")
	case r.Issue == nil && len(r.Files) == 0:
		return refusal.Bad("give a FILE, or --issue SOURCE")
	case r.Command != "" && (r.Expect != "" || r.Python != "" || r.PassesOn != "" || r.Fresh || len(r.Keep) > 0):
		return refusal.Bad("--cmd cannot be combined with --expect, --python, --passes-on, --keep or " +
			"--fresh")
	}
	return nil
}

// Minimize makes a program as small as it gets while it shows its bug. If ctx
// ends, or the deadline, the answer is the best so far.
func (d *Desk) Minimize(ctx context.Context, r MinimizeRequest) (Minimized, error) {
	if err := r.check(); err != nil {
		return Minimized{}, err
	}
	if (r.Issue != nil || r.Command != "") && (len(r.Args)+len(r.Inputs) > 0 || r.Stdin != nil) {
		return Minimized{}, refusal.Bad("arguments, --stdin and --input are for a Python FILE only")
	}
	if r.Deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(r.Deadline))
		defer cancel()
	}
	began := d.Now()
	var small minimize.Small
	var err error
	if r.Command != "" {
		small, err = d.minimizeBy(ctx, r)
	} else {
		small, err = d.minimizeProgram(ctx, r)
	}
	small.Seconds = d.Now().Sub(began).Seconds()
	return Minimized{"minimize/1", small}, err
}

// minimizeProgram makes a Python program small.
func (d *Desk) minimizeProgram(ctx context.Context, r MinimizeRequest) (minimize.Small, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return minimize.Small{}, err
	}
	sub, err := d.toMinimize(ctx, r)
	if err != nil {
		return minimize.Small{}, err
	}
	if sub.Subject.Symptom.Costs() {
		return minimize.Small{}, refusal.Bad("--expect: what a program costs cannot be held while it is made small")
	}
	m, done, err := d.minimizer(ctx, r.Box, kept, sub.Subject, sub.On, sub.Profile, sub.Limits)
	if err != nil {
		return minimize.Small{}, err
	}
	defer done()
	m.Workers, m.Budget, m.Enough, m.Saw = machine.Jobs(r.Jobs), r.Budget, r.Enough, d.shrinking(d.listener(""))
	m.Exact, m.Both = r.Exact, r.Both
	if r.Fresh {
		m.Log = new(journal.Mem)
	}
	if err := d.hold(ctx, &m, r); err != nil {
		return minimize.Small{}, err
	}
	small, err := m.Minimize(ctx, sub.Subject.Repro.Files[bug.Script])
	if errors.As(err, new(poverty.Error)) {
		return small, refusal.Bad("nothing to minimize yet: %w", err)
	}
	if err == nil && r.Minifier {
		small, err = d.orMinified(ctx, m, small, sub)
	}
	small.Lost = sub.Profile.Lost(sub.Subject.Repro.Files[bug.Script], small.Program)
	return small, err
}

// hold completes m with what a request says of interpreters and lines.
func (d *Desk) hold(ctx context.Context, m *minimize.Minimizer, r MinimizeRequest) error {
	if r.PassesOn != "" {
		found, err := d.Machine.Pythons(ctx, r.Box, nil, r.PassesOn)
		if err != nil {
			return err
		}
		m.PassesOn = &found[0]
	}
	for _, k := range r.Keep {
		re, err := regexp.Compile(k)
		if err != nil {
			return refusal.Bad("--keep: %w", err)
		}
		m.Keep = append(m.Keep, re)
	}
	return nil
}

// toMinimize is the program to make small: the one that is named, or that of a
// report which shows here what the report says.
func (d *Desk) toMinimize(ctx context.Context, r MinimizeRequest) (Ready, error) {
	program := Program{Expect: r.Expect, Python: r.Python, Profile: r.Profile, Timeout: r.Timeout, Box: r.Box}
	if r.Issue == nil {
		var err error
		if program.Text, err = d.merged(ctx, r); err != nil {
			return Ready{}, err
		}
		program.Text = mend.Above(program.Text, mend.Inputs(r.Args, r.Stdin, r.Inputs))
		return d.Ready(ctx, program)
	}
	issue := *r.Issue
	issue.Profile, issue.Expect, issue.Timeout, issue.Fresh, issue.Box = r.Profile, r.Expect, r.Timeout, r.Fresh, r.Box
	if r.Python != "" {
		issue.Pythons = []string{r.Python}
	}
	c, err := d.take(ctx, issue)
	if err != nil {
		return Ready{}, err
	}
	prof, err := project.For(r.Profile, c.Report.Ref.Repo)
	if err != nil {
		return Ready{}, err
	}
	limits := sandbox.Limits{Time: time.Duration(prof.Run.Timeout), Memory: int64(prof.Run.Memory)}
	if r.Timeout > 0 {
		limits.Time = time.Duration(r.Timeout)
	}
	switch verdict, why := c.Verdict(); verdict {
	case casefile.Reproduces, casefile.Flaky:
		return Ready{Subject: c.Subject, On: c.Asked[len(c.Asked)-1].Runtime, Profile: prof, Limits: limits, Times: 1}, nil
	case casefile.NeedsDecision:
		return Ready{}, refusal.Wait("a person must decide: %s", d.HowToDecide(answerCase(c), issue.Source))
	default:
		return Ready{}, refusal.None("nothing to minimize: %s: %s", verdict, why)
	}
}

// minimizer is what makes a program small on one interpreter, warm where the
// box can be. Who has it closes it.
func (d *Desk) minimizer(ctx context.Context, b Box, log journal.Log, s casefile.Subject, on bug.Runtime,
	prof profile.Profile, limits sandbox.Limits) (m minimize.Minimizer, done func(), err error) {
	box, err := d.Machine.BoxFor(b, prof)
	if err != nil {
		return m, nil, err
	}
	m = minimize.Minimizer{Shows: prof.Shows, Called: prof.Called, Box: box, Cold: box, Log: log, Runtime: on,
		Symptom: s.Symptom, Limits: limits, Workers: machine.Jobs(0)}
	for _, s := range prof.Simpler {
		m.Simpler = append(m.Simpler, textpass.Swap{From: s.From.Regexp, To: s.To})
	}
	m.Instead = profile.For(prof.Instead, s.Repro.Files[bug.Script])
	if m.Parser, err = d.Machine.Parser(ctx, b, on); err != nil {
		return m, nil, err
	}
	done = func() {}
	if b.Warms() {
		warm, err := d.Machine.Warm(prof, s.Repro)
		if err != nil {
			return m, nil, err
		}
		warm.Tools = syntax.Tools()
		m.Box, m.Preload, m.Fixed, done = warm, s.Reading.Modules(), warm.Ready != "", warm.Close
		m.Alive, m.Set = prof.Device(b.GPU)
	}
	m.Review = func(ctx context.Context, texts []string) ([][]vet.Finding, error) {
		return vet.All(ctx, texts, prof, sandbox.Tool(m.Box, on, syntax.Preload...))
	}
	return m, done, nil
}

// timed makes text small and says how long that took.
func (d *Desk) timed(ctx context.Context, m minimize.Minimizer, text string) (minimize.Small, error) {
	began := d.Now()
	small, err := m.Minimize(ctx, text)
	small.Seconds = d.Now().Sub(began).Seconds()
	return small, err
}

// Prove says of every part of a small program what becomes of it without that,
// in cold runs and without remembering what was seen.
func (d *Desk) Prove(ctx context.Context, r MinimizeRequest) ([]minimize.Needed, error) {
	sub, err := d.toMinimize(ctx, r)
	if err != nil {
		return nil, err
	}
	m, done, err := d.minimizer(ctx, r.Box, new(journal.Mem), sub.Subject, sub.On, sub.Profile, sub.Limits)
	if err != nil {
		return nil, err
	}
	defer done()
	m.Box, m.Preload = m.Cold, nil
	if err := d.hold(ctx, &m, r); err != nil {
		return nil, err
	}
	return m.Prove(ctx, sub.Subject.Repro.Files[bug.Script])
}

// merged is the text of a program, with the modules that are given with it in it.
func (d *Desk) merged(ctx context.Context, r MinimizeRequest) (string, error) {
	if len(r.Files) == 1 {
		return r.Files[0].Text, nil
	}
	box, err := d.Machine.Box(r.Box)
	if err != nil {
		return "", err
	}
	found, err := d.Machine.Pythons(ctx, r.Box, nil, r.Python)
	if err != nil {
		return "", err
	}
	parser, err := d.Machine.Parser(ctx, r.Box, found[len(found)-1])
	if err != nil {
		return "", err
	}
	modules := bug.Files{}
	for _, f := range r.Files[1:] {
		if f.Name == "" || !filepath.IsLocal(f.Name) {
			return "", refusal.Bad("%s is not beside %s, where Python would look for it", f.Name, r.Files[0].Name)
		}
		modules[filepath.ToSlash(f.Name)] = f.Text
	}
	return syntax.Merge(ctx, r.Files[0].Text, modules, sandbox.Tool(box, parser))
}

// shrinking tells of a program as it shrinks.
func (d *Desk) shrinking(tell event.Listener) func(int, []reduce.Step) {
	began := d.Now()
	return func(asked int, steps []reduce.Step) {
		text := report.Shrinking(asked, steps, d.Now().Sub(began))
		show := ""
		if len(steps) > 0 {
			show = steps[len(steps)-1].Files.Whole()
		}
		tell(event.Event{Step: "minimize", State: event.Going, N: asked, Text: text, Show: show})
	}
}

// orMinified has the project's own minifier make a program, makes that small
// too, and returns the smaller of the two.
func (d *Desk) orMinified(ctx context.Context, m minimize.Minimizer, small minimize.Small,
	sub Ready) (minimize.Small, error) {
	makes := func(l profile.Logs) bool {
		return slices.ContainsFunc(l.Step, func(s profile.Step) bool { return s.Makes != "" })
	}
	at := slices.IndexFunc(sub.Profile.Logs, makes)
	if at < 0 {
		return small, refusal.Bad("--minifier: profile %s has none", sub.Profile.Name)
	}
	d.Going("minifier", "running it")
	limits := sub.Limits
	limits.Time, limits.Scratch = evidence.Time(limits.Time, sub.Profile.Logs[at]), 2<<30
	e, err := evidence.Gather(ctx, sub.Subject.Repro, sub.On, sub.Profile.Logs[at], limits, m.Cold)
	switch {
	case err != nil:
		return small, err
	case e.Found == "":
		d.found("minifier", "it produced nothing")
		return small, nil
	}
	best, err := m.Smaller(ctx, small, e.Text(e.Found))
	if err != nil {
		d.found("minifier", "its result cannot be used: %v", err)
		return small, ctx.Err()
	}
	d.found("minifier", "the smaller of the two has %s", bug.Count(best.After.Tokens, "token"))
	return best, nil
}

// minimizeBy makes files small by a command of the person's own.
func (d *Desk) minimizeBy(ctx context.Context, r MinimizeRequest) (minimize.Small, error) {
	files := bug.Files{}
	for _, f := range r.Files {
		files[filepath.Base(f.Name)] = f.Text
	}
	if len(files) < len(r.Files) {
		return minimize.Small{}, refusal.Bad("the files must have different names: they are put into one folder")
	}
	command := oracle.Command{Line: r.Command, Limit: cmp.Or(time.Duration(r.Timeout), longest)}
	small, err := command.Reduce(ctx, files, filepath.Base(r.Files[0].Name), reduce.Reducer{
		Workers: machine.Jobs(r.Jobs), Budget: r.Budget, Enough: r.Enough, Saw: d.shrinking(d.listener("")),
	})
	var no oracle.NotInteresting
	if errors.As(err, &no) {
		return small, refusal.None("%w", err)
	}
	return small, err
}

const longest = 2 * time.Minute // for a command of a person's own
