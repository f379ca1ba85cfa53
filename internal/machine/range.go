package machine

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/runtimes"
)

// A Range is the versions to search, and which of them are known to be affected
// or not.
type Range struct {
	Bad    string `json:"bad,omitempty"`      // a version that shows it
	Good   string `json:"good,omitempty"`     // a version that does not
	Within string `json:"versions,omitempty"` // A..B, A.. or ..B; with a command a list
	Folder string `json:"folder,omitempty"`   // of environments that have versions of the package
	Conda  string `json:"conda,omitempty"`    // environments that have them, as in pytorch-{version}
}

// Releases is the line of releases in a range.
func Releases(ctx context.Context, envs *runtimes.Environments,
	r Range, v Versions) (runtimes.Spec, runtimes.Line, error) {
	from, to, ok := strings.Cut(r.Within, "..")
	if r.Within != "" && !ok {
		return runtimes.Spec{}, runtimes.Line{}, refusal.Bad("--versions must be A..B, A.. or ..B")
	}
	if err := r.days(ctx, envs, v.Package, &r.Bad, &r.Good, &from, &to); err != nil {
		return runtimes.Spec{}, runtimes.Line{}, err
	}
	if r.Within == "" && (runtimes.Early(r.Bad) || runtimes.Early(r.Good)) {
		// Builds of a night are searched among only where one is named, and then between the two ends.
		if from, to = r.Good, r.Bad; from != "" && to != "" && bug.CompareVersions(from, to) > 0 {
			from, to = to, from
		}
	}
	spec := runtimes.Spec{Package: v.Package, With: v.Install}
	line, err := r.line(ctx, envs, spec, from, to)
	if err != nil {
		return spec, line, err
	}
	for _, end := range []struct {
		said string
		at   *int
	}{{r.Bad, &line.Bad}, {r.Good, &line.Good}} {
		if end.said == "" {
			continue
		}
		if *end.at = slices.IndexFunc(line.Names,
			func(n string) bool { return bug.CompareVersions(n, end.said) == 0 }); *end.at < 0 {
			return spec, line, refusal.Bad("%s is not a release of %s that can be built here; available: %s", end.said,
				spec.Package, strings.Join(line.Names, ", "))
		}
	}
	if r.Folder != "" || r.Conda != "" {
		return spec, line, nil
	}
	oldest := 0
	if r.Bad != "" && r.Good != "" {
		oldest = min(line.Bad, line.Good)
	}
	// All on one Python, as far as they run on it: what differs is then theirs.
	spec.Version = line.Names[oldest]
	alike := envs.Alike(ctx, spec)
	said := [2]int{line.Bad, line.Good}
	line, err = envs.Line(ctx, alike[0], from, to)
	line.Bad, line.Good = said[0], said[1]
	return alike[0], line, err
}

// days has days stand for what was built until then.
func (r Range) days(ctx context.Context, envs *runtimes.Environments, pkg string, ends ...*string) error {
	for _, end := range ends {
		day, err := time.Parse(time.DateOnly, *end)
		if err != nil || r.Folder != "" || r.Conda != "" {
			continue
		}
		if *end, err = envs.OfDay(ctx, pkg, day); err != nil {
			return err
		}
	}
	return nil
}

// line is the versions to look through.
func (r Range) line(ctx context.Context, envs *runtimes.Environments, spec runtimes.Spec,
	from, to string) (runtimes.Line, error) {
	var all []bug.Runtime
	var err error
	switch {
	case r.Folder != "":
		all, err = envs.Places.InFolder(ctx, r.Folder, spec.Package)
	case r.Conda != "":
		all, err = envs.Places.OfConda(ctx, r.Conda, spec.Package)
	default:
		return envs.Line(ctx, spec, from, to)
	}
	if err != nil {
		return runtimes.Line{}, err
	}
	return runtimes.Interpreters(spec.Package, all)
}
