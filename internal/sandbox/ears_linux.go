package sandbox

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/scrub-dev/scrub/internal/sandbox/calls"
	"github.com/scrub-dev/scrub/internal/sandbox/hatch"
	"github.com/scrub-dev/scrub/internal/sandbox/witness"
)

// ears tells hear of what a program reaches for that is not its own.
func (p plan) ears(hear func(witness.Call)) func(witness.Call) {
	if hear == nil {
		return nil
	}
	ground, bound := p.ground(), map[string]bool{}
	return func(c witness.Call) {
		if name, ok := strings.CutPrefix(c.On[0], "unix:@"); ok { // a name that only this box has
			if c.Name == "bind" || bound[name] {
				bound[name] = true
				return
			}
		}
		if c.Absent && c.Name == "execve" {
			return // looked for along the path of programs
		}
		if c.Absent = ground.Own(c) || c.Absent && strings.HasPrefix(c.On[0], "unix:"); ground.Foreign(c) {
			hear(c)
		}
	}
}

// openEars makes the pipe through which the program's calls will be heard, beside what else goes in; nil if nobody
// listens.
func (p *plan) openEars(hear func(witness.Call), files []*os.File) (ear *os.File, all []*os.File, err error) {
	if hear == nil {
		return nil, files, nil
	}
	ours, theirs, err := hatch.Pair()
	if err != nil {
		return nil, files, wallError{"call filter", err}
	}
	if p.Heard, err = calls.Heard(); err != nil {
		return nil, files, errors.Join(wallError{"call filter", err}, closeAll([]*os.File{ours, theirs}))
	}
	p.Ear = firstTree + len(files)
	return ours, append(files, theirs), nil
}

// listen tells of the program's calls until the box ends. A box whose ears fail is ended: nobody runs unheard who was
// to be heard.
func (s *stage) listen(ear *os.File, tell func(witness.Call)) {
	f := hatch.Take(ear)
	if f == nil {
		return
	}
	defer f.Close()
	if err := witness.Hear(f, s.cmd.Process.Pid, tell); err != nil {
		s.mu.Lock()
		s.deaf = err
		s.mu.Unlock()
		s.kill()
	}
}

// heard is why the program's calls were not heard to the end.
func (s *stage) heard() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.deaf
}

// openEar has the calls heard that this thread makes from here on and with it the program. What hands the descriptor
// out is another thread, which nobody needs to hear: those that hear have it only then.
func (p plan) openEar() error {
	if p.Ear == 0 {
		return nil
	}
	fd, err := calls.Listen(p.Heard)
	if err != nil {
		return err
	}
	handed := make(chan error)
	go func() { handed <- errors.Join(hatch.Give(p.Ear, fd), unix.Close(fd)) }()
	return <-handed
}
