package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox/calls"
)

// Container is a Box made by docker or podman from an image. The program
// runs with an interpreter of the image. If gVisor's runtime is installed, it
// stands between the program and the kernel.
type Container struct {
	Program string // docker or podman
	Image   string
	GPU     bool
	Env     []string // of docker or podman itself; nil for ours
}

// Digest names the image by what is in it.
func (c Container) Digest(ctx context.Context) (string, error) {
	if _, err := exec.LookPath(c.Program); err != nil {
		return "", fmt.Errorf("%s is not installed", c.Program)
	}
	cmd := exec.CommandContext(ctx, c.Program, "image", "inspect", "--format", "{{.Id}}", c.Image)
	cmd.Env = c.Env
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s does not have the image %s: pull it first (%s pull %s): %w", c.Program, c.Image,
			c.Program, c.Image, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// filesAt is where a container finds the files to copy into its scratch folder.
const filesAt = "/scrub-files"

// Run implements Box.
func (c Container) Run(ctx context.Context, job Job) (bug.Outcome, error) {
	program, err := exec.LookPath(c.Program)
	if err != nil {
		return bug.Outcome{}, fmt.Errorf("%s is not installed", c.Program)
	}
	home, err := os.MkdirTemp("", "scrub-container-")
	if err != nil {
		return bug.Outcome{}, err
	}
	defer os.RemoveAll(home)
	dir := filepath.Join(home, "files")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return bug.Outcome{}, err
	}
	if err := writeFilesTo(dir, job.Repro.Files); err != nil {
		return bug.Outcome{}, err
	}
	filter, err := filterFile(dir)
	if err != nil {
		return bug.Outcome{}, err
	}
	p := newPlan(job)
	name := filepath.Base(filepath.Dir(dir))
	cmd := exec.Command(program, c.args(p, name, dir, filter)...)
	cmd.Env = c.Env
	kill := func() {
		// The client's end is not the container's.
		remove := exec.Command(program, "rm", "-f", name)
		remove.Env = c.Env
		_ = remove.Run()
		_ = cmd.Process.Kill()
	}
	o, err := runCommand(ctx, cmd, p.Limits, kill)
	switch {
	case err != nil:
		return o, err
	case o.End == bug.Exited && o.Code >= 125 && o.Code <= 127:
		return o, errors.New(c.Program + ": " + firstOf(o.Stderr)) // the container did not start
	case o.Signal == "SIGKILL" && o.Limit == "":
		o.Limit = "memory" // nobody else kills in there
	}
	return o, nil
}

func (c Container) args(p plan, name, dir, filter string) []string {
	args := []string{
		"run", "--rm", "--name", name, "--init", "--pull", "never", "--network", "none", "--read-only", "--cap-drop",
		"ALL",
		"--security-opt", "no-new-privileges", "--security-opt", "seccomp=" +
			filter, "--user", fmt.Sprintf("%d:%d", innerID, innerID), "--workdir", Scratch, "--hostname", "scrub",
		"--ipc", "private", "--pids-limit", fmt.Sprint(p.Limits.Processes), "--ulimit", fmt.Sprintf("nofile=%d",
			p.Limits.Files),
		"--ulimit", fmt.Sprintf("core=%d", noCore), "--ulimit", "nproc=4096", "--ulimit", fmt.Sprintf("fsize=%d",
			p.Limits.Scratch),
		"--memory", fmt.Sprint(p.Limits.Memory), "--memory-swap", fmt.Sprint(p.Limits.Memory), "--cpus",
		fmt.Sprint(runtime.NumCPU()),
		"--shm-size", fmt.Sprint(p.Limits.Scratch), "--volume", dir + ":" + filesAt + ":ro",
	}
	for _, at := range []string{Scratch, "/tmp"} {
		args = append(args, "--tmpfs", fmt.Sprintf("%s:rw,exec,nosuid,nodev,size=%d,mode=1777", at, p.Limits.Scratch))
	}
	for _, v := range p.Env {
		args = append(args, "--env", v)
	}
	if c.GPU {
		args = append(args, "--gpus", "all")
	} else if _, err := exec.LookPath("runsc"); err == nil {
		args = append(args, "--runtime", "runsc")
	}
	args = append(args, c.Image, "/bin/sh", "-c", `cp -R `+filesAt+`/. . && exec "$@"`, "scrub")
	return append(args, p.Argv...)
}

// filterFile writes the native box's call filter, in the form that container
// engines read, beside dir. They end calls of other architectures by themselves.
func filterFile(dir string) (string, error) {
	data, err := calls.Filter{Enclosed: true}.Profile() // the container counts them
	if err != nil {
		return "", err
	}
	file := filepath.Join(filepath.Dir(dir), "filter.json")
	return file, os.WriteFile(file, data, 0o644)
}

// Walls starts a container around a program that does nothing.
func (c Container) Walls(ctx context.Context) []Wall { return oneWall(ctx, c.Program, c) }

func firstOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
