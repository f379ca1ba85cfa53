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

	"scrub/internal/bug"
)

// Container is a Box made by docker or podman from an image. The program
// runs with the image's own interpreter. If gVisor's runtime is installed, it
// stands between the program and the kernel.
type Container struct {
	Program string // docker or podman
	Image   string
	GPU     bool
}

// filesAt is where a container finds the files to copy into its scratch folder.
const filesAt = "/scrub-files"

// Run implements Box.
func (c Container) Run(ctx context.Context, job Job) (bug.Outcome, error) {
	program, err := exec.LookPath(c.Program)
	if err != nil {
		return bug.Outcome{}, fmt.Errorf("%s is not installed", c.Program)
	}
	dir, err := os.MkdirTemp("", "scrub-files-")
	if err != nil {
		return bug.Outcome{}, err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return bug.Outcome{}, err
	}
	if err := writeFilesTo(dir, job.Repro.Files); err != nil {
		return bug.Outcome{}, err
	}
	p := newPlan(job)
	if job.Repro.Command[0] == "python" {
		p.Argv[0] = "python3" // the image's, not the host's
	}
	name := filepath.Base(dir)
	cmd := exec.Command(program, c.args(p, name, dir)...)
	kill := func() {
		// The client's end is not the container's.
		_ = exec.Command(program, "rm", "-f", name).Run()
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

func (c Container) args(p plan, name, dir string) []string {
	args := []string{
		"run", "--rm", "--name", name, "--init", "--pull", "never", "--network", "none", "--read-only", "--cap-drop", "ALL",
		"--security-opt", "no-new-privileges", "--user", fmt.Sprintf("%d:%d", innerID, innerID), "--workdir", Scratch, "--hostname", "scrub",
		"--ipc", "private", "--pids-limit", fmt.Sprint(p.Limits.Processes), "--ulimit", fmt.Sprintf("nofile=%d", p.Limits.Files),
		"--ulimit", "core=0", "--ulimit", fmt.Sprintf("fsize=%d", p.Limits.Scratch),
		"--memory", fmt.Sprint(p.Limits.Memory), "--memory-swap", fmt.Sprint(p.Limits.Memory), "--cpus", fmt.Sprint(runtime.NumCPU()),
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

// Walls starts a container around a program that does nothing.
func (c Container) Walls(ctx context.Context) []Wall { return oneWall(ctx, c.Program, c) }

func firstOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
