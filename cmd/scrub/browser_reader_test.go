//go:build unix

package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// forgeLogin is a GitHub that people log in with: whoever comes is rob.
func forgeLogin() *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/login/oauth/authorize", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		http.Redirect(w, r, q.Get("redirect_uri")+"?code=c&state="+q.Get("state"), http.StatusFound)
	})
	mux.HandleFunc("/login/oauth/access_token", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token": "t", "token_type": "bearer"}`)
	})
	mux.HandleFunc("/api/v3/user", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"login": "rob"}`)
	})
	return httptest.NewServer(mux)
}

// Somebody logs in on GitHub as a reader, sees what there is in their repository, is offered nothing to decide, and is
// refused when they ask all the same.
func TestBrowserOfAReader(t *testing.T) {
	chromium(t)
	elsewhere := forgeLogin()
	defer elsewhere.Close()
	forge := newGitHub()
	defer forge.Close()
	dir := t.TempDir()
	state := filepath.Join(dir, "scrub.db")
	env := append(os.Environ(), "HOME="+dir, "USER=ann", "GH_TOKEN="+canary, "GITHUB_API_URL="+forge.URL)
	cmd := exec.Command(scrub(t), "issue", "-q", "--state", state, "octo/snail#7", "--approve-clean")
	cmd.Env = env
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	accounts := filepath.Join(dir, "accounts.toml")
	for name, text := range map[string]string{accounts: "[github]\nissuer = \"" + elsewhere.URL +
		"\"\nclient_id = \"scrub\"\n" +
		"client_secret_file = \"secret\"\n[[role]]\nwho = \"rob\"\nrepo = \"octo/*\"\nrole = \"reader\"\n",
		filepath.Join(dir, "secret"): "s"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := serve(t, env, "--state", state, "--accounts", accounts)
	if text := p.text(".who"); !strings.HasPrefix(text, "rob") {
		t.Errorf("who came in: %s", text)
	}
	p.do("read a case", p.open("/cases"), chromedp.Click(`//table//a[contains(., "divides")]`),
		chromedp.WaitVisible(".verdict"))
	offered := read(p, "buttons", chromedp.Evaluate[string](`[...document.querySelectorAll("main button")].map(b => b.textContent).join()`))
	if offered != "" {
		t.Errorf("a reader is offered %s", offered)
	}
	p.look("reader")
	code := read(p, "decide all the same",
		chromedp.Evaluate[int](`fetch("/run", {method: "POST", headers: {"Content-Type": `+
			`"application/x-www-form-urlencoded"}, body: new URLSearchParams({token: document.querySelector("[name=token]").value, `+
			`case: document.body.dataset.case, do: "again"})}).then(r => r.status)`, chromedp.EvalAwaitPromise))
	if code != http.StatusForbidden {
		t.Errorf("a reader has a program run: %d", code)
	}
}
