package syntax_test

import (
	"testing"

	"scrub/internal/syntax/syntaxtest"
)

func TestPython(t *testing.T) { syntaxtest.Unittest(t, "python") }
