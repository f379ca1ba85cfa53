package pipeline_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/culprit"
	"github.com/scrub-dev/scrub/internal/history"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
)

// forty makes a repository with forty versions of a package, each a commit.
const forty = `git init -q -b main .; git config commit.gpgsign false; mkdir slug
for n in $(seq 0 39); do echo "speed = $n" > slug/__init__.py; git add -A; git commit -qm "Version $n (#$n)"; git tag v$n.0; done`

// slow takes a while and fails on versions before the twenty-eighth.
const slow = "import slug\nn = 0\nfor i in range(6000000):\n    n += i\nassert slug.speed >= 27, 'too slow'\n"

// BenchmarkBisect says how long a search through forty versions takes that are
// all there, against as many runs as it has rounds, and against git bisect run
// doing the same work.
func BenchmarkBisect(b *testing.B) {
	if _, err := exec.LookPath("git"); err != nil {
		b.Skip("there is no git here")
	}
	dir := b.TempDir()
	shell := func(line string) {
		cmd := exec.Command("sh", "-ec", line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a",
			"GIT_COMMITTER_EMAIL=a@example.com")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	shell(forty)
	found, err := runtimes.Places{}.Find(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	clone, err := history.Open(b.Context(), dir, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	line, _, err := (history.Trees{Clone: clone, Dir: filepath.Join(b.TempDir(), "trees"),
		Now: time.Now}).Commits(b.Context(), "slug", "0.0", "39.0", found[0])
	if err != nil {
		b.Fatal(err)
	}
	for i := range line.Names {
		if _, _, _, err := line.Get(b.Context(), i); err != nil {
			b.Fatal(err)
		}
	}
	script := filepath.Join(b.TempDir(), "slow.py")
	if err := os.WriteFile(script, []byte(slow), 0o644); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p := bisecting(b, sandbox.Native{}, new(journal.Mem))
		p.Times = 1
		c := program()
		c.Repro.Files["repro.py"] = slow
		c.Symptom.Message = "too slow"
		began := time.Now()
		for _, i := range []int{line.Bad, line.Good} {
			r, setting, _, _ := line.Get(b.Context(), i)
			a, err := p.Box.Run(b.Context(), sandbox.Job{Repro: c.Repro, Runtime: r, Setting: setting})
			if err != nil {
				b.Fatal(err)
			}
			c.Asked = append(c.Asked, casefile.Asked{Runtime: r, Setting: setting, Tally: tally(c, a)})
		}
		one := time.Since(began) / 2
		began = time.Now()
		when, err := p.Bisect(b.Context(), c, culprit.Clue{}, line)
		if err != nil {
			b.Fatal(err)
		}
		took := time.Since(began)
		began = time.Now()
		shell(fmt.Sprintf("git bisect start --term-old broken --term-new fixed v39.0 v0.0 && git bisect run sh -c '! "+
			"PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. %s %s 2>/dev/null'; git bisect reset", found[0].Path, script))
		git := time.Since(began)
		rounds := when.Found.Rounds
		fmt.Printf("40 versions, 2 at once: %s\n  %d rounds, %.2f s; one run %.2f s; %.2f times rounds × one run\n  "+
			"git bisect run, bare: %.2f s, %.2f times as long\n",
			when.Words(), rounds, took.Seconds(), one.Seconds(), took.Seconds()/(float64(rounds)*one.Seconds()),
			git.Seconds(), git.Seconds()/took.Seconds())
	}
}
