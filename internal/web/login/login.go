package login

import (
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/scrub-dev/scrub/internal/web/door"
)

// A Login begins logging in elsewhere, and ends it here.
type Login struct {
	Accounts Accounts
	Door     *door.Door
	Public   string // the address of the page
	Now      func() time.Time
	Random   io.Reader
	// Came is told that somebody has come in; Failed why somebody has not.
	Came   func(who string)
	Failed func(why string)

	config oauth2.Config
	who    func(ctx context.Context, t *oauth2.Token, nonce string) (string, error)

	mu   sync.Mutex
	gone map[string]gone
}

// A gone is somebody who has gone to log in elsewhere.
type gone struct {
	state, nonce, verifier string
	until                  time.Time
}

const (
	cookie   = "scrub-login"
	patience = 10 * time.Minute
	mostGone = 10_000
)

// Begin asks the provider how it wants to be asked.
func (l *Login) Begin(ctx context.Context) error {
	if p := l.Accounts.GitHub; p != nil {
		base, api := "https://github.com", "https://api.github.com"
		if p.Issuer != "" {
			base, api = strings.TrimRight(p.Issuer, "/"), strings.TrimRight(p.Issuer, "/")+"/api/v3"
		}
		l.config = oauth2.Config{ClientID: p.Client, ClientSecret: p.Secret, RedirectURL: back(l.Public),
			Endpoint: oauth2.Endpoint{AuthURL: base + "/login/oauth/authorize", TokenURL: base + "/login/oauth/access_token"}}
		l.who = func(ctx context.Context, t *oauth2.Token, _ string) (string, error) {
			return l.onGitHub(ctx, t, api+"/user")
		}
		return nil
	}
	p := l.Accounts.OIDC
	provider, err := oidc.NewProvider(ctx, p.Issuer)
	if err != nil {
		return fmt.Errorf("ask %s how people log in: %w", p.Issuer, err)
	}
	l.config = oauth2.Config{ClientID: p.Client, ClientSecret: p.Secret, RedirectURL: back(l.Public),
		Endpoint: provider.Endpoint(),
		Scopes:   []string{oidc.ScopeOpenID, "email", "profile"}}
	verifier := provider.Verifier(&oidc.Config{ClientID: p.Client, Now: l.Now})
	l.who = func(ctx context.Context, t *oauth2.Token, nonce string) (string, error) {
		return l.byOIDC(ctx, verifier, t, nonce)
	}
	return nil
}

// ServeHTTP sends people away to log in, and takes them back.
func (l *Login) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !l.Door.MayAsk(r, door.Person{}) {
		http.Error(w, "too many requests", http.StatusTooManyRequests)
		return
	}
	switch r.URL.Path {
	case "/login/begin":
		if err := l.away(w, r); err != nil {
			l.Failed(err.Error())
			http.Error(w, "logging in could not begin; the log says why", http.StatusInternalServerError)
		}
	case "/login/back":
		who, err := l.back(w, r)
		if err != nil {
			l.Failed(err.Error())
			http.Error(w, "you could not be let in; the log says why", http.StatusForbidden)
			return
		}
		l.Came(who)
		// A redirect would be followed without the cookie that was just set, since it comes from elsewhere.
		w.Header().Set("Refresh", "0; url=/inbox")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<!doctype html><html lang="en"><title>Welcome</title><p><a href="/inbox">Go on</a></p></html>`)
	default:
		http.NotFound(w, r)
	}
}

func (l *Login) secret() (string, error) {
	b := make([]byte, 32)
	_, err := io.ReadFull(l.Random, b)
	return base64.RawURLEncoding.EncodeToString(b), err
}

// cookie is the name of the one that says who has gone. Another host of the same domain cannot set it.
func (l *Login) cookie() string {
	if l.Door.Secure {
		return "__Host-" + cookie + l.Door.Port
	}
	return cookie + l.Door.Port
}

// away remembers who goes and sends them.
func (l *Login) away(w http.ResponseWriter, r *http.Request) error {
	var all [3]string
	for i := range all {
		var err error
		if all[i], err = l.secret(); err != nil {
			return err
		}
	}
	name, g := all[0], gone{state: all[1], nonce: all[2], verifier: oauth2.GenerateVerifier(),
		until: l.Now().Add(patience)}
	l.mu.Lock()
	if l.gone == nil || len(l.gone) > mostGone {
		l.gone = map[string]gone{}
	}
	for k, v := range l.gone {
		if l.Now().After(v.until) {
			delete(l.gone, k)
		}
	}
	l.gone[name] = g
	l.mu.Unlock()
	// It must come along when the provider sends people back, so it cannot be strict; it is worth nothing by itself.
	http.SetCookie(w, &http.Cookie{Name: l.cookie(), Value: name, Path: "/", MaxAge: int(patience.Seconds()),
		HttpOnly: true,
		Secure:   l.Door.Secure, SameSite: http.SameSiteLaxMode})
	http.Redirect(w, r, l.config.AuthCodeURL(g.state, oidc.Nonce(g.nonce), oauth2.S256ChallengeOption(g.verifier)),
		http.StatusSeeOther)
	return nil
}

// back takes somebody back whom this browser has sent away.
func (l *Login) back(w http.ResponseWriter, r *http.Request) (string, error) {
	c, err := r.Cookie(l.cookie())
	if err != nil {
		return "", errors.New("nobody of this browser has gone to log in")
	}
	l.mu.Lock()
	g, ok := l.gone[c.Value]
	delete(l.gone, c.Value)
	l.mu.Unlock()
	q := r.URL.Query()
	switch {
	case !ok || l.Now().After(g.until):
		return "", errors.New("logging in took too long, or was done already")
	case subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(g.state)) != 1:
		return "", errors.New("the state is not the one that was sent")
	case q.Get("error") != "":
		return "", fmt.Errorf("the provider says %.200q", q.Get("error"))
	}
	ctx, cancel := context.WithTimeout(r.Context(), 30*time.Second)
	defer cancel()
	token, err := l.config.Exchange(ctx, q.Get("code"), oauth2.VerifierOption(g.verifier))
	if err != nil {
		return "", fmt.Errorf("exchange the code: %w", err)
	}
	name, err := l.who(ctx, token, g.nonce)
	if err != nil {
		return "", err
	}
	p, ok := l.Accounts.Person(name)
	if !ok || strings.HasPrefix(name, "token:") { // nobody decides under the name of a program
		return "", fmt.Errorf("%.100q has no role here", name)
	}
	l.Door.Leave(w, r)
	return name, l.Door.Begin(w, p)
}

// byOIDC is who a provider says somebody is.
func (l *Login) byOIDC(ctx context.Context, verifier *oidc.IDTokenVerifier, t *oauth2.Token, nonce string) (string,
	error) {
	raw, ok := t.Extra("id_token").(string)
	if !ok {
		return "", errors.New("the provider sent no ID token")
	}
	id, err := verifier.Verify(ctx, raw)
	if err != nil {
		return "", err
	}
	if subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(nonce)) != 1 {
		return "", errors.New("the ID token is for another login")
	}
	var claims map[string]json.RawMessage
	if err := id.Claims(&claims); err != nil {
		return "", err
	}
	claim, name := l.Accounts.OIDC.Name, ""
	if claim = cmp.Or(claim, "email"); claim == "email" { // anybody may claim an address that nobody has verified
		verified := false
		if err := json.Unmarshal(claims["email_verified"], &verified); err != nil || !verified {
			return "", errors.New("the provider has not verified the e-mail address")
		}
	}
	if err := json.Unmarshal(claims[claim], &name); err != nil || name == "" {
		return "", fmt.Errorf("the ID token has no %s", claim)
	}
	return name, nil
}

// onGitHub is who somebody is on GitHub.
func (l *Login) onGitHub(ctx context.Context, t *oauth2.Token, address string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	r.Header.Set("Accept", "application/vnd.github+json")
	answer, err := l.config.Client(ctx, t).Do(r)
	if err != nil {
		return "", fmt.Errorf("ask GitHub who that is: %w", err)
	}
	defer answer.Body.Close()
	var user struct {
		Login string `json:"login"`
	}
	err = json.NewDecoder(io.LimitReader(answer.Body, 1<<20)).Decode(&user)
	if answer.StatusCode != http.StatusOK || err != nil || user.Login == "" {
		return "", fmt.Errorf("GitHub does not say who that is: %s", answer.Status)
	}
	return user.Login, nil
}
