package mcp

import (
	"reflect"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/explained"
	"github.com/scrub-dev/scrub/internal/desk/fixed"
	"github.com/scrub-dev/scrub/internal/desk/guessed"
	"github.com/scrub-dev/scrub/internal/desk/tested"
)

// fields collects what the fields of a type are called in JSON, those of its parts included.
func fields(of reflect.Type, into map[string]reflect.Kind, deep int) {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct || deep > 3 {
		return
	}
	for i := range of.NumField() {
		f := of.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			into[name] = f.Type.Kind()
		}
		fields(f.Type, into, deep+1)
	}
}

// What an agent can ask is what the desk can be asked, under the same names: a request that is renamed, or gone, is
// noticed here. An agent can ask less, since interpreters, servers and folders are a person's to choose.
func TestToolsAskWhatTheDeskIsAsked(t *testing.T) {
	// A program's text, a bound in minutes, a work tree below an allowed folder.
	own := map[string]bool{"program": true, "minutes": true, "checkout": true}
	for _, one := range []struct{ tool, desk reflect.Type }{
		{reflect.TypeFor[issueRequest](), reflect.TypeFor[desk.IssueRequest]()},
		{reflect.TypeFor[program](), reflect.TypeFor[desk.RunRequest]()},
		{reflect.TypeFor[minimizeRequest](), reflect.TypeFor[desk.MinimizeRequest]()},
		{reflect.TypeFor[bisectRequest](), reflect.TypeFor[desk.BisectRequest]()},
		{reflect.TypeFor[logsRequest](), reflect.TypeFor[explained.LogsRequest]()},
		{reflect.TypeFor[classifyRequest](), reflect.TypeFor[desk.ClassifyRequest]()},
		{reflect.TypeFor[testRequest](), reflect.TypeFor[tested.Request]()},
		{reflect.TypeFor[fixRequest](), reflect.TypeFor[fixed.Request]()},
		{reflect.TypeFor[guessRequest](), reflect.TypeFor[guessed.Request]()},
		{reflect.TypeFor[vetRequest](), reflect.TypeFor[desk.VetRequest]()},
		{reflect.TypeFor[actionsRequest](), reflect.TypeFor[desk.ActionsRequest]()},
	} {
		asks, knows := map[string]reflect.Kind{}, map[string]reflect.Kind{}
		fields(one.tool, asks, 0)
		fields(one.desk, knows, 0)
		for name, kind := range asks {
			if _, ok := knows[name]; !ok && !own[name] {
				t.Errorf("%s: %s (%s) is nothing that %s has", one.tool, name, kind, one.desk)
			}
		}
	}
}
