package watched

import (
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/session"
)

// A reason is quoted without what is private or could be more than text.
func TestQuotes(t *testing.T) {
	for said, want := range map[string]string{
		"not on main": "not on main",
		"see /home/jo/secret.txt and /Users/ann/x":         "see ~/secret.txt and ~/x",
		"use C:\\Users\\jo\\a":                             "use ~\\a",
		"key sk-abc123def456ghi789jkl0 here":               "key … here",
		"mail jo@example.org":                              "mail …",
		"a\nb\x1b[31m|c`d`<script>x</script>[l](http://e)": "a b 31m c d script x /script l (http://e)",
		"\u202eevil": "evil",
		"":           "",
	} {
		if got := cleaned(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
	if got := cleaned(strings.Repeat("long ", 100)); len([]rune(got)) > longQuote+1 {
		t.Errorf("%d characters", len(got))
	}
	var all []session.Session
	for range 30 {
		all = append(all, session.Session{ID: "0123456789", Steps: []session.Step{
			{Kind: session.Ran, Command: "git push --force", Refused: true, Reason: "not now", Ended: bug.No, Line: 7},
			{Kind: session.Ran, Command: "ls", Reason: "no refusal"}}})
	}
	some := quotes(all)
	if len(some) != mostQuotes || some[0] != (Quote{"01234567", 7, "git push", "not now"}) {
		t.Errorf("%+v", some)
	}
	if text := quoted(some); !strings.Contains(text, "- `git push` (01234567:7): \"not now\"") {
		t.Error(text)
	}
}
