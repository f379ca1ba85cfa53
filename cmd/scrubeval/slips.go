package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/eval"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// measureSlips makes the programs of reports small with only the last release
// known that has the bug, and then runs them on the first without.
func measureSlips(data io.ReadSeeker, rest []string) error {
	if len(rest) == 0 {
		return errors.New("want a folder for the environments")
	}
	asks := eval.SlipAsks{Batches: []int{0, 1, 2, 3, 4}}
	limit, state, p := 2*time.Minute, "", peers{warm: true, times: 20}
	for _, arg := range rest[1:] {
		var err error
		switch key, value, _ := strings.Cut(arg, "="); key {
		case "batches":
			asks.Batches = nil
			for _, b := range strings.Split(value, ",") {
				n, bad := strconv.Atoi(b)
				asks.Batches, err = append(asks.Batches, n), errors.Join(err, bad)
			}
		case "cap":
			limit, err = time.ParseDuration(value)
		case "peers":
			p.names = strings.Split(value, ",")
		case "state":
			state = value
		default:
			err = fmt.Errorf("%s: no such setting", arg)
		}
		if err != nil {
			return err
		}
	}
	p.limit = limit
	return measured(func(d *desk.Desk) error {
		if state != "" {
			d.State = state
		}
		s := slipper{d: d, envs: rest[0], limit: limit, peers: p}
		got, err := eval.Slips(data, asks, append([]string{"scrub"}, p.names...), s.tools, os.Stdout)
		fmt.Print(got)
		return err
	})
}

type slipper struct {
	d     *desk.Desk
	envs  string
	limit time.Duration
	peers peers
}

// tools makes the program of a report small with each tool, and says what
// becomes of it on the release without the bug.
func (s slipper) tools(r bug.Report, name, buggy, fixed string) ([]eval.Slip, error) {
	ctx := context.Background()
	request := on(r, s.envs, name, buggy, fixed)
	request.Runs, request.Yes, request.NoBisect = 1, true, true
	c, err := issue(ctx, s.d, request)
	if err != nil {
		return nil, err
	}
	if verdict, _ := c.Verdict(); verdict != casefile.Fixed || len(c.Asked) != 2 {
		return nil, nil
	}
	small, err := s.d.Minimize(ctx, desk.MinimizeRequest{
		Files:  []desk.File{{Name: bug.Script, Text: c.Repro.Files[bug.Script]}},
		Expect: c.Symptom.Expect(), Python: c.Asked[0].Runtime.Path, Jobs: workers, Fresh: true,
		Deadline: profile.Duration(s.limit),
	})
	if err != nil {
		return nil, err
	}
	all := []eval.Slip{{Tool: "scrub", Program: small.Program, Size: small.After, Runs: small.Runs, Seconds: small.Seconds,
		Ended: small.Minimal}}
	one := sample{Name: r.Title, Text: c.Repro.Files[bug.Script], Expect: c.Symptom.Expect()}
	for _, tool := range s.peers.names {
		theirs, err := s.peers.run(ctx, tool, one, c.Asked[0].Runtime, small.Runs)
		if err != nil {
			return nil, err
		}
		all = append(all, eval.Slip{Tool: tool, Program: theirs.program, Size: theirs.Size, Runs: theirs.runs,
			Seconds: theirs.seconds, Ended: theirs.ended == "finished"})
	}
	for i := range all {
		out, err := sandbox.Native{}.Run(ctx, sandbox.Job{Repro: bug.Program(all[i].Program), Runtime: c.Asked[1].Runtime,
			Limits: sandbox.Limits{Time: s.limit}})
		if err != nil {
			return nil, err
		}
		all[i].Slipped, all[i].Kind = c.Symptom.In(out) == bug.Yes, string(c.Symptom.Kind)
	}
	return all, nil
}
