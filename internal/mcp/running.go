package mcp

import (
	"context"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/explained"
	"github.com/scrub-dev/scrub/internal/desk/fixed"
	"github.com/scrub-dev/scrub/internal/desk/guessed"
	"github.com/scrub-dev/scrub/internal/desk/tested"
	"github.com/scrub-dev/scrub/internal/guess"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/refusal"
)

// These tools run programs, in the sandbox.

func (s *Server) issueTool() tool[issueRequest] {
	return tool[issueRequest]{name: "issue", title: "Look into a report", runs: true,
		about: "The whole of it: read a report, vet its program, run it, and say whether it still fails, in the " +
			"same way and how often; with on=[reported,newest] which release fixed it. Proposes comment and labels.",
		do: func(ctx context.Context, d *desk.Desk, in issueRequest) (answer, error) {
			r, err := s.issueOf(in)
			if err != nil {
				return answer{}, err
			}
			c, err := d.Issue(ctx, r)
			if err != nil {
				return answer{}, err
			}
			if w, ok := asking(c); ok {
				return answer{}, w
			}
			return caseOf(c), nil
		}}
}

func (s *Server) runTool() tool[program] {
	return tool[program]{name: "run", title: "Run a program", runs: true, program: program.text,
		about: "Run a program in the sandbox, as often as you like, and say how it ended each time and whether it " +
			"showed what was expected.",
		do: func(ctx context.Context, d *desk.Desk, in program) (answer, error) {
			one, err := s.program(in)
			if err != nil {
				return answer{}, err
			}
			got, err := d.Run(ctx, desk.RunRequest{Program: one})
			return ran(got), err
		}}
}

func (s *Server) minimizeTool() tool[minimizeRequest] {
	return tool[minimizeRequest]{name: "minimize", title: "Make a program small", runs: true,
		program: func(r minimizeRequest) string { return r.Program },
		about:   "The smallest program that still shows the same bug, by running candidates. Don't minimize by hand.",
		do: func(ctx context.Context, d *desk.Desk, in minimizeRequest) (answer, error) {
			one, err := s.program(in.program)
			if err != nil {
				return answer{}, err
			}
			minutes := min(max(in.Minutes, 0), 120)
			if minutes == 0 {
				minutes = 10
			}
			got, err := d.Minimize(ctx, desk.MinimizeRequest{Files: []desk.File{{Name: "program.py", Text: one.Text}},
				Expect: one.Expect, Python: one.Python, Profile: one.Profile, Enough: max(in.Enough, 0), Box: one.Box,
				Deadline: profile.Duration(time.Duration(minutes) * time.Minute)})
			return small(got), err
		}}
}

func (s *Server) bisectTool() tool[bisectRequest] {
	return tool[bisectRequest]{name: "bisect", title: "Find the release", runs: true,
		program: func(r bisectRequest) string { return r.Program },
		about:   "Between which releases of a package a failure came or went, by running the program on them.",
		do: func(ctx context.Context, d *desk.Desk, in bisectRequest) (answer, error) {
			one, err := s.program(in.program)
			if err != nil {
				return answer{}, err
			}
			for _, v := range []string{in.Package, in.Good, in.Bad, in.Within} {
				if v != "" && (!plain.MatchString(v) || strings.Contains(v, "/")) {
					return answer{}, refusal.Bad("want a package and versions, as in 2.1 or 2.1..2.6")
				}
			}
			versions := s.Issue.Versions
			versions.Package, one.Python = in.Package, ""
			got, err := d.Bisect(ctx, desk.BisectRequest{Program: one, Versions: versions,
				Range: machine.Range{Bad: in.Bad, Good: in.Good, Within: in.Within}})
			return bisected(got), err
		}}
}

func (s *Server) ablateTool() tool[program] {
	return tool[program]{name: "ablate", title: "What a bug depends on", runs: true, program: program.text,
		about: "What a bug depends on, by turning the knobs of the project's profile: component and labels as measured.",
		do: func(ctx context.Context, d *desk.Desk, in program) (answer, error) {
			one, err := s.program(in)
			if err != nil {
				return answer{}, err
			}
			got, err := d.Ablate(ctx, desk.AblateRequest{Program: one})
			return ablated(got), err
		}}
}

func (s *Server) logsTool() tool[logsRequest] {
	return tool[logsRequest]{name: "logs", title: "Have the project tell", runs: true,
		program: func(r logsRequest) string { return r.Program },
		about:   "Run a program with the project's own diagnostics on, and say in a few lines what is in them.",
		do: func(ctx context.Context, d *desk.Desk, in logsRequest) (answer, error) {
			one, err := s.program(in.program)
			if err != nil {
				return answer{}, err
			}
			got, err := explained.Desk{Desk: d}.Logs(ctx, explained.LogsRequest{Program: one, For: in.For})
			return logged(got), err
		}}
}

func (s *Server) guessTool() tool[guessRequest] {
	return tool[guessRequest]{name: "guess", title: "Measure a guess", runs: true,
		about: "For a report that says too little: propose a program, what goes wrong, a file, a version or which difference " +
			"is meant. Accepted only if it is borne out on versions with and without the bug, or by the report's words.",
		do: func(ctx context.Context, d *desk.Desk, in guessRequest) (answer, error) {
			r, err := s.issueOf(issueRequest{source: in.source, On: in.On})
			if err != nil {
				return answer{}, err
			}
			got, err := guessed.Desk{Desk: d}.Guess(ctx, guessed.Request{IssueRequest: r, Guess: guess.Guess{By: in.By,
				Quote: in.Quote, Program: in.Program, Expect: in.Expect, Files: in.Files, Version: in.Version,
				Statement: in.Statement}})
			if err != nil {
				return answer{}, err
			}
			if w, ok := asking(got.Case); ok && got.Waits() {
				return answer{}, w
			}
			return weighed(got), nil
		}}
}

func (s *Server) regressTool() tool[testRequest] {
	return tool[testRequest]{name: "regress", title: "Write a regression test", runs: true,
		about: "A regression test in the project's style, seen to fail with the bug and to pass without it. Give " +
			"on=[BAD,GOOD] or [reported,newest].",
		do: func(ctx context.Context, d *desk.Desk, in testRequest) (answer, error) {
			r, err := s.issueOf(in.issueRequest)
			if err != nil {
				return answer{}, err
			}
			r.Expect = in.Expect
			got, err := tested.Desk{Desk: d}.Regress(ctx, tested.Request{IssueRequest: r})
			return proven(got), err
		}}
}

func (s *Server) checkFixTool() tool[fixRequest] {
	return tool[fixRequest]{name: "check_fix", title: "Does this change fix it?", runs: true,
		about: "Run a report's program without and with the changes of a work tree, and the tests near it.",
		do: func(ctx context.Context, d *desk.Desk, in fixRequest) (answer, error) {
			r, err := s.issueOf(in.issueRequest)
			if err != nil {
				return answer{}, err
			}
			r.Expect = in.Expect
			at, err := s.folder(in.Checkout)
			if err != nil {
				return answer{}, err
			}
			got, err := fixed.Desk{Desk: d}.Check(ctx, fixed.Request{IssueRequest: r, Work: at})
			return checked(got), err
		}}
}
