package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// warmOracle answers peers from a warm interpreter, so that they can be run to
// their end: who connects sends a program and gets "y" or "n".
func warmOracle(ctx context.Context, socket string, r bug.Runtime, symptom bug.Symptom,
	preload []string) (io.Closer, error) {
	l, err := net.Listen("unix", socket)
	if err != nil {
		return nil, err
	}
	box := new(sandbox.Warm)
	limit := 20 * time.Second
	if symptom.Kind == bug.Hangs {
		limit = time.Second
	}
	answer := func(c net.Conn) {
		defer c.Close()
		text, err := io.ReadAll(c)
		if err != nil {
			return
		}
		out, err := box.Run(ctx, sandbox.Job{Repro: bug.Program(string(text)), Runtime: r,
			Limits: sandbox.Limits{Time: limit}, Preload: preload})
		if err == nil && symptom.In(out) == bug.Yes {
			io.WriteString(c, "y")
		}
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				box.Close()
				return
			}
			go answer(c)
		}
	}()
	return l, nil
}

// errNo is how a peer is told that a program is of no interest.
var errNo = errors.New("no")

// ask is what the script of a peer calls: SOCKET FILE.
func ask(args []string) error {
	text, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	c, err := net.Dial("unix", args[0])
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.Write(text); err != nil {
		return err
	}
	if err := c.(*net.UnixConn).CloseWrite(); err != nil {
		return err
	}
	said, err := io.ReadAll(c)
	if err == nil && string(said) != "y" {
		err = errNo
	}
	return err
}
