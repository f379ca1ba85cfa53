package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"scrub/internal/runtimes/runtimestest"
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
	// Every script has an index with snail 1.0 and 2.0, and no other.
	shelf := runtimestest.NewShelf("1.0", "2.0")
	t.Cleanup(shelf.CloseClientConnections)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Condition: func(cond string) (bool, error) {
			if cond != "venv" {
				return false, fmt.Errorf("unknown condition %s", cond)
			}
			return exec.Command("python3", "-c", "import ensurepip, venv").Run() == nil, nil
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("REPORTS", reports)
			env.Setenv("PIP_INDEX_URL", shelf.Index())
			env.Setenv("HOME", env.WorkDir+"/home")
			env.Setenv("XDG_STATE_HOME", env.WorkDir+"/state")
			env.Setenv("USER", "ann")
			return os.MkdirAll(env.WorkDir+"/home", 0o700)
		},
	})
}
