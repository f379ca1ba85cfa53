package syntax_test

import (
	"testing"

	"github.com/scrub-dev/scrub/internal/syntax/syntaxtest"
)

func TestPython(t *testing.T) { syntaxtest.Unittest(t, "python") }
