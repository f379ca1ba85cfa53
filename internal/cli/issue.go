package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/cli/ledger"
	"scrub/internal/console"
	"scrub/internal/journal"
	"scrub/internal/pipeline"
	"scrub/internal/profile"
	"scrub/internal/regress"
	"scrub/internal/report"
	"scrub/internal/sandbox"
	"scrub/internal/store"
)

// issueFlags are the flags of scrub issue.
type issueFlags struct {
	forge, profile, expect string
	modified               string
	pythons, despite       []string
	timeout                time.Duration
	times                  int
	approveClean, fresh    bool
	minimize, since, why   bool
	test                   bool
	fixed, checkout        string
	offline, post          bool
	git                    string
	box                    console.BoxFlags
	versions               versionFlags
}

func (a *app) issue() *cobra.Command {
	var f issueFlags
	c := &cobra.Command{
		Use:   "issue SOURCE",
		Short: "Take a report from its text to a verdict",
		Long: `Takes a report through every step: read it, take it apart, see whether it can
be acted on, pick the program to try, read that before it runs, run it in the
box several times, and say what was seen. The report comes out as Markdown.

SOURCE is a Markdown file, the JSON of gh issue view, - for standard input,
or OWNER/REPO#N with --forge DIR.

Before a stranger's program runs, a person is asked. Without a terminal the
verdict is needs-decision, the exit code is 3, and the line on stderr says
how to answer. --approve-clean runs programs in which nothing dangerous was
found, in the box, without asking.

What was seen is remembered: the same command again, also after a crash,
repeats no run. --fresh looks again.`,
		Example: `  scrub issue report.md
  gh issue view 123 -R pytorch/pytorch --json number,url,title,body,author,createdAt,comments,labels,assignees,state | scrub issue - --approve-clean
  scrub issue report.json --json --approve-clean | jq -r .verdict
  scrub issue report.md --python python3.9 --python python3.13   # fixed between the two?
  scrub issue report.md --approve-clean --minimize               # and the smallest program that shows it
  scrub issue report.md --on reported,newest --approve-clean     # and between these releases of the package?`,
		Args: console.Wants(1, "one SOURCE: a file, - or OWNER/REPO#N"),
		RunE: func(c *cobra.Command, args []string) error { return a.runIssue(c.Context(), args[0], f) },
	}
	a.issueFlagsOn(c, &f)
	return c
}

// issueFlagsOn gives c the flags of a command that takes a report through the steps.
func (a *app) issueFlagsOn(c *cobra.Command, f *issueFlags) {
	c.Flags().StringVar(&f.forge, "forge", "", "a folder to use as the forge: issue 7 of a/b is a/b/7.md or a/b/7.json in it; or the URL of a server's API")
	c.Flags().BoolVar(&f.offline, "offline", false, "take the issue as it was last seen here")
	c.Flags().BoolVar(&f.post, "post", false, "ask at the end about what is proposed, and do what you agree to")
	c.Flags().StringVar(&f.profile, "profile", "", "what is known about the project: a name or a folder (default: by the issue's repository)")
	c.Flags().StringVar(&f.expect, "expect", "", "what goes wrong, if the report does not say: 'ValueError: text', SIGSEGV, hang, 'prints: text' or 'lacks: text'")
	c.Flags().StringVar(&f.modified, "modified", "", "a file with a tamed version of the program, to run in its place; every report says so")
	c.Flags().StringSliceVar(&f.despite, "despite", nil, "triage rules that are not to stop it, by name, or all: you know better")
	c.Flags().StringArrayVar(&f.pythons, "python", nil, "interpreter to run it with; several are asked from the oldest to the newest")
	c.Flags().DurationVar(&f.timeout, "timeout", 0, "time for one run (default: the profile's, 120s)")
	c.Flags().IntVarP(&f.times, "runs", "n", 0, "how often to run it (default: the profile's, 3)")
	c.Flags().BoolVar(&f.approveClean, "approve-clean", false, "run a program in which nothing dangerous was found without asking")
	c.Flags().BoolVar(&f.fresh, "fresh", false, "look again instead of remembering what was seen")
	c.Flags().BoolVar(&f.minimize, "minimize", false, "make the program as small as it gets, if it shows the bug")
	c.Flags().BoolVar(&f.why, "why", false, "turn the profile's knobs and say what the bug depends on and whose code it is")
	c.Flags().BoolVar(&f.test, "test", false, "write a regression test, if one can be seen to fail with the bug and pass without it")
	c.Flags().StringVar(&f.fixed, "fixed", "", "an interpreter in which the bug is fixed, for --test")
	c.Flags().StringVar(&f.checkout, "checkout", "", "a work tree of the project: a bug that is fixed may have marks in it that expect it")
	c.Flags().BoolVar(&f.since, "since", false, "find out, with --on, in which release a bug came that is still there")
	c.Flags().StringVar(&f.git, "git", "", "a clone of the project: names the pull request that fixed it, with --on")
	f.box.Add(c)
	f.versions.add(c)
}

func (a *app) runIssue(ctx context.Context, source string, f issueFlags) error {
	if f.times < 0 || f.timeout < 0 {
		return console.Usage("--runs and --timeout cannot be less than nothing")
	}
	s, err := a.Open(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	c, err := a.take(ctx, s, source, f)
	if err != nil {
		return err
	}
	if agreed, err := a.mayInstall(ctx, c, f); err != nil {
		return err
	} else if len(agreed) > 0 {
		f.versions.install = agreed
		return a.runIssue(ctx, source, f)
	}
	if err := a.print(c); err != nil {
		return err
	}
	verdict, _ := c.Verdict()
	if c.Triage != nil && !c.Triage.Off && len(c.Thread.Programs) > 0 && verdict != casefile.NeedsDecision {
		fmt.Fprintf(a.Err, "scrub: if you know better, scrub issue %s --despite %s goes on\n", source, c.Triage.Rule)
	}
	if verdict == casefile.NeedsDecision {
		return console.Ends(console.Undecided, fmt.Errorf("a person must decide: %s", howToDecide(c, source)))
	}
	if !f.post || c.Report.Ref.Repo == "" {
		return nil
	}
	return ledger.Desk{Console: a.Console}.Post(ctx, s, c, console.Place{Where: f.forge}, f.checkout)
}

// take takes a report through all steps and puts the case on record.
func (a *app) take(ctx context.Context, s *store.Store, source string, f issueFlags) (casefile.Case, error) {
	r, err := a.Read(ctx, source, console.Reading{Forge: f.forge, Offline: f.offline})
	if err != nil {
		return casefile.Case{}, err
	}
	whole := r
	f.fresh = f.fresh || ledger.Told(r) == "recheck"
	r.Comments = ledger.Others(r.Comments)
	p, err := a.pipeline(r, f)
	if err != nil {
		return casefile.Case{}, err
	}
	policy := console.PolicyOf(f.profile, r.Ref.Repo, f.checkout)
	if _, err := policy(); err != nil {
		return casefile.Case{}, err
	}
	if p.Box, err = a.Box(f.box); err != nil {
		return casefile.Case{}, err
	}
	v := a.View()
	defer v.Close()
	p.Log, p.Tell = s, v.Tell
	if f.minimize {
		p.Small = a.smaller(f, s, v)
	}
	p.Test, p.Parser = f.test, func(ctx context.Context, r bug.Runtime) (bug.Runtime, error) { return a.Parser(ctx, f.box, r) }
	if f.fixed != "" {
		found, err := a.Pythons(ctx, f.box, []string{f.fixed})
		if err != nil {
			return casefile.Case{}, err
		}
		p.Fixed = &found[0]
	}
	if f.why {
		p.Ablate = a.ablates(f, p)
	}
	if r.Ref.Repo != "" && !f.offline && (f.forge != "" || a.Token(ctx, r.Ref.Host) != "") {
		live, err := a.ForgeFor(ctx, s, v, console.Place{Where: f.forge}, r.Ref)
		if err != nil {
			return casefile.Case{}, err
		}
		p.Trusts = live.Collaborator
	}
	p.Decide = func(ctx context.Context, c casefile.Case) (casefile.Consent, error) {
		return a.Consent(ctx, s, v, c, f.approveClean)
	}
	c, err := p.Issue(ctx, r)
	if err != nil {
		return c, err
	}
	if verdict, _ := c.Verdict(); verdict == casefile.Fixed && f.checkout != "" {
		if c.Marks, err = regress.Marks(os.DirFS(f.checkout), p.Profile.Test.Marks, r.Ref.Number); err != nil {
			return c, err
		}
	}
	return c, errors.Join(a.keep(ctx, s, c), ledger.Desk{Console: a.Console}.Propose(ctx, s, c, policy, whole))
}

// howToDecide is the command that answers what a case waits for.
func howToDecide(c casefile.Case, source string) string {
	if c.Triage != nil {
		return fmt.Sprintf("scrub issue %s --despite %s looks again", source, c.Triage.Rule)
	}
	if len(c.Asked) > 0 {
		last := c.Asked[len(c.Asked)-1].Tally.Outcomes
		return fmt.Sprintf("if that is the reported failure, run scrub issue %s --expect %q", source, cmp.Or(last[len(last)-1].Symptom().Expect(), "ERROR"))
	}
	return fmt.Sprintf("scrub show %s shows the program; scrub decide %s proceed (or skip) answers; then run the same command again", c.ID(), c.Repro.Digest())
}

// pipeline wires up the steps for one report, except for what asks and tells.
func (a *app) pipeline(r bug.Report, f issueFlags) (*pipeline.Pipeline, error) {
	prof, err := console.ProfileFor(f.profile, r.Ref.Repo)
	if err != nil {
		return nil, err
	}
	find := func(ctx context.Context, packages []string) ([]bug.Runtime, error) {
		places, err := a.Places(ctx, f.box, f.pythons)
		if err != nil {
			return nil, err
		}
		return places.Find(ctx, packages)
	}
	p := &pipeline.Pipeline{Profile: prof, Box: sandbox.Native{}, Log: new(journal.Mem), Runtimes: find, Now: a.Now, Times: prof.Run.Times}
	p.Limits = sandbox.Limits{Time: time.Duration(prof.Run.Timeout), Memory: int64(prof.Run.Memory)}
	if f.timeout > 0 {
		p.Limits.Time = f.timeout
	}
	if f.times > 0 {
		p.Times = f.times
	}
	if f.fresh {
		p.Round = a.Now().UTC().Format(time.RFC3339Nano)
	}
	if f.modified != "" {
		text, err := console.ReadProgram(f.modified)
		if err != nil {
			return nil, err
		}
		p.Tamed = &casefile.Tamed{By: a.Getenv("USER"), Text: text}
	}
	if len(f.pythons) > 0 && len(f.versions.on)+len(f.versions.install) > 0 {
		return nil, console.Usage("--python names interpreters, --on and --install build them: say one or the other")
	}
	if s, err := f.versions.shop(a, f.box, r, prof); err != nil {
		return nil, err
	} else if s != nil {
		p.Runtimes, p.Newest = s.runtimes, s.newest
		a.issueHistory(p, s, f)
	}
	find = p.Runtimes
	p.Runtimes = func(ctx context.Context, packages []string) ([]bug.Runtime, error) {
		all, err := find(ctx, packages)
		for i := range all {
			if err == nil {
				all[i].Folders, err = f.box.Sees(all[i].Folders)
			}
		}
		return all, err
	}
	if p.Aside, err = aside(f.despite, prof); err != nil {
		return nil, err
	}
	if f.expect != "" {
		s, err := bug.ParseSymptom(f.expect)
		if err != nil {
			return nil, console.Usage("--expect: %w", err)
		}
		p.Expect = &s
	}
	return p, nil
}

// aside are the triage rules that a person has set aside. What must not be
// touched is not theirs to set aside here.
func aside(names []string, p profile.Profile) ([]string, error) {
	var known []string
	for _, k := range p.Triage {
		if k.Hands != "off" {
			known = append(known, k.Name)
		}
	}
	if slices.Contains(names, "all") {
		return known, nil
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, console.Usage("--despite %s: the rules are %s, or all", n, strings.Join(known, ", "))
		}
	}
	return names, nil
}

// keep puts the case on record.
func (a *app) keep(ctx context.Context, s *store.Store, c casefile.Case) error {
	body, err := report.JSON(c.Kept())
	if err != nil {
		return err
	}
	verdict, _ := c.Verdict()
	return s.PutCase(ctx, store.Case{ID: c.ID(), Ref: c.Report.Ref.String(), Title: c.Report.Title, Verdict: string(verdict), Body: body, Updated: a.Now()})
}

// print writes the case to standard output.
func (a *app) print(c casefile.Case) error {
	if !a.JSON {
		_, err := io.WriteString(a.Out, report.Markdown(c))
		return err
	}
	data, err := report.JSON(c)
	if err != nil {
		return err
	}
	_, err = a.Out.Write(data)
	return err
}
