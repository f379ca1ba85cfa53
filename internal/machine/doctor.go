package machine

import (
	"context"
	"os/exec"

	"github.com/scrub-dev/scrub/internal/sandbox"
)

// A Check is one thing that this machine has or lacks.
type Check struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Must bool   `json:"required"`          // nothing runs without it
	Is   string `json:"found,omitempty"`   // what was found
	Cost string `json:"without,omitempty"` // what its absence costs
	Fix  string `json:"fix,omitempty"`     // how to get it
}

// helpers are the programs that scrub can do without.
var helpers = []Check{
	{Name: "bwrap", Cost: "no --box bwrap", Fix: "install bubblewrap if the native sandbox does not work"},
	{Name: "docker", Cost: "no --box docker", Fix: "install docker for programs that need an image or a GPU"},
	{Name: "podman", Cost: "no --box podman", Fix: "install podman for the same without a daemon"},
	{Name: "git", Cost: "--git is not available: no search for the commit that fixed a bug", Fix: "install git"},
	{Name: "uv", Cost: "environments are built with venv and pip, which is slower", Fix: "install uv"},
	{Name: "conda", Cost: "conda environments are not found", Fix: "install conda if you use it"},
}

// Doctor says what this machine has, what it lacks, and what that costs.
func (m *Machine) Doctor(ctx context.Context, pythons []string) []Check {
	var all []Check
	found, err := m.Pythons(ctx, Box{}, nil, pythons...)
	if err != nil {
		all = append(all, Check{Name: "python", Must: true, Cost: "no program can be run", Fix: err.Error()})
	}
	for _, r := range found {
		all = append(all, Check{Name: "python", Must: true, OK: true, Is: r.Version + " at " + r.Path})
	}
	for _, w := range (sandbox.Native{}).Walls(ctx) {
		all = append(all, Check{Name: "wall: " + w.Name, Must: true, OK: w.Holds, Is: "holds",
			Cost: "no untrusted program can be run", Fix: w.Missing})
	}
	for _, h := range helpers {
		if path, err := exec.LookPath(h.Name); err == nil {
			h.OK, h.Is = true, path
		}
		all = append(all, h)
	}
	token := Check{Name: "token", Cost: "only public issues can be read, and nothing can be written",
		Fix: "set GH_TOKEN, or log in with gh auth login"}
	if m.Token(ctx, "") != "" {
		token.OK, token.Is = true, "found"
	}
	return append(all, token)
}
