//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What a backlog of five hundred reports costs: with one worker and with two, and
// beside a plain loop over scrub issue. SCRUB_TEST_REPORTS names a folder of more
// reports, which are taken first.
func BenchmarkSweep(b *testing.B) {
	const reports, alone = 500, 60
	dir := many(b, reports)
	command := scrub(b)
	env := append(os.Environ(), "HOME="+b.TempDir(), "USER=ann", "GH_TOKEN=", "GITHUB_TOKEN=")
	var took [2]time.Duration
	for i, workers := range []string{"1", "2"} {
		state := filepath.Join(b.TempDir(), "scrub.db")
		began := time.Now()
		output(b, env, nil, command, "sweep", dir, "--approve-clean", "--no-groups", "--json", "--state", state,
			"--workers", workers)
		took[i] = time.Since(began)
	}
	some := b.TempDir() // the same reports both ways
	files := names(b, dir)
	for i := range alone {
		f := files[i*len(files)/alone]
		if err := os.Link(f, filepath.Join(some, filepath.Base(f))); err != nil {
			b.Fatal(err)
		}
	}
	began := time.Now()
	output(b, env, nil, command, "sweep", some, "--approve-clean", "--no-groups", "--json", "--workers", "1", "--state",
		filepath.Join(b.TempDir(), "scrub.db"))
	each := time.Since(began) / alone
	began = time.Now()
	state := filepath.Join(b.TempDir(), "scrub.db")
	for _, f := range names(b, some) {
		cmd := exec.Command(command, "issue", f, "--approve-clean", "--json", "--state", state)
		cmd.Env = env
		_ = cmd.Run() // one that waits for a person ends with 3
	}
	loop := time.Since(began) / alone
	fmt.Printf("%d reports: %.0f a minute with 1 worker, %.0f with 2 (%.2f times)\n", reports,
		reports/took[0].Minutes(), reports/took[1].Minutes(), took[0].Seconds()/took[1].Seconds())
	fmt.Printf("each: %v in a sweep, %v in a loop over scrub issue; the queue costs %v more\n",
		each.Round(time.Millisecond),
		loop.Round(time.Millisecond), (each - loop).Round(time.Millisecond))
}

// What five thousand jobs leave in memory.
func BenchmarkSweepMemory(b *testing.B) {
	dir := b.TempDir()
	file := filepath.Join(dir, "all.jsonl")
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, `{"number":%d,"url":"https://github.com/octo/snail/issues/%[1]d","title":"t","body":"nothing %[1]d"}`+"\n", i+1)
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(scrub(b), "sweep", file, "--steps", "run", "--approve-clean", "--state", filepath.Join(dir,
		"scrub.db"))
	cmd.Env = append(os.Environ(), "HOME="+b.TempDir(), "USER=ann", "GH_TOKEN=", "GITHUB_TOKEN=")
	lines, err := cmd.StderrPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	n, at := 0, map[int]string{}
	for s := bufio.NewScanner(lines); s.Scan(); {
		if n++; n%500 == 0 {
			at[n] = resident(cmd.Process.Pid)
		}
	}
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10
	fmt.Printf("%d reports, one or two jobs each: %s after 500, %s after 2500, %s after 5000; at most %d MiB\n", n,
		at[500],
		at[2500], at[5000], peak)
}

// resident is how much memory a process has.
func resident(pid int) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return "?"
	}
	for line := range strings.Lines(string(text)) {
		if kb, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			return strings.TrimSpace(kb)
		}
	}
	return "?"
}

// What groups spare.
func BenchmarkSweepGroups(b *testing.B) {
	with, without := groups(b, 100, 10)
	fmt.Printf("100 reports in 10 groups: %d questions with groups, %d without (%.1f times)\n", with, without,
		float64(without)/float64(with))
}

// many is a folder of reports.
func many(b *testing.B, n int) string {
	dir := backlog(b, n)
	from := os.Getenv("SCRUB_TEST_REPORTS")
	if from == "" {
		return dir
	}
	for i, f := range names(b, from) {
		if i == n/2 {
			break
		}
		text, err := os.ReadFile(f)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.md", i)), text, 0o600)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

func names(b *testing.B, dir string) []string {
	all, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		b.Fatal(err)
	}
	return all
}
