//go:build unix

package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Whoever tries the demo offline sees all its cases, says no to a failure, agrees to the rest and has it written into
// the folder; can read without JavaScript; and finds the page in order where it is exported, wrong or filled.
func TestBrowserOfTheDemo(t *testing.T) {
	chromium(t)
	t.Parallel()
	dir := t.TempDir()
	nowhere := "http://127.0.0.1:1"
	p := serve(t, append(os.Environ(), "HOME="+dir, "USER=ann", "TMPDIR="+dir, "GITHUB_API_URL="+nowhere,
		"PIP_INDEX_URL="+nowhere, "HTTPS_PROXY="+nowhere, "HTTP_PROXY="+nowhere, "NO_PROXY=127.0.0.1"), "--demo")
	p.do("all reports are done", p.open("/live"),
		chromedp.WaitVisible(`//article[contains(., "Sample reports")][contains(., "has ended")]`), p.open("/cases"),
		chromedp.WaitVisible("table"))
	if n := read(p, "cases", chromedp.Evaluate[int](`document.querySelectorAll("#list tbody tr").length`)); n < 10 {
		t.Errorf("%d cases in the demo", n)
	}
	p.look("demo")

	// Two tabs look at one case: what is decided in one is told in the other.
	proposes := read(p, "a case with a proposal", chromedp.Evaluate[string](`fetch("/api/v1/cases").then(r => r.json())`+
		`.then(l => l.rows.filter(r => (r.open || []).length)[0].case)`, chromedp.EvalAwaitPromise))
	other := p.another()
	other.do("the same case", other.open("/case/"+proposes), chromedp.WaitVisible(".verdict"),
		// A tab that nobody looks at listens to nothing, and a browser without windows shows one at a time.
		evaluate(`Object.defineProperty(document, "hidden", {value: false});`+
			`document.dispatchEvent(new Event("visibilitychange"))`),
		evaluate(`window.told = new Promise(r => new MutationObserver(() => { if (!document.querySelector("#news").hidden) `+
			`r(Date.now()) }).observe(document.querySelector("#news"), {attributes: true})); true`))
	p.do("agree", p.open("/case/"+proposes), ready, evaluate(`window.name = String(Date.now())`), chromedp.KeyEvent("y"),
		chromedp.WaitVisible(`//div[@role="status"][contains(., "yes:")]`))
	began := read(p, "when it was decided", chromedp.Evaluate[float64](`Number(window.name)`))
	heard := read(other, "when it was told", chromedp.Evaluate[float64](`window.told`, chromedp.EvalAwaitPromise))
	t.Logf("the other tab knew after %.0f ms", heard-began)

	p.do("agree to all that is left", p.open("/batch"), ready, chromedp.KeyEvent("y"),
		chromedp.WaitVisible(`//div[@role="status"][contains(., "yes:")]`), p.open("/apply"), ready, chromedp.KeyEvent("y"),
		chromedp.WaitVisible("#jobs"), chromedp.WaitVisible(`//p[contains(@class, "step")][contains(., " done")]`))
	written := 0
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.Contains(path, "/forge/") {
			text, err := os.ReadFile(path)
			written += strings.Count(string(text), "Measured by scrub")
			return err
		}
		return err
	})
	if err != nil || written == 0 {
		t.Errorf("%d comments were written into the folder, %v", written, err)
	}

	// The file that a case is exported to, what is not there, and where people come in.
	exported := read(p, "export", chromedp.Evaluate[string](`fetch("/case/`+proposes+`.html").then(r => r.text())`,
		chromedp.EvalAwaitPromise))
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, exported)
	}))
	t.Cleanup(elsewhere.Close)
	p.do("the exported file", chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		if _, err := chromedp.Call(ctx, page.Navigate, page.NavigateParams{URL: elsewhere.URL}); err != nil {
			return err
		}
		for ctx.Err() == nil { // its policy lets no script in, not even one that waits
			title, err := chromedp.Run(ctx, chromedp.Title())
			if err == nil && title != "" && !strings.Contains(title, "Inbox") {
				return nil
			}
		}
		return ctx.Err()
	}))
	p.look("exported")
	p.do("what is not there", p.open("/case/000000000000"), chromedp.WaitVisible("h1"))
	p.look("missing")
	p.do("the audit", p.open("/audit"), chromedp.WaitVisible(`//td[contains(., "ann")]`))

	// Without JavaScript all of it can be read and searched.
	p.scripts(false)
	for path, want := range map[string]string{"/cases?q=" + proposes[:4]: "table", "/inbox": "h1",
		"/case/" + proposes: ".verdict"} {
		p.do("without JavaScript: "+path, chromedp.Navigate(p.base+path), chromedp.WaitVisible(want))
	}
	p.scripts(true)
	p.do("log out", p.open("/cases"), chromedp.Click(`//button[contains(., "Log out")]`),
		chromedp.WaitVisible(`//h1[contains(., "Log in")]`))
	p.look("login")
}

// evaluate has the page do something.
func evaluate(text string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Run(ctx, chromedp.Evaluate[any](text))
		return err
	})
}

// another is a second tab of the same person.
func (p *servedPage) another() *servedPage {
	p.t.Helper()
	ctx, cancel := chromedp.NewContext(p.Context)
	p.t.Cleanup(cancel)
	o := *p
	o.Context = ctx
	if err := chromedp.Do(ctx); err != nil {
		p.t.Fatal(err)
	}
	return &o
}

// scripts has the browser run a page's JavaScript or not.
func (p *servedPage) scripts(run bool) {
	p.t.Helper()
	off := emulation.SetScriptExecutionDisabledParams{Value: !run}
	if _, err := chromedp.Call(p, emulation.SetScriptExecutionDisabled, off); err != nil {
		p.t.Fatal(err)
	}
}
