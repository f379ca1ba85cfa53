package minimize_test

import (
	"os"
	"testing"

	"scrub/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}
