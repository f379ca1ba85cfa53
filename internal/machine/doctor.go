package machine

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"

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
	// Command gets it, if one does that is known here; it is run by a person, or after one has agreed.
	Command []string `json:"command,omitempty"`
}

// helpers are the programs that scrub can do without.
var helpers = []Check{
	{Name: "bwrap", Cost: "no --box bwrap", Fix: "install bubblewrap if the native sandbox does not work"},
	{Name: "docker", Cost: "no --box docker", Fix: "install docker for programs that need an image or a GPU"},
	{Name: "podman", Cost: "no --box podman", Fix: "install podman for containers without a daemon"},
	{Name: "git", Command: []string{"install", "git"}, Cost: "--git is not available: no search for the commit that fixed a bug", Fix: "install git"},
	{Name: "uv", Command: []string{"pip", "uv"}, Cost: "environments are built with venv and pip, which is slower", Fix: "install uv"},
	{Name: "conda", Cost: "conda environments are not found", Fix: "install conda if you use it"},
}

// Doctor says what this machine has, what it lacks, and what that costs.
func (m *Machine) Doctor(ctx context.Context, pythons []string) []Check {
	var all []Check
	found, err := m.Pythons(ctx, Box{}, nil, pythons...)
	if err != nil {
		all = append(all, Check{Name: "python", Must: true, Cost: "no program can be run", Fix: err.Error(),
			Command: m.fixing("install", "python3")})
	}
	for _, r := range found {
		all = append(all, Check{Name: "python", Must: true, OK: true, Is: r.Version + " at " + r.Path})
	}
	for _, w := range (sandbox.Native{}).Walls(ctx) {
		c := Check{Name: "wall: " + w.Name, Must: true, OK: w.Holds, Is: "holds", Cost: "no untrusted program can be run",
			Fix: w.Missing}
		if _, err := os.Stat(restricts); !w.Holds && err == nil && len(all) > 0 && !slices.ContainsFunc(all, unmade) {
			c.Command = asRoot("sysctl", "-w", "kernel.apparmor_restrict_unprivileged_userns=0")
		}
		all = append(all, c)
	}
	for _, h := range helpers {
		path, _ := exec.LookPath(h.Name)
		if h.Name == "uv" {
			path = uv(found)
		}
		h.OK, h.Is = path != "", path
		if how := h.Command; len(how) > 0 {
			if h.Command = nil; !h.OK {
				h.Command = m.fixing(how[0], how[1])
			}
		}
		all = append(all, h)
	}
	token := Check{Name: "token", Cost: "only public issues can be read, and nothing can be written",
		Fix: "set GH_TOKEN, or log in with gh auth login"}
	if m.Token(ctx, "") != "" {
		token.OK, token.Is = true, "found"
	} else if _, err := exec.LookPath("gh"); err == nil {
		token.Command = []string{"gh", "auth", "login"}
	}
	return append(all, token)
}

// restricts is there where the kernel can be told to let no ordinary program make
// user namespaces.
const restricts = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"

// unmade reports whether a check is of a wall that does not hold and is dealt with.
func unmade(c Check) bool { return strings.HasPrefix(c.Name, "wall: ") && !c.OK }

// managers are the programs that install packages of the system, in the order in
// which they are looked for.
var managers = [][]string{{"apt-get", "install", "-y"}, {"dnf", "install", "-y"}, {"zypper", "install", "-y"},
	{"pacman", "-S", "--noconfirm"}, {"apk", "add"}, {"brew", "install"}}

// fixing is the command that gets a package: of the system, or of Python's. Nil if
// nothing here can.
func (m *Machine) fixing(from, name string) []string {
	if from == "pip" {
		for _, tool := range [][]string{{"pipx", "install"}, {"pip3", "install", "--user"}, {"pip", "install", "--user"}} {
			if _, err := exec.LookPath(tool[0]); err == nil {
				return append(slices.Clone(tool), name)
			}
		}
		return nil
	}
	for _, tool := range managers {
		if _, err := exec.LookPath(tool[0]); err != nil {
			continue
		}
		if tool[0] == "brew" {
			return append(slices.Clone(tool), name)
		}
		return asRoot(append(slices.Clone(tool), name)...)
	}
	return nil
}

// asRoot is a command that only root may run.
func asRoot(words ...string) []string {
	if os.Getuid() == 0 {
		return words
	}
	return append([]string{"sudo"}, words...)
}
