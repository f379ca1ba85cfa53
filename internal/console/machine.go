package console

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/machine"
)

// passes are the variables that programs which scrub starts outside a box may
// see: where things are, and how to reach the internet. No token is among them.
var passes = strings.Fields(`PATH HOME USER LOGNAME LANG LC_ALL LC_CTYPE TERM TMPDIR TZ SSL_CERT_FILE SSL_CERT_DIR
	HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy
	XDG_RUNTIME_DIR XDG_CACHE_HOME XDG_DATA_HOME XDG_CONFIG_HOME
	DOCKER_HOST DOCKER_CONTEXT CONTAINER_HOST CONDA_EXE CONDA_PREFIX CONDA_ENVS_PATH CONDA_ENVS_DIRS MAMBA_ROOT_PREFIX`)

// Variables are those of the environment that scrub reads.
var Variables = []struct{ Name, Says string }{
	{"GH_TOKEN, GITHUB_TOKEN", "the token for GitHub; without one, gh's login is used. No program ever sees it"},
	{"GH_HOST, GH_ENTERPRISE_TOKEN, GITHUB_ENTERPRISE_TOKEN", "the same for an Enterprise server"},
	{"GITHUB_API_URL", "the address of GitHub's API"},
	{"PIP_INDEX_URL, UV_INDEX_URL", "the package index (default: the one pip uses)"},
	{"VIRTUAL_ENV, CONDA_PREFIX, PYENV_VERSION", "the Python to use, if none is named"},
	{"XDG_STATE_HOME", "where the state file is, in scrub/scrub.db (default: ~/.local/state)"},
	{"SCRUB_TOKEN", "the token for the page that --server names"},
	{"XDG_CACHE_HOME", "where environments are built, in scrub/ (default: ~/.cache)"},
	{"USER, LOGNAME", "the name to record decisions under; --by comes first"},
	{"NO_COLOR", "no colours, whatever it is set to"},
	{"CI, TERM=dumb", "no live line and no layout: plain lines"},
	{"LC_ALL, LC_CTYPE, LANG", "whether the terminal shows more than ASCII"},
	{"PGPASSWORD and libpq's others", "how to reach the database of --state postgres://…"},
	{"OTEL_EXPORTER_OTLP_ENDPOINT and _HEADERS", "where a worker's spans go, as JSON over HTTP"},
}

// machine is what the environment says of where we are.
func (a *Console) machine() *machine.Machine {
	m := &machine.Machine{
		Home: a.home(), Venv: a.Getenv("VIRTUAL_ENV"), Conda: a.Getenv("CONDA_PREFIX"),
		Pyenv: a.Getenv("PYENV_VERSION"),
		Index: a.Getenv("UV_INDEX_URL"), GitHub: a.Getenv("GITHUB_API_URL"), Token: a.token, Now: a.Now,
		Tell: a.view().tell,
	}
	if m.Index == "" {
		m.Index = a.Getenv("PIP_INDEX_URL")
	}
	cache := a.Getenv("XDG_CACHE_HOME")
	if cache == "" {
		cache = filepath.Join(m.Home, ".cache")
	}
	m.Cache = filepath.Join(cache, "scrub")
	for _, name := range passes {
		if v := a.Getenv(name); v != "" {
			m.Env = append(m.Env, name+"="+v)
		}
	}
	return m
}

// token is who we are on a host: as the environment says, or as gh knows.
func (a *Console) token(ctx context.Context, host string) string {
	names := []string{"GH_TOKEN", "GITHUB_TOKEN"}
	if host != "" && host != bug.PublicHost {
		names = nil // anybody can make up a host; the token is for the one that was named
		if host == a.Getenv("GH_HOST") {
			names = []string{"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"}
		}
	}
	for _, n := range names {
		if t := a.Getenv(n); t != "" {
			return t
		}
	}
	if host == "" {
		host = bug.PublicHost
	}
	out, err := exec.CommandContext(ctx, "gh", "auth", "token", "--hostname", host).Output()
	if err != nil {
		return "" // anybody may read what is public
	}
	return strings.TrimSpace(string(out))
}
