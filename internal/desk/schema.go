package desk

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"scrub/internal/bug"
)

// answers are all there are, by the name of their schema.
var answers = map[string]reflect.Type{
	"action/1":       reflect.TypeFor[Action](),
	"ablate/1":       reflect.TypeFor[Ablated](),
	"bisect/1":       reflect.TypeFor[Bisected](),
	"case/1":         reflect.TypeFor[Case](),
	"cases/1":        reflect.TypeFor[Row](),
	"classify/1":     reflect.TypeFor[Classified](),
	"decision/1":     reflect.TypeFor[Decision](),
	"doctor/1":       reflect.TypeFor[Check](),
	"logs/1":         reflect.TypeFor[Logs](),
	"minimize/1":     reflect.TypeFor[Minimized](),
	"profile/1":      reflect.TypeFor[Profile](),
	"prune/1":        reflect.TypeFor[Pruned](),
	"regress/1":      reflect.TypeFor[Regression](),
	"run/1":          reflect.TypeFor[Run](),
	"subscription/1": reflect.TypeFor[Subscription](),
	"triage/1":       reflect.TypeFor[Triaged](),
	"vet/1":          reflect.TypeFor[Vetted](),
}

// SchemaNames are the names of all answers.
func SchemaNames() []string {
	var all []string
	for name := range answers {
		all = append(all, strings.Split(name, "/")[0])
	}
	slices.Sort(all)
	return all
}

// Schema is the JSON Schema of an answer, made from its type.
func Schema(name string) ([]byte, error) {
	for full, t := range answers {
		if short, _, _ := strings.Cut(full, "/"); short != name && full != name {
			continue
		}
		text := &jsonschema.Schema{Type: "string"}
		s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
			reflect.TypeFor[time.Time]():  {Type: "string", Format: "date-time"},
			reflect.TypeFor[bug.Answer](): text,
		}})
		if err != nil {
			return nil, err
		}
		s.Schema, s.Title = "https://json-schema.org/draft/2020-12/schema", "scrub "+full
		return JSON(s)
	}
	return nil, fmt.Errorf("%q is no answer; there are %s", name, strings.Join(SchemaNames(), ", "))
}
