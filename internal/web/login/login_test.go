package login_test

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/scrub-dev/scrub/internal/web/door"
	"github.com/scrub-dev/scrub/internal/web/login"
)

// claims are what the provider of the tests says of somebody.
type claims struct {
	Issuer   string `json:"iss"`
	Audience string `json:"aud"`
	Subject  string `json:"sub"`
	Expires  int64  `json:"exp"`
	Nonce    string `json:"nonce"`
	Email    string `json:"email"`
	Verified bool   `json:"email_verified"`
}

// A provider knows ann. It can be told to lie.
type provider struct {
	*httptest.Server
	key       *rsa.PrivateKey
	lie       func(*claims)
	challenge string
	nonce     string
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &provider{key: key, lie: func(*claims) {}}
	answer := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(v); err != nil {
			t.Error(err)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]string{"issuer": p.URL, "authorization_endpoint": p.URL + "/login/oauth/authorize",
			"token_endpoint": p.URL + "/login/oauth/access_token", "jwks_uri": p.URL + "/keys"})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: &key.PublicKey, KeyID: "1", Algorithm: "RS256",
			Use: "sig"}}})
	})
	mux.HandleFunc("/login/oauth/authorize", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		p.challenge, p.nonce = q.Get("code_challenge"), q.Get("nonce")
		http.Redirect(w, r, q.Get("redirect_uri")+"?"+url.Values{"code": {"c"}, "state": {q.Get("state")}}.Encode(),
			http.StatusFound)
	})
	mux.HandleFunc("/login/oauth/access_token", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("code") != "c" || r.FormValue("code_verifier") == "" || p.challenge == "" {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		c := claims{p.URL, "scrub", "1", time.Now().Add(time.Hour).Unix(), p.nonce, "ann@example.org", true}
		p.lie(&c)
		s, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: p.key, KeyID: "1"}}, nil)
		if err != nil {
			t.Error(err)
		}
		id, err := jwt.Signed(s).Claims(c).Serialize()
		if err != nil {
			t.Error(err)
		}
		answer(w, map[string]string{"access_token": "t", "token_type": "Bearer", "id_token": id})
	})
	mux.HandleFunc("/api/v3/user", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer t" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		answer(w, map[string]string{"login": "ann"})
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

// accounts writes a file and reads it.
func accounts(t *testing.T, text string) (login.Accounts, error) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"accounts.toml": text, "secret": "s\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return login.Read(filepath.Join(dir, "accounts.toml"))
}

// page is a page that people log in to, and a browser.
func page(t *testing.T, a login.Accounts) (*httptest.Server, *door.Door, *http.Client) {
	t.Helper()
	d := &door.Door{Now: time.Now, Random: rand.Reader}
	l := &login.Login{Accounts: a, Door: d, Now: time.Now, Random: rand.Reader, Came: func(string) {},
		Failed: func(why string) { t.Log(why) }}
	mux := http.NewServeMux()
	mux.Handle("/login/", l)
	mux.HandleFunc("/who", func(w http.ResponseWriter, r *http.Request) {
		p, _, ok := d.Who(r)
		if !ok {
			http.Error(w, "nobody", http.StatusUnauthorized)
			return
		}
		_, _ = w.Write([]byte(p.Name + " " + p.In("octo/snail").String() + " " + p.In("octo/other").String()))
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	l.Public = s.URL
	if err := l.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, d, &http.Client{Jar: jar}
}

func get(t *testing.T, c *http.Client, address string) (int, string) {
	t.Helper()
	answer, err := c.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text := new(strings.Builder)
	buffer := make([]byte, 4096)
	n, _ := answer.Body.Read(buffer) // what there is of it
	text.Write(buffer[:n])
	return answer.StatusCode, text.String()
}

const roles = "\n[[role]]\nwho = \"ann*\"\nrepo = \"octo/snail\"\nrole = \"approver\"\n[[role]]\nwho = \"*\"\nrepo = \"octo/public\"\nrole = \"reader\"\n"

// An address that nobody has verified is nobody's, whichever way the file asks for it.
func TestUnverifiedAddresses(t *testing.T) {
	for _, name := range []string{"", "name = \"email\"\n"} {
		p := newProvider(t)
		p.lie = func(c *claims) { c.Verified = false }
		a, err := accounts(t,
			"[oidc]\nissuer = \""+p.URL+"\"\nclient_id = \"scrub\"\nclient_secret_file = \"secret\"\n"+name+roles)
		if err != nil {
			t.Fatal(err)
		}
		s, _, c := page(t, a)
		if code, text := get(t, c, s.URL+"/login/begin"); code == http.StatusOK && strings.Contains(text, "ann") {
			t.Errorf("%q: %d %s", name, code, text)
		}
		if code, text := get(t, c, s.URL+"/who"); code != http.StatusUnauthorized {
			t.Errorf("%q: %s came in", name, text)
		}
	}
}

// People who have an account elsewhere come in with the roles that the file gives them, and nobody else does.
func TestLogin(t *testing.T) {
	p := newProvider(t)
	for name, c := range map[string]struct {
		kind string
		lie  func(*claims)
		want string
	}{
		"OpenID Connect":        {"[oidc]\nissuer = %\n", func(*claims) {}, "ann@example.org approver none"},
		"GitHub":                {"[github]\nissuer = %\n", func(*claims) {}, "ann approver none"},
		"for another page":      {"[oidc]\nissuer = %\n", func(c *claims) { c.Audience = "other" }, ""},
		"of another provider":   {"[oidc]\nissuer = %\n", func(c *claims) { c.Issuer = "https://evil.example" }, ""},
		"of another login":      {"[oidc]\nissuer = %\n", func(c *claims) { c.Nonce = "x" }, ""},
		"too old":               {"[oidc]\nissuer = %\n", func(c *claims) { c.Expires = 1 }, ""},
		"an address unverified": {"[oidc]\nissuer = %\n", func(c *claims) { c.Verified = false }, ""},
		"nobody":                {"[oidc]\nissuer = %\n", func(c *claims) { c.Email = "" }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p.lie = c.lie
			a, err := accounts(t, strings.ReplaceAll(c.kind, "%",
				`"`+p.URL+`"`)+"client_id = \"scrub\"\nclient_secret_file = \"secret\"\n"+roles)
			if err != nil {
				t.Fatal(err)
			}
			s, _, browser := page(t, a)
			code, text := get(t, browser, s.URL+"/login/begin")
			who, said := get(t, browser, s.URL+"/who")
			if c.want == "" && (code != http.StatusForbidden || who != http.StatusUnauthorized) {
				t.Errorf("let in: %d %s, %s", code, text, said)
			}
			if c.want != "" && said != c.want {
				t.Errorf("%d %s: %s, want %s", code, text, said, c.want)
			}
		})
	}
}

// An answer that this browser has not asked for, asked for twice, or with another state lets nobody in.
func TestForgedLogins(t *testing.T) {
	p := newProvider(t)
	a, err := accounts(t, "[oidc]\nissuer = \""+p.URL+"\"\nclient_id = \"scrub\"\nclient_secret_file = \"secret\"\n"+roles)
	if err != nil {
		t.Fatal(err)
	}
	s, _, browser := page(t, a)
	if code, _ := get(t, browser, s.URL+"/login/back?code=c&state=x"); code != http.StatusForbidden {
		t.Errorf("nobody has gone to log in: %d", code)
	}
	stay := *browser
	stay.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := stay.Get(s.URL + "/login/begin")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	sent, err := url.Parse(answer.Header.Get("Location"))
	if err != nil || sent.Query().Get("code_challenge_method") != "S256" || sent.Query().Get("state") == "" ||
		sent.Query().Get("nonce") == "" {
		t.Fatalf("%v: %s", err, sent)
	}
	if code, _ := get(t, browser, s.URL+"/login/back?code=c&state=x"); code != http.StatusForbidden {
		t.Errorf("another state: %d", code)
	}
	if code, _ := get(t, browser, s.URL+"/login/back?code=c&state="+sent.Query().Get("state")); code != http.StatusForbidden {
		t.Errorf("the right state, after a wrong one: %d", code)
	}
	if code, _ := get(t, browser, s.URL+"/who"); code != http.StatusUnauthorized {
		t.Errorf("somebody is in: %d", code)
	}
}

// A file that says something wrong is not taken, with the reason.
func TestAccountsAreChecked(t *testing.T) {
	good := "[github]\nclient_id = \"x\"\nclient_secret_file = \"secret\"\n"
	for text, want := range map[string]string{
		"":   "want one of",
		good: "nobody has a role",
		good + "[[role]]\nwho = \"a\"\nrepo = \"*\"\nrole = \"king\"\n":                              "must be reader",
		good + "[[role]]\nwho = \"a\"\nrole = \"reader\"\n":                                          "want who and repo",
		good + "[[role]]\nwho = \"a\"\nrepo = \"*\"\nrole = \"reader\"\nsudo = true\n":               "sudo",
		good + roles + "[[token]]\nname = \"x\"\nsha256 = \"12\"\nrepo = \"*\"\nrole = \"reader\"\n": "64 digits",
		"[oidc]\nclient_id = \"x\"\nclient_secret_file = \"secret\"\n" + roles:                       "needs an issuer",
		"[github]\nclient_id = \"x\"\nclient_secret_file = \"gone\"\n" + roles:                       "client_secret_file",
	} {
		if _, err := accounts(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
