// Package schema describes what scrub answers, as JSON Schema made from the types.
package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/scrub-dev/scrub/internal/bisect"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/applied"
	"github.com/scrub-dev/scrub/internal/desk/browsed"
	"github.com/scrub-dev/scrub/internal/desk/duplicated"
	"github.com/scrub-dev/scrub/internal/desk/explained"
	"github.com/scrub-dev/scrub/internal/desk/fixed"
	"github.com/scrub-dev/scrub/internal/desk/guessed"
	"github.com/scrub-dev/scrub/internal/desk/surveyed"
	"github.com/scrub-dev/scrub/internal/desk/swept"
	"github.com/scrub-dev/scrub/internal/desk/tested"
	"github.com/scrub-dev/scrub/internal/guide"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/replay"
	"github.com/scrub-dev/scrub/internal/report"
	"github.com/scrub-dev/scrub/internal/sweep"
)

// answers are all there are, by the name of their schema.
var answers = map[string]reflect.Type{
	"action/1":       reflect.TypeFor[desk.Action](),
	"ablate/1":       reflect.TypeFor[desk.Ablated](),
	"backlog/1":      reflect.TypeFor[report.Backlog](),
	"bisect/1":       reflect.TypeFor[desk.Bisected](),
	"case/1":         reflect.TypeFor[desk.Case](),
	"cases/1":        reflect.TypeFor[desk.Row](),
	"check-fix/1":    reflect.TypeFor[fixed.Checked](),
	"classify/1":     reflect.TypeFor[desk.Classified](),
	"decision/1":     reflect.TypeFor[desk.Decision](),
	"digest/1":       reflect.TypeFor[sweep.Digest](),
	"doctor/1":       reflect.TypeFor[desk.Check](),
	"guess/1":        reflect.TypeFor[guessed.Guessed](),
	"guide/1":        reflect.TypeFor[guide.Guide](),
	"guide-check/1":  reflect.TypeFor[guide.Checked](),
	"guide-replay/1": reflect.TypeFor[replay.Sum](),
	"guide-hint/1":   reflect.TypeFor[guide.Hint](),
	"duplicates/1":   reflect.TypeFor[duplicated.Found](),
	"listing/1":      reflect.TypeFor[browsed.Listing](),
	"logs/1":         reflect.TypeFor[explained.Logs](),
	"minimize/1":     reflect.TypeFor[desk.Minimized](),
	"profile/1":      reflect.TypeFor[desk.Profile](),
	"prune/1":        reflect.TypeFor[desk.Pruned](),
	"regress/1":      reflect.TypeFor[tested.Regression](),
	"run/1":          reflect.TypeFor[desk.Run](),
	"serve/1":        reflect.TypeFor[browsed.Served](),
	"stats/1":        reflect.TypeFor[swept.Stats](),
	"sweep/1":        reflect.TypeFor[swept.Progress](),
	"survey/1":       reflect.TypeFor[surveyed.Survey](),
	"subscription/1": reflect.TypeFor[applied.Subscription](),
	"triage/1":       reflect.TypeFor[desk.Triaged](),
	"vet/1":          reflect.TypeFor[desk.Vetted](),
}

// Names are the names of all answers.
func Names() []string {
	var all []string
	for name := range answers {
		all = append(all, strings.Split(name, "/")[0])
	}
	slices.Sort(all)
	return all
}

// For is the JSON Schema of a type: of an answer, or of a request.
func For(t reflect.Type) (*jsonschema.Schema, error) {
	return jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[time.Time]():        {Type: "string", Format: "date-time"},
		reflect.TypeFor[bug.Answer]():       {Type: "string"},
		reflect.TypeFor[profile.Duration](): {Type: "string", Description: "as in 90s or 5m"},
		// By the number of a version, which JSON writes as text.
		reflect.TypeFor[map[int]bisect.Known](): {Type: "object"},
	}})
}

// Of is the JSON Schema of an answer, made from its type.
func Of(name string) ([]byte, error) {
	for full, t := range answers {
		if short, _, _ := strings.Cut(full, "/"); short != name && full != name {
			continue
		}
		s, err := For(t)
		if err != nil {
			return nil, err
		}
		s.Schema, s.Title = "https://json-schema.org/draft/2020-12/schema", "scrub "+full
		return desk.JSON(s)
	}
	return nil, fmt.Errorf("there is no schema %q; the schemas are %s", name, strings.Join(Names(), ", "))
}
