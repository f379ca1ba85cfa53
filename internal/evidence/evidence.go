// Package evidence runs a program so that the project tells what it does,
// brings out what it left behind, and says in a few lines what is in it.
package evidence

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/shim"
)

//go:embed gather.py
var gather string

// most is how many bytes are brought out of the box.
const most = 24 << 20

// Evidence is what a program left behind.
type Evidence struct {
	For     string            `json:"for"`
	Set     map[string]string `json:"set"`                       // the variables it ran with
	Code    *int              `json:"code"`                      // as the program ended; nil if it did not within its time
	Steps   []Followup        `json:"steps,omitempty"`           // what was run after it
	Says    []string          `json:"findings"`                  // what is in it
	Names   []string          `json:"files"`                     // what there is, by name
	LeftOut []string          `json:"left_out,omitempty"`        // too large
	Found   string            `json:"smaller_program,omitempty"` // a smaller program that a step made, by its name
	Files   map[string][]byte `json:"-"`
}

// A Followup is something that was run on what the program left.
type Followup struct {
	Name  string `json:"name"`
	Found bool   `json:"found"` // there was something to run
	Code  *int   `json:"code"`
}

// Gather runs a program as l says. It fails only if the box does.
func Gather(ctx context.Context, repro bug.Repro, on bug.Runtime, l profile.Logs, limits sandbox.Limits,
	box sandbox.Box) (Evidence, error) {
	e := Evidence{For: l.For, Set: l.Set}
	if l.Shim != "" {
		repro = shim.Around(repro, "scrub_logs", l.Shim)
	}
	files := maps.Clone(repro.Files)
	order, err := json.Marshal(struct {
		Command []string       `json:"command"`
		Steps   []profile.Step `json:"steps"`
		Collect []string       `json:"collect"`
		Own     []string       `json:"own"`
		Seconds float64        `json:"seconds"`
		Bytes   int            `json:"bytes"`
	}{repro.Command[1:], noneIfNil(l.Step), noneIfNil(l.Collect), slices.Collect(maps.Keys(files)), (limits.Time - limits.Time/10).Seconds(), most})
	if err != nil {
		return e, err
	}
	files["gather.py"], files["gather.json"] = gather, string(order)
	limits.Output = 4 * most // text is longer than bytes, and half is kept from either end
	o, err := box.Run(ctx, sandbox.Job{Repro: bug.Repro{Files: files, Command: []string{"python", "gather.py"}},
		Runtime: on, Limits: limits, Setting: bug.Setting{Factors: l.Set}})
	if err != nil {
		return e, err
	}
	var got struct {
		Code    *int              `json:"code"`
		Steps   []Followup        `json:"steps"`
		Files   map[string][]byte `json:"files"`
		LeftOut []string          `json:"left_out"`
	}
	if err := json.Unmarshal([]byte(o.Stdout), &got); err != nil {
		return e, fmt.Errorf("gather what the program left: it %s", o.Words())
	}
	e.Code, e.Steps, e.Files, e.LeftOut = got.Code, got.Steps, got.Files, got.LeftOut
	e.Names = slices.Sorted(maps.Keys(e.Files))
	e.Says = e.tell(l)
	for _, s := range l.Step {
		for _, name := range e.Names {
			if s.Makes != "" && path.Base(name) == s.Makes && e.Found == "" {
				e.Found = name
			}
		}
	}
	return e, nil
}

func noneIfNil[T any](all []T) []T { return append([]T{}, all...) }

// atLeast is the time that gathering gets, whatever a run of the program does.
const atLeast = 10 * time.Minute

// Time is how long a run that gathers may take.
func Time(one time.Duration, l profile.Logs) time.Duration {
	if len(l.Step) > 0 {
		return max(one, atLeast)
	}
	return one
}

// few is how many different things of one kind are said.
const few = 8

// tell is what the profile recognizes in what was printed and left behind.
func (e *Evidence) tell(l profile.Logs) []string {
	var says []string
	for _, t := range l.Tell {
		count := map[string]int{}
		var order []string
		for _, name := range e.Names {
			if !t.In.MatchString(name) {
				continue
			}
			found := t.Match.FindAllSubmatchIndex(e.Files[name], -1)
			if t.Last && len(found) > 0 {
				found = found[len(found)-1:]
			}
			for _, m := range found {
				said := bug.Short(bug.Squeeze(string(t.Match.Expand(nil, []byte(t.Says), e.Files[name], m))), 200)
				if count[said] == 0 {
					order = append(order, said)
				}
				count[said]++
			}
		}
		sort.SliceStable(order, func(i, j int) bool { return count[order[i]] > count[order[j]] })
		for i, said := range order {
			if i == few {
				says = append(says, fmt.Sprintf("and %d more like these", len(order)-few))
				break
			}
			if count[said] > 1 {
				said += fmt.Sprintf(" (%d times)", count[said])
			}
			says = append(says, said)
		}
		if len(order) == 0 && t.None != "" && e.Code != nil && *e.Code == 0 {
			says = append(says, t.None)
		}
	}
	for i, s := range e.Steps {
		if words := s.words(); words != "" && (s.Found || i == 0) { // else nothing came of the step before
			says = append(says, s.Name+": "+words)
		}
	}
	return says
}

// words say how it went; empty if well.
func (s Followup) words() string {
	switch {
	case !s.Found:
		return "no file to run it on"
	case s.Code == nil:
		return "timed out"
	case *s.Code != 0:
		return fmt.Sprintf("ended with exit code %d", *s.Code)
	}
	return ""
}

// Text is one file as text.
func (e Evidence) Text(name string) string {
	return strings.ToValidUTF8(string(e.Files[name]), "\uFFFD")
}
