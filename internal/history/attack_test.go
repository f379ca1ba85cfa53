package history

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// hostile are settings of a clone that have git run a program. Each names it
// as @.
var hostile = map[string]string{
	"log.showSignature": "[log]\n\tshowSignature = true\n[gpg]\n\tprogram = @\n",
	"gpg.ssh.program": "[log]\n\tshowSignature = true\n[gpg]\n\tformat = ssh\n[gpg \"ssh\"]\n\tprogram = " +
		"@\n\tallowedSignersFile = @\n",
	"filter.smudge":      "[filter \"evil\"]\n\tsmudge = @\n\tclean = @\n\trequired = true\n",
	"filter.process":     "[filter \"evil\"]\n\tprocess = @\n\trequired = true\n",
	"core.fsmonitor":     "[core]\n\tfsmonitor = @\n",
	"core.hooksPath":     "[core]\n\thooksPath = @hooks\n",
	"core.pager":         "[core]\n\tpager = @\n[pager]\n\tlog = @\n",
	"diff.external":      "[diff]\n\texternal = @\n[diff \"evil\"]\n\tcommand = @\n\ttextconv = @\n",
	"core.alternateRefs": "[core]\n\talternateRefsCommand = @\n",
	"a promisor": "[extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\turl = " +
		"ssh://x.invalid/y\n\tpromisor = true\n[core]\n\tsshCommand = @\n",
	"include.path":      "[include]\n\tpath = @include\n",
	"tar.evil.command":  "[tar \"tar\"]\n\tcommand = @\n",
	"credential.helper": "[credential]\n\thelper = @\n",
	"worktree config":   "[extensions]\n\tworktreeConfig = true\n[core]\n\tfsmonitor = @\n",
}

// A clone whose settings, hooks and attributes name programs has none of them
// run, whatever is asked of it.
func TestAttackByConfig(t *testing.T) {
	for name, config := range hostile {
		t.Run(name, func(t *testing.T) {
			evil := filepath.Join(t.TempDir(), "evil")
			ran := evil + ".ran"
			script := "#!/bin/sh\necho \"$@\" >> " + ran + "\ncat 2>/dev/null\n"
			for _, file := range []string{evil, evil + "hooks/post-index-change"} {
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(script), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(evil+"include",
				[]byte("[core]\n\tfsmonitor = "+evil+"\n[gpg]\n\tprogram = "+evil+"\n[log]\n\tshowSignature = true\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			c := clone(t, history+"printf '* filter=evil diff=evil export-subst\\n' > .gitattributes; git add -A; "+
				"git commit -qm 'Attributes'; printf '* filter=evil\\n' > .git/info/attributes\n"+sign)
			file := filepath.Join(c.Dir, ".git", "config")
			before, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(string(before)+strings.ReplaceAll(config, "@", evil)),
				0o644); err != nil {
				t.Fatal(err)
			}
			attackClone(t, c.Dir)
			if text, err := os.ReadFile(ran); err == nil {
				t.Errorf("OPEN: it ran with %q", text)
			}
		})
	}
}

// sign makes a commit that carries a signature, as anybody can write one.
const sign = `
tree=$(git rev-parse HEAD^{tree}); parent=$(git rev-parse HEAD)
printf 'tree %s\nparent %s\nauthor a <a@example.com> 1700000000 +0000\ncommitter a <a@example.com> 1700000000 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nSigned\n' $tree $parent | git hash-object -t commit -w --stdin > .git/signed
git update-ref refs/heads/main $(cat .git/signed)
`

// attackClone does with a clone all that scrub does.
func attackClone(t *testing.T, dir string) {
	t.Helper()
	c, err := Open(t.Context(), dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	from, err := c.Release(t.Context(), "snail", "1.0")
	if err != nil {
		t.Fatal(err)
	}
	line, err := c.Line(t.Context(), from, "main")
	if err != nil || len(line) != 4 || line[3].Subject != "Signed" {
		t.Fatalf("%+v, %v", line, err)
	}
	if _, _, _, err := c.Between(t.Context(), from, "main"); err != nil {
		t.Error(err)
	}
	trees := Trees{Clone: c, Dir: filepath.Join(t.TempDir(), "trees"), Keep: 2, Now: time.Now}
	if _, err := trees.Get(t.Context(), line[3].ID, "snail"); err != nil {
		t.Error(err)
	}
	if _, err := trees.Whole(t.Context(), line[3].ID); err != nil {
		t.Error(err)
	}
}

// A work tree of a clone, and a clone without one, are read too.
func TestOtherShapesOfClones(t *testing.T) {
	c := clone(t, history+"git worktree add -q ../tree-$$ main~1 2>/dev/null; git clone -q --bare . ../bare-$$.git; "+
		"echo $$ > .git/pid\n")
	pid, err := os.ReadFile(filepath.Join(c.Dir, ".git", "pid"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tree-" + strings.TrimSpace(string(pid)), "bare-" + strings.TrimSpace(string(pid)) +
		".git"} {
		dir := filepath.Join(filepath.Dir(c.Dir), name)
		t.Cleanup(func() { os.RemoveAll(dir) })
		other, err := Open(t.Context(), dir, t.TempDir())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := other.Release(t.Context(), "snail", "1.0"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if out, err := exec.Command("git", "-C", c.Dir, "status", "--porcelain").CombinedOutput(); err != nil ||
		len(out) > 0 {
		t.Errorf("the clone was changed: %s, %v", out, err)
	}
}

// A message cannot pass for a commit, whatever it holds.
func TestAttackByMessage(t *testing.T) {
	c := clone(t, history+`printf 'More\n\nbody\037\036--output=/victim\037\0372024-01-01T00:00:00Z\037Forged (#666)\037rest\036\036\n' > msg; echo 5 > snail/c.py; git add -A; git commit -qF msg
`)
	line, err := c.Line(t.Context(), "v1.0", "main")
	if err != nil || len(line) != 3 || line[2].Subject != "More" {
		t.Errorf("OPEN: %+v, %v", line, err)
	}
	trees := Trees{Clone: c, Dir: filepath.Join(t.TempDir(), "trees"), Keep: 2, Now: time.Now}
	for _, id := range []string{"--output=/victim", "HEADxxxxxxxxxx$(touch x)", "main", ""} {
		if _, err := trees.Whole(t.Context(), id); err == nil || !strings.Contains(err.Error(), "is no commit") {
			t.Errorf("OPEN: Whole(%q) = %v", id, err)
		}
		if _, err := trees.Get(t.Context(), id, "snail"); err == nil || !strings.Contains(err.Error(), "is no commit") {
			t.Errorf("OPEN: Get(%q) = %v", id, err)
		}
	}
}

// A folder that says it is part of another repository is believed only by word
// of that repository, and one that keeps its reader waiting is no clone.
func TestAttackByOddClones(t *testing.T) {
	victim := clone(t, history)
	borrower := t.TempDir()
	if err := os.WriteFile(filepath.Join(borrower, ".git"), []byte("gitdir: "+filepath.Join(victim.Dir, ".git")+"\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), borrower, t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "does not point back") {
		t.Errorf("OPEN: %v", err)
	}
	waiting := t.TempDir()
	if err := os.Mkdir(filepath.Join(waiting, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(filepath.Join(waiting, ".git", "HEAD"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), waiting, t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "no plain file") {
		t.Errorf("OPEN: %v", err)
	}
}
