// Package login lets people in who have an account elsewhere: with OpenID Connect, or on GitHub.
package login

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/scrub-dev/scrub/internal/web/door"
)

// Accounts says who may come in, and what they may do.
type Accounts struct {
	OIDC   *Provider `toml:"oidc"`
	GitHub *Provider `toml:"github"`
	Role   []Role    `toml:"role"`
	Token  []Token   `toml:"token"`
}

// A Provider knows people.
type Provider struct {
	Issuer string `toml:"issuer"` // oidc: its address; github: of an Enterprise server, empty for GitHub
	Client string `toml:"client_id"`
	Secret string `toml:"client_secret_file"` // a file with the client's secret
	Name   string `toml:"name"`               // oidc: the claim that names a person; email
}

// A Role is given to people by their names, in repositories; * stands for anything.
type Role struct {
	Who  string `toml:"who"`
	Repo string `toml:"repo"`
	Role string `toml:"role"`
}

// A Token lets a program in.
type Token struct {
	Name   string `toml:"name"`
	SHA256 string `toml:"sha256"` // of the token
	Repo   string `toml:"repo"`
	Role   string `toml:"role"`
}

// Read reads accounts from a file. Secrets are read from the files it names, as seen from its folder.
func Read(file string) (Accounts, error) {
	var a Accounts
	text, err := os.ReadFile(file)
	if err != nil {
		return a, err
	}
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		return a, fmt.Errorf("%s: %w", file, explained(err))
	}
	if err := a.check(); err != nil {
		return a, fmt.Errorf("%s: %w", file, err)
	}
	for _, p := range []*Provider{a.OIDC, a.GitHub} {
		if p == nil {
			continue
		}
		if !filepath.IsAbs(p.Secret) {
			p.Secret = filepath.Join(filepath.Dir(file), p.Secret)
		}
		secret, err := os.ReadFile(p.Secret)
		if err != nil {
			return a, fmt.Errorf("%s: client_secret_file: %w", file, err)
		}
		p.Secret = strings.TrimSpace(string(secret))
	}
	return a, nil
}

// explained is an error of the decoder with the line that it is about.
func explained(err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		return errors.New(strict.String())
	}
	return err
}

func (a Accounts) check() error {
	switch {
	case (a.OIDC == nil) == (a.GitHub == nil):
		return errors.New("want one of [oidc] and [github]")
	case a.OIDC != nil && a.OIDC.Issuer == "":
		return errors.New("[oidc] needs an issuer")
	case len(a.Role) == 0:
		return errors.New("nobody has a role: add [[role]] with who, repo and role")
	}
	for _, p := range []*Provider{a.OIDC, a.GitHub} {
		if p != nil && (p.Client == "" || p.Secret == "") {
			return errors.New("client_id and client_secret_file are needed")
		}
	}
	for _, r := range a.Role {
		if _, err := door.ParseRole(r.Role); err != nil {
			return fmt.Errorf("role of %s: %w", r.Who, err)
		}
		if _, err := path.Match(r.Repo, "x/y"); err != nil || r.Who == "" || r.Repo == "" {
			return fmt.Errorf("role %s: want who and repo, as in \"octo/*\"", r.Role)
		}
	}
	for _, t := range a.Token {
		if _, err := door.ParseRole(t.Role); err != nil || len(t.SHA256) != 64 || t.Name == "" || t.Repo == "" {
			return fmt.Errorf("token %s: want name, sha256 of 64 digits, repo and role", t.Name)
		}
	}
	return nil
}

// Person is somebody with what they may do. Who has no role is nobody here.
func (a Accounts) Person(name string) (door.Person, bool) {
	p := door.Person{Name: name}
	for _, r := range a.Role {
		if ok, err := path.Match(r.Who, name); err != nil || !ok && r.Who != "*" {
			continue
		}
		role, err := door.ParseRole(r.Role)
		if err == nil {
			p.Grants = append(p.Grants, door.Grant{Repo: r.Repo, Role: role})
		}
	}
	return p, len(p.Grants) > 0 && name != ""
}

// Tokens are those of programs.
func (a Accounts) Tokens() []door.Token {
	var all []door.Token
	for _, t := range a.Token {
		if role, err := door.ParseRole(t.Role); err == nil {
			all = append(all, door.Token{Name: t.Name, SHA256: strings.ToLower(t.SHA256),
				Grants: []door.Grant{{Repo: t.Repo, Role: role}}})
		}
	}
	return all
}

// back is where people come back to.
func back(public string) string {
	u, err := url.JoinPath(public, "login", "back")
	if err != nil {
		return public + "/login/back"
	}
	return u
}
