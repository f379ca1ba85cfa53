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
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
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
	limits := job.Limits.defaults()
	name := filepath.Base(filepath.Dir(dir))
	cmd := exec.Command(program, c.args(job, name, dir, filter)...)
	cmd.Env = c.Env
	kill := func() {
		// The client's end is not the container's.
		remove := exec.Command(program, "rm", "-f", name)
		remove.Env = c.Env
		_ = remove.Run()
		_ = cmd.Process.Kill()
	}
	o, err := runCommand(ctx, cmd, limits, kill)
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

func (c Container) args(job Job, name, dir, filter string) []string {
	limits := job.Limits.defaults()
	args := []string{
		"run", "--rm", "--name", name, "--init", "--pull", "never", "--network", "none", "--read-only", "--cap-drop",
		"ALL",
		"--security-opt", "no-new-privileges", "--user", fmt.Sprintf("%d:%d", innerID, innerID), "--workdir", Scratch, "--hostname", "scrub",
		"--ipc", "private", "--pids-limit", fmt.Sprint(limits.Processes), "--ulimit", fmt.Sprintf("nofile=%d",
			limits.Files),
		"--ulimit", fmt.Sprintf("core=%d", noCore), "--ulimit", "nproc=4096", "--ulimit", fmt.Sprintf("fsize=%d",
			limits.Scratch),
		"--memory", fmt.Sprint(limits.Memory), "--memory-swap", fmt.Sprint(limits.Memory), "--cpus",
		fmt.Sprint(runtime.NumCPU()),
		"--shm-size", fmt.Sprint(limits.Scratch), "--volume", dir + ":" + filesAt + ":ro",
	}
	if filter != "" {
		args = append(args, "--security-opt", "seccomp="+filter)
	}
	for _, at := range []string{Scratch, "/tmp"} {
		args = append(args, "--tmpfs", fmt.Sprintf("%s:rw,exec,nosuid,nodev,size=%d,mode=1777", at, limits.Scratch))
	}
	for _, v := range job.env() {
		args = append(args, "--env", v)
	}
	if c.GPU {
		args = append(args, "--gpus", "all")
	} else if _, err := exec.LookPath("runsc"); err == nil {
		args = append(args, "--runtime", "runsc")
	}
	args = append(args, c.Image, "/bin/sh", "-c", `cp -R `+filesAt+`/. . && exec "$@"`, "scrub")
	return append(args, job.argv()...)
}

// Walls starts a container around a program that does nothing.
func (c Container) Walls(ctx context.Context) []Wall { return oneWall(ctx, c.Program, c) }

func firstOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// oneWall is what can be said of a box in which scrub itself cannot run: it
// stands, or it does not.
func oneWall(ctx context.Context, name string, box Box) []Wall {
	o, err := box.Run(ctx, Job{Repro: bug.Repro{Command: []string{"/bin/true"}},
		Limits: Limits{Time: 30 * time.Second}})
	w := Wall{Name: name, Holds: err == nil && !o.Failed()}
	switch {
	case err != nil:
		w.Missing = err.Error()
	case o.Failed():
		w.Missing = firstOf(o.Stderr)
	}
	return []Wall{w}
}
