package runtimes

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/event"
	"github.com/scrub-dev/scrub/internal/runtimes/index"
)

// Old releases often do not say what they need, and cannot even be imported
// with what they ask for. What is missing then is installed if a later release
// says that it needs it.

//go:embed imports.py
var importer string

// mostMissing is how many packages are added to what a release asks for.
const mostMissing = 6

// complete installs what the package of spec needs to be imported and has not asked for.
func (w workshop) complete(ctx context.Context, spec Spec, install []string) error {
	var needs []string
	for range mostMissing {
		o, err := w.run(ctx, []string{inside(w.dir), "-I", "-c", importer, spec.Package})
		if err != nil {
			return err
		}
		_, missing, _ := strings.Cut(strings.TrimSpace(o.Stdout), "missing: ")
		if !module.MatchString(missing) {
			return nil // a package may fail to be imported for its own reasons, which its users see too
		}
		if needs == nil {
			needs, _ = w.e.Index.Requires(ctx, spec.Package) // an index that does not tell has told nothing for it
		}
		name := missing
		if known := DistributionOf(missing, w.e.Pythons); known != "" {
			name = known
		}
		if !slices.ContainsFunc(needs, func(n string) bool { return index.SamePackage(n, name) }) {
			return nil
		}
		w.e.tell(event.Going, "installing "+name+", which "+spec.String()+" needs and does not ask for")
		if err := w.step(ctx, spec, append(slices.Clip(install), name)); err != nil {
			return err
		}
	}
	return nil
}
