package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox/calls"
	"github.com/scrub-dev/scrub/internal/sandbox/capture"
	"github.com/scrub-dev/scrub/internal/sandbox/cgroup"
	"github.com/scrub-dev/scrub/internal/sandbox/hatch"
	"github.com/scrub-dev/scrub/internal/sandbox/mount"
	"github.com/scrub-dev/scrub/internal/sandbox/trial"
	"github.com/scrub-dev/scrub/internal/sandbox/watch"
	"github.com/scrub-dev/scrub/internal/sandbox/witness"
)

// Native is a Box that needs no program but scrub itself: it starts scrub
// again in namespaces of its own, which builds the walls from inside and
// then starts the program. The zero Native is ready to use.
type Native struct{}

// stageName is the first argument that makes scrub the stage inside the box.
const stageName = "stage-of-the-box"

// nobody is who a program in the box is outside when scrub runs as root:
// RLIMIT_NPROC does not bind the host's uid 0, and what does get out should have
// nothing.
const nobody = 65534

// Inhabitant is who a program in the native box is outside, if that is not
// this user: folders that it shall write to must be theirs.
func Inhabitant() (uid int, ok bool) { return nobody, os.Getuid() == 0 }

const namespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWNET

// Run implements Box.
func (Native) Run(ctx context.Context, job Job) (bug.Outcome, error) {
	for try := 1; ; try++ {
		o, err := runOnce(ctx, job)
		// Something of the host was replaced while the box was built, as ldconfig
		// does with its cache. Nothing ran.
		if errors.Is(err, unix.ENOENT) && try < 4 {
			continue
		}
		return o, err
	}
}

func runOnce(ctx context.Context, job Job) (bug.Outcome, error) {
	p := newPlan(job)
	s, err := openStage(p, handed{serve: job.Serve, hear: p.ears(job.Hear)})
	if err != nil {
		return bug.Outcome{}, fmt.Errorf("box: %w", err)
	}
	defer s.close()
	ctx, cancel := watch.Within(ctx, s.cmd.Process.Pid, s.started, p.Limits.Time)
	defer cancel()
	o, err := s.wait(ctx)
	if o.End == bug.TimedOut {
		o.Within = p.Limits.Time
	}
	return o, err
}

// handed is what goes into a box besides its plan.
type handed struct {
	server *os.File           // the pipe of a warm interpreter
	serve  func(net.Listener) // what answers at Door
	hear   func(witness.Call) // is told of the program's calls
}

// openStage starts the stage of p.
func openStage(p plan, h handed) (*stage, error) {
	files, err := p.detach()
	defer func() { _ = closeAll(files) }()
	if err != nil {
		return nil, wallError{"own root", err}
	}
	var door *os.File
	if h.serve != nil {
		ours, theirs, err := hatch.Pair()
		if err != nil {
			return nil, wallError{"no network", err}
		}
		door, p.Door = ours, firstTree+len(files)
		files = append(files, theirs)
	}
	ear, files, err := p.openEars(h.hear, files)
	if err != nil {
		return nil, errors.Join(err, closeAll([]*os.File{door}))
	}
	all := files
	if h.server != nil {
		p.Server = firstTree + len(files)
		all = append(slices.Clone(files), h.server)
	}
	s, err := startStage(p, all)
	if err != nil {
		return nil, errors.Join(err, closeAll([]*os.File{door, ear}))
	}
	if ear != nil {
		s.doors.Go(func() { s.listen(ear, h.hear) })
	}
	if door != nil {
		s.doors.Go(func() { s.answer(door, h.serve) })
	}
	return s, nil
}

// answer waits for the listener that the stage has made and serves it until
// the box ends.
func (s *stage) answer(door *os.File, serve func(net.Listener)) {
	f := hatch.Take(door)
	if f == nil {
		return
	}
	l, err := net.FileListener(f)
	_ = f.Close() // the listener has a copy
	if err != nil {
		return
	}
	s.mu.Lock()
	s.listener = l
	over := s.over
	s.mu.Unlock()
	if over {
		_ = l.Close() // nobody is there any more
		return
	}
	serve(l)
}

// shutDoor ends the serving.
func (s *stage) shutDoor() {
	s.mu.Lock()
	s.over = true
	if s.listener != nil {
		_ = s.listener.Close() // it has served
	}
	s.mu.Unlock()
	s.doors.Wait()
}

// detach makes the mounts here, outside, when scrub is root: inside, as
// nobody, it could not reach a folder below a home that only root may enter. The
// root of a container may not mount, and does without.
func (p *plan) detach() ([]*os.File, error) {
	if os.Getuid() != 0 || !mount.May() {
		return nil, nil
	}
	var trees []*os.File
	for i := range p.Mounts {
		m := &p.Mounts[i]
		if mount.IsLink(m.From) {
			continue
		}
		fd, err := mount.Detached(m.From, m.Write)
		if err != nil {
			return trees, err
		}
		m.FD = firstTree + len(trees)
		trees = append(trees, os.NewFile(uintptr(fd), m.From))
	}
	return trees, nil
}

// Descriptors of the stage.
const (
	planFD    = 3
	endingFD  = 4
	firstTree = 5
)

// A stage is a started box.
type stage struct {
	cmd      *exec.Cmd
	life     *os.File // while this is open, the box may live
	ending   *os.File
	started  time.Time
	out, err *capture.Capture
	readers  sync.WaitGroup
	streams  [2]*os.File
	group    *cgroup.Group // nil where there can be none
	memory   int64         // all its processes may hold so much

	mu       sync.Mutex
	listener net.Listener // at Door
	over     bool         // the box is
	deaf     error        // why the program's calls were not heard
	doors    sync.WaitGroup
}

func startStage(p plan, handed []*os.File) (*stage, error) {
	s := &stage{out: capture.New(p.Limits.Output), err: capture.New(p.Limits.Output), started: time.Now(),
		memory: p.memoryLimit()}
	var err error
	var inner, outer [4]*os.File // plan, ending, stdout, stderr
	for i := range inner {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, errors.Join(err, closeAll(inner[:]), closeAll(outer[:]))
		}
		inner[i], outer[i] = w, r
		if i == 0 {
			inner[i], outer[i] = r, w
		}
	}
	defer closeAll(inner[:])
	s.life, s.ending, s.streams = outer[0], outer[1], [2]*os.File{outer[2], outer[3]}
	if err = s.start(append([]*os.File{inner[0], inner[1]}, handed...), inner[2], inner[3],
		s.memory+3*p.Limits.Scratch); err != nil {
		return nil, errors.Join(wallError{"namespaces", err}, closeAll(outer[:]))
	}
	// A driver wants memory that its processes share, and is no wall of the box.
	p.Enclosed = s.group != nil || p.driven()
	// While the stage starts, which takes longer.
	if p.Filter, err = (calls.Filter{Server: p.Server != 0, Enclosed: p.Enclosed, Routes: p.Limits.Interfaces,
		Writes: p.writes()}).Code(); err != nil {
		s.kill()
		_ = s.cmd.Wait() // it was killed
		s.close()
		return nil, wallError{"call filter", err}
	}
	s.readers.Go(func() { s.out.ReadAll(s.streams[0]) })
	s.readers.Go(func() { s.err.ReadAll(s.streams[1]) })
	// A stage that died before reading has left a better error than EPIPE.
	_ = json.NewEncoder(s.life).Encode(p)
	return s, nil
}

func stageCommand() *exec.Cmd {
	uid, gid := os.Getuid(), os.Getgid()
	cmd := exec.Command("/proc/self/exe", stageName)
	cmd.Args[0] = "scrub"
	cmd.Env = []string{"GOGC=off", "GOMAXPROCS=2"}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: namespaces,
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE,
			unix.CAP_SYS_RESOURCE},
		Setsid: true,
	}
	if uid == 0 {
		uid, gid = nobody, nobody
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: innerID, Gid: innerID, NoSetGroups: true}
	}
	cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: innerID, HostID: uid, Size: 1}}
	cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: innerID, HostID: gid, Size: 1}}
	return cmd
}

// start starts the stage, in a cgroup if there can be one.
func (s *stage) start(files []*os.File, stdout, stderr *os.File, memory int64) error {
	s.group = cgroup.Take(memory)
	for {
		s.cmd = stageCommand()
		s.cmd.Stdout, s.cmd.Stderr, s.cmd.ExtraFiles = stdout, stderr, files
		err := s.group.Start(s.cmd)
		if err == nil || s.group == nil {
			return err
		}
		s.group.Remove()
		s.group = nil
	}
}

// kill ends everything in the box: its first process takes the rest with it.
func (s *stage) kill() { _ = s.cmd.Process.Kill() }

// end waits for the stage's report and leaves nothing of the box alive.
func (s *stage) end() ([]byte, error) {
	report, err := io.ReadAll(s.ending)
	s.kill()
	_ = s.cmd.Wait() // it was killed; only the report counts
	// All that held the streams is dead now, so they end.
	s.readers.Wait()
	return report, err
}

// wait waits for the program's end, or makes one when ctx ends.
func (s *stage) wait(ctx context.Context) (bug.Outcome, error) {
	seen := watch.Watch{Root: s.cmd.Process.Pid, Limit: s.memory, Net: watch.MissedBy(s.group)}.Start(s.kill)
	stop := context.AfterFunc(ctx, s.kill)
	report, err := s.end()
	inTime, saw := stop(), seen()
	if err := s.heard(); err != nil {
		return bug.Outcome{}, fmt.Errorf("box: %w", err)
	}
	o := bug.Outcome{Stdout: s.out.String(), Stderr: s.err.String(), Cost: bug.Cost{Wall: time.Since(s.started)}}
	var e ending
	switch {
	case saw.Over || s.group.Kills() > 0:
		o.End, o.Signal, o.Limit = bug.Killed, "SIGKILL", "memory"
		return o, nil
	case saw.Err != nil && inTime:
		return o, fmt.Errorf("box: %w", saw.Err)
	case !inTime && errors.Is(context.Cause(ctx), watch.ErrLate):
		o.End, o.Limit = bug.TimedOut, "time"
		return o, nil
	case !inTime:
		return o, context.Cause(ctx)
	case err != nil:
		return o, fmt.Errorf("box: %w", err)
	case json.Unmarshal(report, &e) != nil:
		return o, fmt.Errorf("box: its first process died (%v): %s", s.cmd.ProcessState, strings.TrimSpace(o.Stderr))
	case e.Gone:
		return o, fmt.Errorf("box: %s: %w", e.Error, unix.ENOENT)
	case e.Error != "":
		return o, fmt.Errorf("box: %s", e.Error)
	}
	o.Cost.CPU, o.Cost.Memory = e.CPU, e.Memory
	setStatus(&o, e.Status)
	return o, nil
}

func (s *stage) close() {
	s.shutDoor()
	s.group.GiveBack()
	_ = closeAll([]*os.File{s.life, s.ending, s.streams[0], s.streams[1]})
}

func closeAll(files []*os.File) error {
	var errs []error
	for _, f := range files {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

// Tidy takes away what boxes leave for the next ones.
func Tidy() { cgroup.Tidy() }

// Main must be the first thing that a program does which uses Native: in
// the process that is the stage inside a box it does its work and exits,
// in any other it returns at once.
func Main() {
	if len(os.Args) == 2 && os.Args[1] == stageName && os.Getpid() == 1 {
		os.Exit(offLeader(inside1))
	}
	if len(os.Args) == 2 && os.Args[1] == proverName {
		trial.Run()
		os.Exit(0)
	}
	cgroup.Sweep()
	// What scrub was given by its own parent is nobody's business inside.
	_ = unix.CloseRange(3, ^uint(0)>>1, unix.CLOSE_RANGE_CLOEXEC)
}
