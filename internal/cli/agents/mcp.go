// Package agents has the commands for coding agents: scrub as their tools, and the skills that say when to use which.
package agents

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/cli/flags"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/mcp"
	"github.com/scrub-dev/scrub/internal/profile"
)

// options are the flags of scrub mcp.
type options struct {
	http, forge string
	readOnly    bool
	folders     []string
	most        profile.Duration
	runs        int64
	patience    profile.Duration
	issue       desk.IssueRequest
}

// MCP is the command that serves agents.
func MCP(on *console.Console, version string) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve agents: scrub's measurements as tools of the Model Context Protocol",
		Long: `Offers what scrub can measure as tools to a coding agent, by standard input and
output, or by HTTP on this machine with --http. Answers are short, and what
strangers wrote is marked as data in them.

A tool decides nothing and writes nothing in public: it proposes, and a person
agrees. A program in which something dangerous was found waits for a person's
word, through the client if it can ask, with scrub decide, or on the page of
scrub serve; others run in the sandbox.`,
		Example: `  claude mcp add scrub -- scrub mcp
  scrub mcp --read-only
  SCRUB_MCP_TOKEN=… scrub mcp --http 127.0.0.1:4748`,
		Args: console.Wants(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error { return serve(c.Context(), on, o, version) },
	}
	c.Flags().StringVar(&o.http, "http", "", "address and port on this machine to serve by HTTP, with the "+
		"token in SCRUB_MCP_TOKEN")
	c.Flags().BoolVar(&o.readOnly, "read-only", false, "run nothing: only read reports, programs and what is on record")
	c.Flags().StringArrayVar(&o.folders, "folder", nil, "a folder that tools may look into, for check_fix; may "+
		"be given several times")
	flags.Duration(c, &o.most, "most", "how long work may take in all, as in 2h (default: no limit)")
	c.Flags().Int64Var(&o.runs, "most-runs", 0, "how often programs may be run in all (default: no limit)")
	flags.Duration(c, &o.patience, "patience", "how long a call waits before it gives a handle (default: 20s)")
	c.Flags().StringVar(&o.forge, "forge", "", "a folder or the URL of a server's API to use instead of GitHub")
	c.Flags().StringArrayVar(&o.issue.Pythons, "python", nil, "interpreter to run programs with")
	flags.Box(c, &o.issue.Box)
	flags.Versions(c, &o.issue.Versions)
	return c
}

func serve(ctx context.Context, on *console.Console, o options, version string) error {
	if on.JSON {
		return console.Usage("scrub mcp speaks its own protocol on stdout; --json goes with other commands")
	}
	d := on.Desk()
	m := d.Machine
	s := &mcp.Server{Issue: o.issue, Forge: o.forge, User: on.Who(), Version: version, ReadOnly: o.readOnly,
		Folders: o.folders, Knows: func(host string) bool { return m.Token(ctx, host) != "" },
		Most: time.Duration(o.most), MostRuns: o.runs, Patience: time.Duration(o.patience), Now: on.Now, Skills: all(),
		Desk: func(tell event.Listener) *desk.Desk {
			return &desk.Desk{Machine: m, State: d.State, User: "agent", Now: on.Now, Tell: tell}
		}}
	m.MayRun = s.MayRun
	if s.Patience == 0 {
		s.Patience = 20 * time.Second
	}
	err := error(nil)
	if o.http == "" {
		on.Note("mcp: waiting for an agent on standard input; end it with Ctrl-C")
		err = s.Run(ctx)
	} else {
		err = byHTTP(ctx, on, o.http, s)
	}
	return errors.Join(err, d.Close())
}

// byHTTP serves on this machine alone: everybody who reaches it has a token, and nobody else reaches it.
func byHTTP(ctx context.Context, on *console.Console, at string, s *mcp.Server) error {
	host, _, err := net.SplitHostPort(at)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return console.Usage("--http %s: want an address of this machine, as in 127.0.0.1:4748", at)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", at)
	if err != nil {
		return console.Usage("%w; choose another port with --http 127.0.0.1:PORT", err)
	}
	token := on.Getenv("SCRUB_MCP_TOKEN")
	if token == "" {
		token = rand.Text()
		on.Note("mcp: the token is %s", token)
	}
	on.Note("mcp: serving at http://%s", l.Addr())
	h := &http.Server{Handler: s.Handler(token), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 32 << 10}
	done := make(chan error, 1)
	go func() { done <- h.Serve(l) }()
	select {
	case err = <-done:
	case <-ctx.Done():
	}
	err = errors.Join(err, h.Close())
	s.Close()
	if ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("serve agents: %w", err)
}
