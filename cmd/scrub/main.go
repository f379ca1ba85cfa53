// Scrub finds out what a bug report is worth, by measuring.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"scrub/internal/cli"
	"scrub/internal/sandbox"
)

func main() {
	sandbox.Main()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	code := cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	sandbox.Tidy()
	os.Exit(code)
}
