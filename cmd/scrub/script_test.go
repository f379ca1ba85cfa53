package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"scrub/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	testscript.Main(m, map[string]func(){"scrub": main})
}

// Each script has a home and a state file of its own, and the reports of
// testdata/reports under $REPORTS.
func TestScript(t *testing.T) {
	reports, err := filepath.Abs("../../testdata/reports")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("REPORTS", reports)
			env.Setenv("HOME", env.WorkDir+"/home")
			env.Setenv("XDG_STATE_HOME", env.WorkDir+"/state")
			env.Setenv("USER", "ann")
			return os.MkdirAll(env.WorkDir+"/home", 0o700)
		},
	})
}
