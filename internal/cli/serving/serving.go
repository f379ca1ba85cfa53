// Package serving has the command that serves the page.
package serving

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/cli/flags"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/browsed"
	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/web"
	"github.com/scrub-dev/scrub/internal/web/door"
	"github.com/scrub-dev/scrub/internal/web/login"
)

// options are the flags of scrub serve.
type options struct {
	listen, public, accounts, forge string
	quiet, demo                     bool
	issue                           desk.IssueRequest
}

// Command is scrub serve.
func Command(on *console.Console) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve a page on this machine: what was found, what waits for you, what runs",
		Long: `Opens a page in the browser with all cases, what waits for a decision, and what
runs now. It listens on this machine alone, and a link that works once lets you in.

Nothing is written on an issue before you agree to its exact bytes and have it
applied; a program in which something was found runs only after your word.

With --accounts FILE it can listen for a team: people log in with OpenID Connect
or GitHub, and have a role in each repository. Without it, --listen beyond this
machine is refused.`,
		Example: `  scrub serve --demo
  scrub serve --on reported,newest
  scrub serve --listen 0.0.0.0:8080 --public https://scrub.example.org --accounts accounts.toml`,
		Args: console.Wants(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error { return serve(c.Context(), on, o) },
	}
	c.Flags().StringVar(&o.listen, "listen", "127.0.0.1:4747", "address and port to listen on")
	c.Flags().StringVar(&o.public, "public", "", "the address by which people reach it, behind a reverse proxy")
	c.Flags().StringVar(&o.accounts, "accounts", "", "a TOML file with who may log in, and what they may do")
	c.Flags().StringVar(&o.forge, "forge", "", "a folder or the URL of a server's API to use instead of GitHub")
	c.Flags().BoolVar(&o.quiet, "no-open", false, "do not open the page in the browser")
	c.Flags().BoolVar(&o.demo, "demo", false, "show ten sample reports, with issues in a folder; nothing is kept")
	c.Flags().StringArrayVar(&o.issue.Pythons, "python", nil, "interpreter to run programs with")
	c.Flags().BoolVar(&o.issue.ApproveClean, "approve-clean", false,
		"run programs in which nothing dangerous was found without asking")
	flags.Box(c, &o.issue.Box)
	flags.Versions(c, &o.issue.Versions)
	return c
}

// local reports whether an address is reached from this machine alone.
func local(listen string) (bool, error) {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return false, console.Usage("--listen %s: want an address and a port, as in 127.0.0.1:4747", listen)
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback(), nil
}

func serve(ctx context.Context, on *console.Console, o options) (err error) {
	here, err := local(o.listen)
	if err != nil {
		return err
	}
	if !here && o.accounts != "" && o.public == "" {
		return console.Usage("--listen %s: say with --public https://… by which name people reach it", o.listen)
	}
	if !here && o.accounts == "" {
		return console.Usage("--listen %s could be reached from elsewhere, and everybody there could decide in your name: give "+
			"--accounts FILE, or listen on 127.0.0.1", o.listen)
	}
	if o.demo {
		dir, err := os.MkdirTemp("", "scrub-demo-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		on.State, o.forge, o.issue.ApproveClean = filepath.Join(dir, "scrub.db"), filepath.Join(dir, "forge"), true
		if err := lay(o.forge); err != nil {
			return err
		}
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return console.Usage("%w; choose another port with --listen 127.0.0.1:PORT", err)
	}
	d := on.Desk()
	defer func() { err = errors.Join(err, d.Close()) }()
	s, err := server(on, o, d, l.Addr().String())
	if err == nil && o.accounts != "" {
		err = accounts(ctx, on, o, s, l.Addr().String())
	}
	if err != nil {
		return errors.Join(err, l.Close())
	}
	return run(ctx, on, o, s, l)
}

// server wires up the page.
func server(on *console.Console, o options, d *desk.Desk, at string) (*web.Server, error) {
	_, port, _ := net.SplitHostPort(at)
	guard := &door.Door{Port: port, Hosts: []string{at, "localhost:" + port, "127.0.0.1:" + port}, Now: on.Now,
		Random: rand.Reader}
	s := &web.Server{
		Door: guard, Index: &browsed.Index{Desk: d}, Issue: o.issue, Forge: o.forge, Now: on.Now,
		Desk: func(who string, tell event.Listener) *desk.Desk {
			return &desk.Desk{Machine: d.Machine, State: d.State, User: who, Now: on.Now, Tell: tell}
		},
		Log: func(text string) { on.Note("%s", text) },
	}
	if o.demo {
		s.Flags = "demo: nothing is kept"
	}
	if o.public != "" {
		u, err := url.Parse(o.public)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return nil, console.Usage("--public %s: want an address as in https://scrub.example.org", o.public)
		}
		guard.Hosts, guard.Secure, guard.Proxy = append(guard.Hosts, strings.ToLower(u.Host)), u.Scheme == "https", true
	}
	return s, nil
}

// accounts has people log in elsewhere.
func accounts(ctx context.Context, on *console.Console, o options, s *web.Server, at string) error {
	who, err := login.Read(o.accounts)
	if err != nil {
		return console.Usage("--accounts: %w", err)
	}
	l := &login.Login{Accounts: who, Door: s.Door, Public: cmp.Or(o.public, "http://"+at), Now: on.Now,
		Random: rand.Reader,
		Came:   s.Came, Failed: func(why string) { on.Note("log in: %s", why) }}
	s.Door.Tokens, s.Login = who.Tokens(), l
	return l.Begin(ctx)
}

// run serves until ctx is done.
func run(ctx context.Context, on *console.Console, o options, s *web.Server, l net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if _, err := s.Index.Refresh(ctx); err != nil {
		return errors.Join(err, l.Close())
	}
	me := door.Person{Name: s.Index.Desk.User, Grants: []door.Grant{{Repo: "*", Role: door.Admin}}}
	base := cmp.Or(o.public, "http://"+l.Addr().String())
	if err := invite(ctx, on, o, s, me, base); err != nil {
		return errors.Join(err, l.Close())
	}
	fmt.Fprintln(on.Err, "scrub: end it with Ctrl-C")
	h := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second,
		IdleTimeout:    2 * time.Minute,
		MaxHeaderBytes: 32 << 10}
	done := make(chan error, 1)
	go func() { done <- h.Serve(l) }()
	watched := make(chan struct{})
	go func() {
		s.Watch(ctx, 300*time.Millisecond)
		close(watched)
	}()
	if o.demo {
		if err := s.Demo(ctx, me.Name, demo); err != nil {
			return err
		}
	}
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
	}
	stop()
	err = errors.Join(err, h.Close()) // nothing new is asked for from here on
	s.Close()
	<-watched
	return err
}

// invite says where the page is: with a link that lets a person in, and another one whenever it was used, or
// where people log in.
func invite(ctx context.Context, on *console.Console, o options, s *web.Server, me door.Person, base string) error {
	at := browsed.Served{Schema: "serve/1", Address: base}
	link := func() (string, error) {
		key, err := s.Door.Key(me)
		return base + "/enter?key=" + key, err
	}
	words, err := "people log in at "+base, error(nil)
	if s.Login == nil {
		if at.Link, err = link(); err != nil {
			return err
		}
		words = "open " + at.Link
		again := func(why string) func() {
			return func() {
				if next, err := link(); err == nil {
					on.Note("%s %s", why, next)
				}
			}
		}
		s.Enter, s.Again = again("you are in; another browser gets in with"),
			again("somebody tried an old link; a new one is")
	}
	on.Note("%s", words)
	desktop := runtime.GOOS == "darwin" || on.Getenv("DISPLAY") != "" || on.Getenv("WAYLAND_DISPLAY") != ""
	if on.ErrTTY && desktop && !o.quiet {
		open(ctx, on, cmp.Or(at.Link, base), s)
	}
	if on.JSON {
		return on.Answer(at, "")
	}
	return nil
}

// open opens a page in the browser, if there is one. The link goes by a file that only its owner can read: everybody
// on this machine can see what a process is started with.
func open(ctx context.Context, on *console.Console, link string, s *web.Server) {
	name := map[string]string{"linux": "xdg-open", "darwin": "open"}[runtime.GOOS]
	if name == "" {
		return
	}
	dir, err := os.MkdirTemp("", "scrub-open-")
	file := filepath.Join(dir, "open.html")
	if err == nil {
		text := `<!doctype html><meta http-equiv="refresh" content="0; url=` + link + `"><a href="` + link + `">scrub</a>`
		err = errors.Join(os.WriteFile(file, []byte(text), 0o600), exec.CommandContext(ctx, name, file).Start())
	}
	if err != nil {
		on.Note("no browser could be opened: %v", err)
	}
	said := s.Enter
	s.Enter = func() {
		_ = os.RemoveAll(dir) // the link works no more
		if said != nil {
			said()
		}
	}
}
