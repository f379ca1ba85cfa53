//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/store/storetest"
)

// chaosTime is how long things go wrong; make chaos says longer.
func chaosTime(t *testing.T, usual time.Duration) time.Duration {
	t.Helper()
	text := os.Getenv("SCRUB_TEST_CHAOS")
	if text == "" && testing.Short() {
		return usual / 2
	}
	if text == "" {
		return usual
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A fleet is workers that share a state, and what they log.
type fleet struct {
	t       *testing.T
	command string
	state   []string // by worker: the same state may have several addresses
	within  []string // by worker: what it is started with, as in ip netns exec NAME
	env     []string
	logs    string
	workers []*exec.Cmd
	killed  int
}

func (f *fleet) start(k int) {
	f.t.Helper()
	log, err := os.OpenFile(filepath.Join(f.logs, fmt.Sprint("worker", k, ".log")), os.O_CREATE|os.O_APPEND|os.O_WRONLY,
		0o600)
	if err != nil {
		f.t.Fatal(err)
	}
	defer log.Close()
	args := append(strings.Fields(f.within[k]), f.command, "worker", "--workers", "1", "--log", "debug", "--state",
		f.state[k], "--machine", fmt.Sprint("machine", k))
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = f.env, log, log
	if err := cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	f.workers[k] = cmd
}

// kill ends a worker as a power cut would.
func (f *fleet) kill(k int) {
	_ = f.workers[k].Process.Kill()
	_ = f.workers[k].Wait()
	f.killed++
}

// backlog writes reports of all kinds, as many as are asked for.
func backlog(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	kinds := []string{
		"```python\nimport datetime\n%s\ndatetime.datetime.strptime('x%d', '%%Y')\n```\n\n" +
			"It ends with `ValueError: time data 'x%[2]d' does not match format '%%Y'`.\n",
		"```python\n%s\nprint(int('%d'))\n```\n\n```\nValueError: invalid literal for int() with base 10: '%[2]d'\n```\n",
		"It would be nice to have %[2]d more colours.%.0[1]s\n",
		"```python\n%s\nraise KeyError('lost %d')\n```\n\n```\nKeyError: 'lost %[2]d'\n```\n",
		"```python\nimport json\n%s\njson.loads('[%d')\n```\n\n```\njson.decoder.JSONDecodeError: Expecting ',' delimiter: " +
			"line 1 column\n```\n",
	}
	for i := range n {
		var more strings.Builder
		for k := range 12 {
			fmt.Fprintf(&more, "v%d = [j * %d for j in range(%d)]\n", k, i+k, 5+k)
		}
		text := fmt.Sprintf("---\nrepo: octo/snail\nnumber: %d\ntitle: it fails, %d\nauthor: ann\n---\n"+kinds[i%len(kinds)],
			i+1, i, more.String(), i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A settled is what came of a backlog: verdicts by case, and actions by what they
// are about, with their bytes.
type settled struct{ cases, actions map[string]string }

// settle is what is on record.
func settle(t *testing.T, env []string, command, state string) settled {
	t.Helper()
	s := settled{map[string]string{}, map[string]string{}}
	var cases []struct{ Case, Ref, Verdict string }
	var actions []struct {
		ID, Status string
		Action     struct {
			Kind, Text string
			On         struct{ Number int }
		}
	}
	for args, into := range map[string]any{"cases": &cases, "actions": &actions} {
		if err := json.Unmarshal(output(t, env, nil, command, args, "--json", "--state", state), into); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range cases {
		s.cases[c.Ref] = c.Verdict
	}
	for _, a := range actions {
		about := fmt.Sprint(a.Action.Kind, " on #", a.Action.On.Number)
		if a.Action.Kind != "comment" {
			about += " of " + a.Action.Text
		}
		if s.actions[about] != "" {
			t.Errorf("%s is there twice", about)
		}
		s.actions[about] = fmt.Sprint(a.ID, ", ", a.Status, ":\n", a.Action.Text)
	}
	return s
}

// Workers are killed, the database restarts, a network is cut: every report ends
// with the verdict that a quiet run gives, and nothing is asked that is on record.
func TestChaosPostgreSQL(t *testing.T) {
	network := newNetwork(t)
	c := storetest.Start(t, network.server)
	f := &fleet{state: []string{c.Address(), c.Address(), c.Address()}, within: make([]string, 3)}
	if network.server != "" {
		f.state[2] = fmt.Sprintf("postgres://scrub@%s/postgres", network.server)
		f.within[2] = "ip netns exec " + network.name
	}
	chaos(t, f, chaosTime(t, time.Minute), map[int]func(){2: func() { network.cut(true) },
		4: func() { network.cut(false) },
		3: func() { restart(t, c) }, 5: func() { restart(t, c) }})
}

// The same with a file that all processes share.
func TestChaosFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "scrub.db")
	chaos(t, &fleet{state: []string{file, file, file}, within: make([]string, 3)}, chaosTime(t, 40*time.Second), nil)
}

func restart(t *testing.T, c *storetest.Cluster) {
	t.Helper()
	if err := c.Restart(); err != nil {
		t.Error(err)
	}
}

// chaos works a backlog through, with a worker killed every five seconds and
// something else at some of these moments.
func chaos(t *testing.T, f *fleet, long time.Duration, also map[int]func()) {
	f.t, f.command, f.logs, f.workers = t, scrub(t), t.TempDir(), make([]*exec.Cmd, 3)
	f.env = append(os.Environ(), "HOME="+t.TempDir(), "USER=ann", "GH_TOKEN=", "GITHUB_TOKEN=")
	dir := backlog(t, 2*int(long.Seconds()))
	sweep := []string{"sweep", dir, "--approve-clean", "--steps", "small", "--json", "--state"}
	quiet := filepath.Join(t.TempDir(), "quiet.db")
	output(t, f.env, nil, f.command, append(sweep, quiet)...)
	want := settle(t, f.env, f.command, quiet)

	for k := range f.workers {
		f.start(k)
	}
	defer func() {
		for k := range f.workers {
			f.kill(k)
		}
	}()
	whole := exec.Command(f.command, append(sweep, f.state[0], "--workers", "0")...)
	var said bytes.Buffer
	whole.Env, whole.Stderr = f.env, &said
	if err := whole.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- whole.Wait() }()
	began := time.Now()
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case err := <-done:
			if err != nil {
				t.Fatalf("%v\n%s", err, said.String())
			}
			f.check(want, settle(t, f.env, f.command, f.state[0]))
			t.Logf("%d reports in %v, %d workers killed", len(want.cases), time.Since(began).Round(time.Second), f.killed)
			return
		case <-tick.C:
		}
		if time.Since(began) > long+10*time.Minute {
			_ = whole.Process.Signal(syscall.SIGTERM)
			t.Fatalf("it does not end\n%s", said.String())
		}
		if do := also[n]; do != nil {
			do()
		}
		if time.Since(began) < long {
			f.kill(n % 3)
			f.start(n % 3)
		}
	}
}

// check compares what came of a backlog with what should, and looks through what
// the workers asked.
func (f *fleet) check(want, got settled) {
	f.t.Helper()
	for _, ref := range slices.Sorted(maps.Keys(want.cases)) {
		if got.cases[ref] != want.cases[ref] {
			f.t.Errorf("%s: %q, and %q in a quiet run", ref, got.cases[ref], want.cases[ref])
		}
	}
	for about, bytes := range want.actions {
		if got.actions[about] != bytes {
			f.t.Errorf("%s is\n%s\nand in a quiet run\n%s", about, got.actions[about], bytes)
		}
	}
	if len(got.actions) != len(want.actions) {
		f.t.Errorf("%d actions, and %d in a quiet run", len(got.actions), len(want.actions))
	}
	type line struct {
		Time     time.Time
		Msg, Key string
		Answered bool
	}
	answered, asked := map[string]time.Time{}, 0
	var asks []line
	files, err := filepath.Glob(filepath.Join(f.logs, "*.log"))
	if err != nil {
		f.t.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.t.Fatal(err)
		}
		for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
			var l line
			if json.Unmarshal(s.Bytes(), &l) != nil || l.Msg != "asked" {
				continue
			}
			if !l.Answered {
				asks, asked = append(asks, l), asked+1
			} else if at, ok := answered[l.Key]; !ok || l.Time.Before(at) {
				answered[l.Key] = l.Time
			}
		}
	}
	for _, l := range asks {
		// Two may ask the same at once; who looks before the other's answer is there may be slow to say so.
		if at, ok := answered[l.Key]; ok && l.Time.After(at.Add(3*time.Second)) {
			f.t.Errorf("%s was on record for %v when it was asked again", l.Key, l.Time.Sub(at))
		}
	}
	if asked == 0 {
		f.t.Error("the workers have asked nothing")
	}
	f.t.Logf("%d questions asked, %d answers", asked, len(answered))
}

// A network is one of its own for a worker, which can be cut.
type network struct {
	name, server, link string
}

// newNetwork makes one where that is possible.
func newNetwork(t *testing.T) network {
	n := network{name: fmt.Sprint("scrub", os.Getpid()), link: fmt.Sprint("scrub", os.Getpid()%100000)}
	net := fmt.Sprintf("10.%d.%d.", 200+os.Getpid()%50, os.Getpid()/50%256) // nobody else's, as far as one can know
	steps := []string{
		"netns add " + n.name,
		"link add " + n.link + " type veth peer name inside netns " + n.name,
		"addr add " + net + "1/30 dev " + n.link, "link set " + n.link + " up",
		"-n " + n.name + " addr add " + net + "2/30 dev inside", "-n " + n.name + " link set inside up",
	}
	t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", n.name).Run() })
	for _, s := range steps {
		if out, err := exec.Command("ip", strings.Fields(s)...).CombinedOutput(); err != nil {
			t.Logf("no network is cut: ip %s: %v %s", s, err, out)
			return network{}
		}
	}
	n.server = net + "1"
	return n
}

func (n network) cut(off bool) {
	if n.server == "" {
		return
	}
	state := "up"
	if off {
		state = "down"
	}
	_ = exec.Command("ip", "link", "set", n.link, state).Run()
}
