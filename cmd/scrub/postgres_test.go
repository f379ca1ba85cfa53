package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"scrub/internal/store/storetest"
)

// A PostgreSQL database takes the place of the state file.
func TestStateInPostgreSQL(t *testing.T) {
	address := storetest.Server(t)
	env := append(os.Environ(), "HOME="+t.TempDir(), "USER=ann", "GH_TOKEN=", "GITHUB_TOKEN=")
	command := scrub(t)
	report := "../../testdata/reports/reproduces/report.json"
	for began := false; !began; { // it is not up at once, and says so
		cmd := exec.CommandContext(t.Context(), command, "cases", "--state", address)
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		began = err == nil
		if err != nil && !strings.Contains(string(out), "connect") && !strings.Contains(string(out), "starting up") {
			t.Fatalf("%v: %s", err, out)
		}
	}
	output(t, env, nil, command, "issue", report, "--approve-clean", "--state", address)
	if out := output(t, env, nil, command, "cases", "--state", address); !strings.Contains(string(out), "reproduces") {
		t.Errorf("the case is not on record: %s", out)
	}
}
