package minimize_test

import (
	"os"
	"testing"

	"github.com/scrub-dev/scrub/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}
