package action_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/forge/githubtest"
)

// Labels that may be added are added in one request, and one that somebody says no to is not among them.
func TestLabelsAreAddedTogether(t *testing.T) {
	for _, c := range []struct {
		denied string
		want   []string
	}{{"", []string{"module: shell", "crash"}}, {"crash", []string{"module: shell"}}, {"module: shell", []string{"crash"}}} {
		w := newWorld(t, false)
		l := ledger(w.store, w.URL)
		if c.denied != "" {
			denied := action.Action{Kind: action.AddLabel, On: ref, Text: c.denied, Why: "seen"}
			if _, err := l.Decide(t.Context(), denied.ID(), action.Vote{By: "bob"}); err != nil {
				t.Fatal(err)
			}
		}
		var added [][]string
		w.Break(func(_ int, r *http.Request) githubtest.Fault {
			if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/labels") {
				return githubtest.Fault{}
			}
			var body struct{ Labels []string }
			sent, err := io.ReadAll(r.Body)
			if err = errors.Join(err, json.Unmarshal(sent, &body)); err != nil {
				t.Error(err)
			}
			added = append(added, body.Labels)
			return githubtest.Fault{}
		})
		if err := w.apply(t); err != nil {
			t.Fatal(err)
		}
		if len(added) != 2 || !slices.Equal(added[0], c.want) { // the other one renews a label
			t.Errorf("denied %q: added %q, want %q", c.denied, added, c.want)
		}
		w.end()
	}
}
