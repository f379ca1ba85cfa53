// Package doctor is the command that shows what this machine has.
package doctor

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"scrub/internal/console"
	"scrub/internal/sandbox"
)

// A check is one thing that scrub can use.
type check struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Must bool   `json:"must"`           // nothing runs without it
	Is   string `json:"is,omitempty"`   // what was found
	Cost string `json:"cost,omitempty"` // what its absence costs
	Fix  string `json:"fix,omitempty"`  // how to get it
}

// A Doctor looks at this machine.
type Doctor struct{ *console.Console }

// Command is scrub doctor.
func (a Doctor) Command() *cobra.Command {
	var pythons []string
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Show what this machine has, what it lacks, and what that costs",
		Long:  "Shows the interpreters, the walls of the box and the helpers that scrub finds\nhere. The exit code is 4 if something is missing without which nothing runs.",
		Args:  console.Wants(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			checks := a.examine(c.Context(), pythons)
			var text strings.Builder
			fit := true
			for _, k := range checks {
				fit = fit && (k.OK || !k.Must)
				text.WriteString(k.line())
			}
			if err := a.Answer(checks, "%s", text.String()); err != nil {
				return err
			}
			if !fit {
				return console.Ends(console.No, nil)
			}
			return nil
		},
	}
	c.Flags().StringArrayVar(&pythons, "python", nil, "interpreter to look at")
	return c
}

func (k check) line() string {
	if k.OK {
		return fmt.Sprintf("ok       %-18s %s\n", k.Name, k.Is)
	}
	word := "missing"
	if k.Must {
		word = "MISSING"
	}
	return fmt.Sprintf("%s  %-18s %s; %s\n", word, k.Name, k.Cost, k.Fix)
}

func (a Doctor) examine(ctx context.Context, pythons []string) []check {
	var all []check
	found, err := a.Pythons(ctx, console.BoxFlags{}, pythons)
	if err != nil {
		all = append(all, check{Name: "python", Must: true, Cost: "no program can be run", Fix: err.Error()})
	}
	for _, r := range found {
		all = append(all, check{Name: "python", Must: true, OK: true, Is: r.Version + " at " + r.Path})
	}
	for _, w := range (sandbox.Native{}).Walls(ctx) {
		all = append(all, check{Name: "wall: " + w.Name, Must: true, OK: w.Holds, Is: "holds", Cost: "no stranger's program is run", Fix: w.Missing})
	}
	for _, h := range []check{
		{Name: "bwrap", Cost: "there is no --box bwrap", Fix: "install bubblewrap if the native walls do not hold here"},
		{Name: "docker", Cost: "there is no --box docker", Fix: "install docker for programs that need an image or a GPU"},
		{Name: "podman", Cost: "there is no --box podman", Fix: "install podman for the same without a daemon"},
		{Name: "git", Cost: "the change that fixed a bug cannot be looked for in a clone", Fix: "install git"},
		{Name: "uv", Cost: "environments for other versions are built slowly, with venv and pip", Fix: "install uv"},
		{Name: "conda", Cost: "conda environments are not looked at", Fix: "install conda if you use it"},
	} {
		if path, err := exec.LookPath(h.Name); err == nil {
			h.OK, h.Is = true, path
		}
		all = append(all, h)
	}
	return append(all, a.token(ctx))
}

// token says whether a token is there, never what it is.
func (a Doctor) token(ctx context.Context) check {
	k := check{Name: "token", Cost: "only public issues can be read, and nothing can be written", Fix: "set GH_TOKEN, or log in with gh auth login"}
	if a.Token(ctx, "") != "" {
		k.OK, k.Is = true, "there is one"
	}
	return k
}
