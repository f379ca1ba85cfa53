//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/runtimes/runtimestest"
)

// chromium is the browser of the tests, if there is one.
func chromium(t *testing.T) string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium here")
	return ""
}

// dangerous is a report whose program wants to delete something.
const dangerous = `---
repo: octo/snail
number: 9
title: "<img src=x onerror=alert(1)> Cleaning up fails"
author: eve
created: 2026-01-02
---
` + "```python\nimport shutil\nshutil.rmtree('/home/ann/nothing-here')\n```\n\n```\nTraceback (most recent call last):\n" +
	"FileNotFoundError: [Errno 2] No such file or directory: '/home/ann/nothing-here'\n```\n"

// A page is scrub serve, and a browser that looks at it.
type servedPage struct {
	context.Context
	t     *testing.T
	base  string
	shots string
	axe   string
}

// serve starts scrub serve and has a browser come in.
func serve(t *testing.T, env []string, args ...string) *servedPage {
	t.Helper()
	cmd := exec.Command(scrub(t), append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	cmd.Env = env
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	link, log := "", make([]byte, 0, 4096)
	for link == "" { // the test's own limit ends it
		n, err := out.Read(log[len(log):cap(log)])
		if err != nil {
			t.Fatalf("%v: %s", err, log)
		}
		log = log[:len(log)+n]
		if m := regexp.MustCompile(`(?:open|log in at) (http://\S+)\n`).FindSubmatch(log); m != nil {
			link = string(m[1])
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }() // until it ends
	t.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Logf("scrub serve: %v", err)
		}
	})
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(chromium(t)),
		chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.WindowSize(1400, 1000), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	allocator, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	p := &servedPage{Context: ctx, t: t, shots: os.Getenv("SCRUB_TEST_SHOTS")}
	base, _, oneTime := strings.Cut(link, "/enter")
	if p.base = base; !oneTime {
		link += "/login/begin"
	}
	if p.shots == "" {
		p.shots = t.TempDir()
	}
	if at := os.Getenv("SCRUB_TEST_AXE"); at != "" {
		text, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		p.axe = string(text)
	}
	if err := chromedp.Do(p); err != nil { // the browser lives as long as this context
		t.Fatal(err)
	}
	p.do("come in", chromedp.Navigate(strings.TrimSpace(link)), chromedp.WaitVisible(`nav[aria-label="Main"]`))
	return p
}

// ready is that keys decide something: not at once, since they may have been meant for the page before.
var ready = chromedp.WaitReady("body[data-ready]")

// patience only bounds what never happens: a loaded machine takes a tenth of it.
const patience = 3 * time.Minute

// do does something in the browser.
func (p *servedPage) do(what string, actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		at, _ := chromedp.Run(p, chromedp.Location()) // for the message alone
		text, _ := chromedp.Run(p, chromedp.Text("main"))
		p.t.Fatalf("%s: %v\nat %s:\n%s", what, err, at, text)
	}
}

// open goes to a page and asks it until it can be read. What the browser tells of its loading is no help on a busy
// machine: what was told before anybody listened is not told again.
func (p *servedPage) open(path string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("window.left = true")); err != nil {
			return err
		}
		if _, err := chromedp.Call(ctx, page.Navigate, page.NavigateParams{URL: p.base + path}); err != nil {
			return err
		}
		for {
			there, err := chromedp.Run(ctx, chromedp.Poll[bool](`!window.left && document.readyState !== "loading"`))
			if there || ctx.Err() != nil {
				return err // if not, the page was replaced while it was asked
			}
		}
	})
}

// read is what an action gives.
func read[T any](p *servedPage, what string, a chromedp.Action[T]) T {
	p.t.Helper()
	v, err := chromedp.Run(p, a)
	if err != nil {
		p.t.Fatalf("%s: %v", what, err)
	}
	return v
}

func (p *servedPage) text(selector string) string {
	p.t.Helper()
	return read(p, selector, chromedp.Text(selector))
}

// look checks that a page can be used by everybody, and takes pictures of it: wide and narrow, light and dark.
func (p *servedPage) look(name string) {
	p.t.Helper()
	for _, kind := range []struct {
		wide, high int64
		scheme     string
	}{{1400, 1000, "light"}, {1400, 1000, "dark"}, {390, 844, "light"}, {390, 844, "dark"}} {
		p.emulate(kind.wide, kind.high, kind.scheme)
		picture := read(p, "look at "+name, chromedp.FullScreenshot(90))
		file := fmt.Sprintf("%s-%d-%s.jpg", name, kind.wide, kind.scheme)
		if err := os.WriteFile(filepath.Join(p.shots, file), picture, 0o644); err != nil {
			p.t.Fatal(err)
		}
		if read(p, "measure "+name, chromedp.Evaluate[bool](
			`document.documentElement.scrollWidth > document.documentElement.clientWidth + 1`)) {
			p.t.Errorf("%s is wider than a window of %d", name, kind.wide)
		}
		p.violations(name + " " + kind.scheme)
	}
	p.emulate(1400, 1000, "light")
}

// emulate has the browser be of a size and a scheme of colours.
func (p *servedPage) emulate(wide, high int64, scheme string) {
	p.t.Helper()
	p.do("resize", chromedp.EmulateViewport(wide, high))
	_, err := chromedp.Call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	if err != nil {
		p.t.Fatal(err)
	}
}

// violations are what keeps people from using a page, by axe.
func (p *servedPage) violations(name string) {
	p.t.Helper()
	if p.axe == "" {
		return
	}
	read(p, "axe", chromedp.Evaluate[bool](p.axe+";true"))
	found := read(p, "ask axe", chromedp.Evaluate[string](`axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", `+
		`"wcag22aa", "best-practice"]}).then(r => JSON.stringify(r.violations.map(v => [v.id, v.nodes.map(n => `+
		`n.html.slice(0, 200))])))`, chromedp.EvalAwaitPromise))
	var all [][]json.RawMessage
	if err := json.Unmarshal([]byte(found), &all); err != nil {
		p.t.Fatal(err)
	}
	for _, v := range all {
		p.t.Errorf("%s: axe: %s", name, v)
	}
}

// Somebody opens the page, finds a report, lets a program run, watches a search, edits a comment, takes a decision
// back, agrees to several, and has it all written on GitHub.
func TestBrowser(t *testing.T) {
	chromium(t)
	forge := newGitHub()
	defer forge.Close()
	shelf := runtimestest.NewShelf("1.0", "1.1", "1.2", "1.3", "2.0")
	t.Cleanup(shelf.CloseClientConnections)
	dir := t.TempDir()
	state := filepath.Join(dir, "scrub.db")
	env := append(os.Environ(), "HOME="+dir, "USER=ann", "GH_TOKEN="+canary, "GITHUB_API_URL="+forge.URL,
		"PIP_INDEX_URL="+shelf.Index())
	report := filepath.Join(dir, "9.md")
	if err := os.WriteFile(report, []byte(dangerous), 0o644); err != nil {
		t.Fatal(err)
	}
	envs := filepath.Join(dir, "environments")
	for _, args := range [][]string{{"octo/snail#7", "--approve-clean"}, {"octo/snail#8", "--approve-clean", "--on",
		"1.0", "--environments", envs}, {report}} {
		cmd := exec.Command(scrub(t), append([]string{"issue", "-q", "--state", state}, args...)...)
		cmd.Env = env
		if text, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != 3 {
			t.Fatalf("%v: %s", err, text)
		}
	}
	p := serve(t, env, "--state", state, "--approve-clean", "--environments", envs)

	// Open, and go through the inbox with keys.
	if text := p.text("h1"); text != "Inbox: 3 cases" {
		t.Errorf("the inbox: %s", text)
	}
	first := p.text(`li[data-at]`)
	p.do("next", chromedp.KeyEvent("j"), chromedp.WaitVisible(`a[data-key="k"]`))
	second := p.text(`li[data-at]`)
	if first == second {
		t.Errorf("j stays at %s", first)
	}
	p.look("inbox")
	p.do("keys off", chromedp.Click("#keys"), chromedp.WaitVisible(`//button[contains(., "Turn keys on")]`),
		chromedp.KeyEvent("k"), chromedp.KeyEvent("/"), chromedp.Click("#keys"),
		chromedp.WaitVisible(`//button[contains(., "Turn keys off")]`))
	if text := p.text(`li[data-at]`); text != second {
		t.Errorf("a key that is switched off leads to %s", text)
	}

	// Find as you type: what is asked about is what is found, and a key that comes too soon decides nothing.
	p.do("find in the inbox", p.open("/inbox"), chromedp.SendKeys("#find", "divides"),
		chromedp.WaitNotPresent(`//ul//a[contains(., "Cleaning")]`))
	asked := read(p, "what is asked", chromedp.Evaluate[string](`[document.querySelector("h1").textContent, `+
		`document.querySelector("#found h2").textContent, document.querySelector("#list li[data-at]").textContent].join("|")`))
	if parts := strings.Split(asked, "|"); parts[0] != "Inbox: 1 case" || !strings.Contains(parts[2], parts[1]) {
		t.Errorf("found in the inbox: %s", asked)
	}

	// Find as you type: all that depends on it changes.
	p.do("find", p.open("/cases"), chromedp.SendKeys("#find", "cleaning"),
		chromedp.WaitNotPresent(`//table//a[contains(., "divides")]`))
	if text := p.text("#list"); !strings.Contains(text, "Cleaning up fails") || strings.Contains(text, "too slow") {
		t.Errorf("found: %s", text)
	}
	p.do("narrow down", p.open("/cases?verdict=reproduces"),
		chromedp.WaitVisible(`//table//a[contains(., "divides")]`))
	p.look("cases")

	// A program with findings: its danger is shown, and a key lets it run. What strangers write stays text.
	p.do("open the dangerous one", p.open("/cases"),
		chromedp.Click(`//table//a[contains(., "Cleaning up")]`), chromedp.WaitVisible(".line.danger"))
	p.look("case")
	images := read(p, "pictures", chromedp.Evaluate[int](`document.querySelectorAll("img").length`))
	if images != 0 {
		t.Error("a stranger's picture is in the page")
	}
	p.do("say no", ready, chromedp.KeyEvent("n"), chromedp.WaitVisible("#jobs"),
		chromedp.WaitVisible(`//p[contains(@class, "step")][contains(., "refused")]`))
	p.do("take it back, let it run, and watch", p.open("/cases"),
		chromedp.Click(`//table//a[contains(., "Cleaning up")]`),
		chromedp.WaitVisible(`//button[contains(., "Take that back")]`), ready, chromedp.KeyEvent("u"), chromedp.WaitVisible("#jobs"),
		chromedp.WaitVisible(`//p[contains(@class, "step")][contains(., "reproduces")]`))
	p.look("live")

	// A search through releases, watched while it goes on.
	p.do("which release?", p.open("/cases"), chromedp.Click(`//table//a[contains(., "too slow")]`),
		chromedp.Click(`button[value="when"]`),
		chromedp.WaitVisible("#jobs"))
	read(p, "watching", chromedp.Evaluate[int](`window.said = new Set(), new MutationObserver(() => {
			for (const one of document.querySelectorAll(".step")) said.add(one.textContent);
		}).observe(document.body, {subtree: true, childList: true, characterData: true}), 1`))
	p.do("to its end",
		chromedp.WaitVisible(`//article[contains(., "Search its releases")]//p[contains(@class, "step")][contains(., "fixed")]`))
	if n := read(p, "what was said meanwhile", chromedp.Evaluate[int](`said.size`)); n < 3 {
		t.Errorf("of the search %d things were said", n)
	}
	p.do("its strip", p.open("/case/of?ref=octo/snail%238"), chromedp.WaitVisible(".strip"))
	if text := p.text(".strip"); !strings.Contains(text, "1.3") || !strings.Contains(text, "2.0") {
		t.Errorf("the strip: %s", text)
	}
	p.look("versions")
	p.do("a square opens its run", chromedp.Click(`.strip li:last-child a`),
		chromedp.WaitVisible(`details[open] > div[id^="version-"]`))

	// Edit a comment, agree, and take that back.
	p.do("edit", p.open("/inbox?q=divides"), chromedp.WaitVisible(`[data-key="e"]`),
		chromedp.KeyEvent("e"), chromedp.WaitVisible("textarea"),
		chromedp.SetValue("textarea", "It still fails here."),
		chromedp.Click(`//button[contains(., "Propose these words")]`),
		chromedp.WaitVisible(`//pre[contains(., "It still fails here.")]`))
	p.do("agree", ready, chromedp.KeyEvent("y"), chromedp.WaitVisible(`button[data-key="u"]`))
	p.do("take it back", chromedp.KeyEvent("u"), chromedp.WaitVisible(`//div[@role="status"][contains(., "Taken back")]`),
		chromedp.WaitVisible(`//pre[contains(., "It still fails here.")]`))

	// Agree to all that is left, see the very requests, and have them sent.
	p.do("batch", p.open("/batch"), chromedp.WaitVisible(`//h1[contains(., "Agree to")]`))
	p.look("batch")
	p.do("agree to all", ready, chromedp.KeyEvent("y"),
		chromedp.WaitVisible(`//div[@role="status"][contains(., "yes:")]`))
	p.do("what would be sent", p.open("/apply"),
		chromedp.WaitVisible(`//pre[contains(., "POST /repos/octo/snail/issues/7/comments")]`))
	p.look("apply")
	p.do("send it", ready, chromedp.KeyEvent("y"), chromedp.WaitVisible("#jobs"),
		chromedp.WaitVisible(`//p[contains(@class, "step")][contains(., " done")]`))
	comments := forge.Issue(bug.Ref{Repo: "octo/snail", Number: 7}).Comments
	if len(comments) != 1 || !strings.HasPrefix(comments[0].Body, "It still fails here.") {
		t.Errorf("on the issue: %v", comments)
	}
	for _, path := range []string{"charts", "fleet", "queue", "audit"} {
		p.do(path, p.open("/"+path)) // which asks until it can be read: to wait as well hung once on a busy machine
		p.look(path)
	}
	p.do("search with a key", p.open("/cases"), chromedp.KeyEvent("/"),
		chromedp.KeyEvent("snail"))
	value := read(p, "what was typed", chromedp.Value("#find"))
	if strings.TrimPrefix(value, "/") != "snail" { // the driver sends the character besides the key
		t.Errorf("typed %q", value)
	}
	p.do("leave", chromedp.Click(`//button[contains(., "Log out")]`), chromedp.WaitVisible(`//h1[contains(., "Log in")]`))
}
