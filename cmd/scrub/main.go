//go:build unix

// Scrub finds out what a bug report is worth, by measuring.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/scrub-dev/scrub/internal/cli"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// grace is for what a command does when it is told to stop: put on record what
// it has. One that waits for somebody's input would not notice at all.
const grace = 4 * time.Second

func main() {
	sandbox.Main()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // from here on a second signal ends it at once
		time.Sleep(grace)
		fmt.Fprintln(os.Stderr, "scrub: interrupted")
		sandbox.Tidy()
		os.Exit(1)
	}()
	code := cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	sandbox.Tidy()
	os.Exit(code)
}
