package checkout

import (
	"testing"

	"github.com/scrub-dev/scrub/internal/cochange"
)

func TestDeedsOfNames(t *testing.T) {
	same := defined{classes: []string{"A"}, functions: []string{"f"}, gone: []string{"A", "f", "g"}}
	if got := same.deeds(); len(got) != 1 || got[0] != cochange.NoFunction {
		t.Errorf("%v", got)
	}
}
