package web_test

import (
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/remote"
)

// What is asked of a page from elsewhere is answered as here, for what the token may see and do.
func TestAskedFromElsewhere(t *testing.T) {
	w := newWorld(t)
	id, actions := w.put("octo/snail", 7, casefile.Reproduces)
	w.put("octo/slug", 8, casefile.Fixed)
	robot, deputy := remote.Client{URL: w.URL, Token: apiToken}, remote.Client{URL: w.URL + "/", Token: approveToken}
	ctx := t.Context()
	rows, err := robot.Cases(ctx)
	if err != nil || len(rows) != 1 || rows[0].ID != id || rows[0].Verdict != "reproduces" {
		t.Errorf("cases: %v, %v", rows, err)
	}
	for _, name := range []string{id, id[:6], "octo/snail#7"} {
		if c, err := robot.Case(ctx, name); err != nil || c.ID != id || c.Verdict != casefile.Reproduces {
			t.Errorf("case %s: %v, %v", name, c.ID, err)
		}
	}
	if _, err := robot.Case(ctx, "octo/slug#8"); err == nil {
		t.Error("a case of another repository")
	}
	for _, on := range []string{"", "octo/snail#7"} {
		if all, err := robot.Actions(ctx, desk.ActionsRequest{On: on}); err != nil || len(all) != 2 {
			t.Errorf("actions on %q: %v, %v", on, all, err)
		}
	}
	yes := func() desk.ConsentRequest {
		return desk.ConsentRequest{IDs: []string{actions[0].ID()[:12]}, Yes: true, By: "somebody else"}
	}
	if _, err := robot.Consent(ctx, yes()); err == nil || !strings.Contains(err.Error(), "you may not do this") {
		t.Errorf("a reader's token agrees: %v", err)
	}
	all, err := deputy.Consent(ctx, yes())
	if err != nil || len(all) != 1 || all[0].Status != action.Approved || all[0].Decisions[0].By != "token:deputy" {
		t.Errorf("agreed: %v, %v", all, err)
	}
	for _, c := range []struct {
		client remote.Client
		want   string
	}{{remote.Client{URL: w.URL}, "SCRUB_TOKEN"}, {remote.Client{URL: "snail", Token: "x"}, "want an address"},
		{remote.Client{URL: w.URL, Token: "x"}, "send a token"}} {
		if _, err := c.client.Cases(ctx); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.client, err, c.want)
		}
	}
}
