package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/mcp"
)

// measureTokens compares what an agent is told by each tool with what it would have to paste for the same facts: what
// people wrote, and all that was printed by the runs that these facts were measured by. A token is taken for four bytes.
func measureTokens(args []string) error {
	if len(args) < 2 {
		return errors.New("want a folder of reports and a Python")
	}
	files, err := filepath.Glob(filepath.Join(args[0], "*.md"))
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(f string) bool { return filepath.Base(f) == "README.md" })
	return measured(func(d *desk.Desk) error {
		cost := map[string][]spent{}
		var shares []float64
		for _, f := range files {
			all, err := anAgent(d, args[1:]).over(context.Background(), f)
			if err != nil {
				fmt.Printf("%s\tERROR\t%v\n", filepath.Base(f), err)
				continue
			}
			var sum spent
			fmt.Print(filepath.Base(f))
			for _, one := range all {
				fmt.Printf("\t%s %d/%d", one.tool, one.told/4, one.raw/4)
				cost[one.tool] = append(cost[one.tool], one)
				if !slices.Contains(onRecord, one.tool) {
					sum.told, sum.raw = sum.told+one.told, sum.raw+one.raw
				}
			}
			shares = append(shares, sum.share())
			fmt.Printf("\t%.1f times\n", sum.share())
		}
		for _, tool := range inOrder {
			tell(tool, cost[tool])
		}
		slices.Sort(shares)
		if n := len(shares); n > 0 {
			fmt.Printf("%d cases: median %.1f times less, from %.1f to %.1f\n", n, shares[n/2], shares[0], shares[n-1])
		}
		return nil
	})
}

// A spent is what a tool's answer cost, and what would have to be pasted without it.
type spent struct {
	tool      string
	told, raw int
}

func (s spent) share() float64 { return float64(s.raw) / float64(max(s.told, 1)) }

// tell prints what the answers of a tool cost.
func tell(tool string, all []spent) {
	if len(all) == 0 {
		return
	}
	var told, raw []int
	var shares []float64
	for _, s := range all {
		told, raw, shares = append(told, s.told/4), append(raw, s.raw/4), append(shares, s.share())
	}
	slices.Sort(told)
	slices.Sort(raw)
	slices.Sort(shares)
	n := len(all)
	if raw[n-1] == 0 {
		fmt.Printf("| `%s` | %d | %d | %d to %d | | |\n", tool, n, told[n/2], told[0], told[n-1])
		return
	}
	fmt.Printf("| `%s` | %d | %d | %d to %d | %d | %.1f |\n", tool, n, told[n/2], told[0], told[n-1], raw[n/2], shares[n/2])
}

// inOrder is the order in which an agent asks: what nobody runs, what runs, what is on record.
var inOrder = []string{"read", "triage", "vet", "classify", "issue", "run", "minimize", "ablate", "logs", "case", "cases",
	"similar", "proposals"}

// onRecord are those of them that measure nothing anew.
var onRecord = []string{"case", "cases", "similar", "proposals"}

// An agent asks every tool.
type agent struct {
	server  *mcp.Server
	pythons []string
	printed atomic.Int64 // by all runs since somebody looked
}

func anAgent(d *desk.Desk, pythons []string) *agent {
	a := &agent{pythons: pythons}
	d.Machine.Ran = func(o bug.Outcome) { a.printed.Add(int64(len(o.Stdout) + len(o.Stderr))) }
	a.server = &mcp.Server{Issue: desk.IssueRequest{Pythons: pythons}, User: d.User, Version: "measured", Now: time.Now,
		Patience: time.Hour, Knows: func(string) bool { return false },
		Desk: func(tell event.Listener) *desk.Desk {
			return &desk.Desk{Machine: d.Machine, State: d.State, User: d.User, Now: d.Now, Tell: tell, MayRun: d.MayRun}
		}}
	return a
}

// over is what it cost to look into a report by every tool that has something to say of it.
func (a *agent) over(ctx context.Context, file string) (all []spent, err error) {
	defer a.server.Close()
	there, here := sdk.NewInMemoryTransports()
	if _, err := a.server.Protocol().Connect(ctx, there, nil); err != nil {
		return nil, err
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "measure", Version: "1"}, nil).Connect(ctx, here, nil)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	report, err := desk.Parse(filepath.Base(file), strings.NewReader(string(text)))
	if err != nil {
		return nil, err
	}
	one := &asking{ctx: ctx, agent: a, session: session}
	thread := len(report.Title) + len(strings.Join(report.Posts(), "\n"))
	one.ask("read", thread, arguments{Report: string(text)})
	one.ask("triage", thread, arguments{Report: string(text)})
	one.ask("vet", thread, arguments{Report: string(text)})
	said := one.ask("issue", thread, arguments{Report: string(text), Why: true})
	c, err := a.found(ctx, said)
	if err != nil {
		return one.all, err
	}
	if program := c.Repro.Files[bug.Script]; program != "" && len(c.Asked) > 0 {
		one.runs(program, c)
	}
	for _, tool := range []string{"case", "similar"} { // what is on record stands for all that it was found out from
		one.ask(tool, one.rawOf("issue"), arguments{Case: c.ID})
	}
	one.ask("cases", 0, arguments{})
	one.ask("proposals", 0, arguments{})
	return one.all, nil
}

// caseID is where an answer says which case it is about.
var caseID = regexp.MustCompile(`(?m)^case: (\S+)$`)

// found is the case that an answer is about.
func (a *agent) found(ctx context.Context, said string) (c desk.Case, err error) {
	m := caseID.FindStringSubmatch(said)
	if m == nil {
		return c, fmt.Errorf("no case: %s", said)
	}
	d := a.server.Desk(nil)
	defer func() { err = errors.Join(err, d.Close()) }()
	return d.Case(ctx, m[1])
}

// Arguments are those that tools take.
type arguments struct {
	Report  string `json:"report,omitempty"`
	Why     bool   `json:"why,omitempty"`
	Case    string `json:"case,omitempty"`
	Program string `json:"program,omitempty"`
	Expect  string `json:"expect,omitempty"`
	Runs    int    `json:"runs,omitempty"`
	Log     string `json:"log,omitempty"`
	For     string `json:"for,omitempty"`
	Minutes int    `json:"minutes,omitempty"`
}

// An asking is an agent that is connected.
type asking struct {
	*agent
	ctx     context.Context
	session *sdk.ClientSession
	all     []spent
}

// runs asks the tools that run a program.
func (a *asking) runs(program string, c desk.Case) {
	expect := c.Symptom.String()
	if c.Symptom.Kind == bug.Unsaid {
		expect = ""
	}
	a.ask("run", 0, arguments{Program: program, Expect: expect, Runs: 3})
	last := c.Asked[len(c.Asked)-1].Tally.Outcomes
	if log := last[len(last)-1].Stderr; log != "" {
		a.ask("classify", len(log), arguments{Log: log})
	}
	a.ask("logs", 0, arguments{Program: program, Expect: expect, For: "crash"})
	a.ask("ablate", 0, arguments{Program: program, Expect: expect})
	a.ask("minimize", len(program), arguments{Program: program, Expect: expect, Minutes: 1})
}

// rawOf is what would have to be pasted in the place of a tool's answer.
func (a *asking) rawOf(tool string) int {
	for _, one := range a.all {
		if one.tool == tool {
			return one.raw
		}
	}
	return 0
}

// ask is what a tool answers; what is said of a report that a tool refuses does not count.
func (a *asking) ask(tool string, raw int, args arguments) string {
	a.printed.Store(0)
	got, err := a.session.CallTool(a.ctx, &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		fmt.Fprintln(os.Stderr, tool, err)
		return ""
	}
	var said strings.Builder
	for _, c := range got.Content {
		if t, ok := c.(*sdk.TextContent); ok {
			said.WriteString(t.Text)
		}
	}
	if got.IsError {
		fmt.Fprintln(os.Stderr, tool, said.String())
		return said.String()
	}
	a.all = append(a.all, spent{tool, said.Len(), raw + int(a.printed.Load())})
	return said.String()
}
