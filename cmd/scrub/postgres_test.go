//go:build unix

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/store/storetest"
)

// A PostgreSQL database takes the place of the state file.
func TestStateInPostgreSQL(t *testing.T) {
	address := storetest.Server(t)
	env := append(os.Environ(), "HOME="+t.TempDir(), "USER=ann", "GH_TOKEN=", "GITHUB_TOKEN=")
	command := scrub(t)
	report := "../../testdata/reports/reproduces/report.json"
	output(t, env, nil, command, "issue", report, "--approve-clean", "--state", address)
	if out := output(t, env, nil, command, "cases", "--state", address); !strings.Contains(string(out), "reproduces") {
		t.Errorf("the case is not on record: %s", out)
	}
}
