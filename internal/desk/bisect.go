package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"github.com/scrub-dev/scrub/internal/refusal"
	"path/filepath"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bisect"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/culprit"
	"github.com/scrub-dev/scrub/internal/history"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/oracle"
	"github.com/scrub-dev/scrub/internal/pipeline"
)

// A BisectRequest is a program, or a command, and versions to ask it on.
type BisectRequest struct {
	Program
	Versions Versions `json:"versions,omitzero"` // of which package
	machine.Range
	Git     string `json:"git,omitempty"`     // a clone of the project
	Command string `json:"command,omitempty"` // answers as for git bisect run
	Jobs    int    `json:"jobs,omitempty"`    // versions to ask at once
}

// A Bisected is where in its history a bug came or went.
type Bisected struct {
	Schema string `json:"schema"`
	Words  string `json:"summary"`
	From   string `json:"from,omitempty"` // the neighbours between which it changed, if that is sure
	To     string `json:"to,omitempty"`
	Pull   int    `json:"pull_request,omitempty"` // if that is sure
	casefile.When
}

func (r BisectRequest) check() error {
	switch {
	case r.Jobs < 0:
		return refusal.Bad("--jobs must not be negative")
	case r.Command != "" && (r.Text != "" || r.Expect != ""):
		return refusal.Bad("--cmd cannot be combined with FILE or --expect")
	case r.Folder != "" && r.Conda != "", (r.Folder != "" || r.Conda != "") && r.Git != "":
		return refusal.Bad("--folder, --conda and --git cannot be combined")
	case r.Command == "" && r.Versions.Package == "":
		return refusal.Bad("no package given: use --package NAME")
	}
	return nil
}

// Bisect finds where a program began or ceased to show its symptom.
func (d *Desk) Bisect(ctx context.Context, r BisectRequest) (Bisected, error) {
	if err := r.check(); err != nil {
		return Bisected{}, err
	}
	find := d.bisectProgram
	if r.Command != "" {
		find = d.bisectBy
	}
	when, err := find(ctx, r)
	if err != nil {
		return Bisected{}, err
	}
	answer := Bisected{Schema: "bisect/1", Words: when.Words(), When: *when}
	if from, to, ok := when.Exact(); ok {
		answer.From, answer.To = from, to
	}
	if s, sure := when.Culprit(); sure {
		answer.Pull = s.Pull
	}
	return answer, nil
}

// bisectProgram looks through the releases of a package with a program.
func (d *Desk) bisectProgram(ctx context.Context, r BisectRequest) (*casefile.When, error) {
	if r.Runs == 0 {
		r.Runs = 3
	}
	ready, err := d.Ready(ctx, r.Program)
	if err != nil {
		return nil, err
	}
	kept, err := d.Kept(ctx)
	if err != nil {
		return nil, err
	}
	envs, err := d.Machine.Environments(ctx, r.Box, r.Versions)
	if err != nil {
		return nil, err
	}
	request := IssueRequest{Profile: r.Profile, Timeout: r.Timeout, Runs: r.Runs, Box: r.Box, Expect: r.Expect}
	if r.Profile == "" {
		request.Profile = ready.Profile.Name
	}
	p, err := d.pipeline(ctx, bug.Report{}, request)
	if err != nil {
		return nil, err
	}
	s := ready.Subject
	s.Package, s.Project = r.Versions.Package, r.Versions.Package
	p.Log, p.Workers = kept, machine.Jobs(r.Jobs)
	p.Decide = func(context.Context, casefile.Subject) (casefile.Consent, error) { return s.Consent, nil }
	spec, line, err := machine.Releases(ctx, envs, r.Range, r.Versions)
	if err != nil {
		return nil, err
	}
	if r.Git != "" {
		if p.Commits, err = d.Machine.Commits(ctx, envs, r.Git, spec); err != nil {
			return nil, err
		}
	}
	return p.Since(ctx, s, culprit.Clue{}, line, pipeline.Known{Bad: r.Bad != "", Good: r.Good != ""})
}

// bisectBy lets a command of the person's own answer: for versions in its
// line, or in the tree of each commit of a clone.
func (d *Desk) bisectBy(ctx context.Context, r BisectRequest) (*casefile.When, error) {
	when := &casefile.When{Search: casefile.Search{Of: "version"}}
	command := oracle.Command{Line: r.Command, Limit: cmp.Or(time.Duration(r.Timeout), longest)}
	s := bisect.Search{Workers: machine.Jobs(r.Jobs), Saw: func(_, i int, k bisect.Known) {
		d.found("when", "%s: %v, %s", when.Versions[i], k.Answer, k.Why)
	}}
	var commits []bug.Commit
	if r.Git != "" {
		trees, err := d.commitsBetween(ctx, r, &commits, &s)
		if err != nil {
			return nil, err
		}
		when.Of = "commit"
		for _, c := range commits {
			when.Versions = append(when.Versions, c.ID)
		}
		s.Ask = func(ctx context.Context, i int) (bisect.Known, error) {
			dir, err := trees.Whole(ctx, when.Versions[i])
			if err != nil {
				return bisect.Known{}, err
			}
			return command.Has(ctx, when.Versions[i], dir)
		}
	} else {
		when.Versions = strings.Split(r.Within, ",")
		if s.Bad = len(when.Versions) - 1; len(when.Versions) < 2 {
			return nil, refusal.Bad("--cmd needs --git DIR, or --versions with a comma-separated list, oldest " +
				"first")
		}
		s.Ask = func(ctx context.Context, i int) (bisect.Known, error) {
			return command.Has(ctx, when.Versions[i],
				".")
		}
	}
	s.N = len(when.Versions)
	var err error
	when.Found, err = s.Run(ctx)
	if errors.Is(err, bisect.ErrNotShown) || errors.Is(err, bisect.ErrShown) {
		when.Why = fmt.Sprintf("Not verified: %v.", err)
		return when, nil
	}
	if c := when.Found.Found; err == nil && c != nil && r.Git != "" {
		when.Suspects = culprit.Rank(culprit.Clue{}, commits[c.From+1:c.To+1])
		own := when.Search
		when.Commits = &own
	}
	return when, err
}

// commitsBetween finds the commits of a clone between the two ends of a request.
func (d *Desk) commitsBetween(ctx context.Context, r BisectRequest, commits *[]bug.Commit,
	s *bisect.Search) (history.Trees, error) {
	if r.Bad == "" || r.Good == "" {
		return history.Trees{}, refusal.Bad("--cmd with --git needs both --good COMMIT and --bad COMMIT")
	}
	clone, err := history.Open(ctx, r.Git, filepath.Join(d.Machine.Cache, "clones"))
	if err != nil {
		return history.Trees{}, refusal.Bad("--git: %w", err)
	}
	if *commits, s.Bad, s.Good, err = clone.Between(ctx, r.Bad, r.Good); err != nil {
		return history.Trees{}, refusal.Bad("%w", err)
	}
	return history.Trees{Clone: clone, Dir: filepath.Join(d.Machine.Cache, "trees"), Keep: 50, Now: d.Now}, nil
}
