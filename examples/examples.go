// Package examples has sample reports, as people write them.
package examples

import "embed"

// Reports are those that need nothing but a Python.
//
//go:embed exception.md wrong-result.md crash.md flaky.md passes.md different-error.md dangerous.md
//go:embed missing-package.md screenshot.md feature.md
var Reports embed.FS

// Names are the reports in the order in which they are best read.
var Names = []string{"exception.md", "wrong-result.md", "crash.md", "flaky.md", "passes.md", "different-error.md",
	"dangerous.md", "missing-package.md", "screenshot.md", "feature.md"}
