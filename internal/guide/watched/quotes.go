package watched

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/session"
)

// A Quote is what somebody said when they refused something, cleaned. It is for a person who reads the report, and goes
// nowhere else: agents would obey it.
type Quote struct {
	Session string `json:"session"`
	Line    int    `json:"line"`
	Command string `json:"command,omitempty"` // in a word or two
	Said    string `json:"said"`
}

// What is cut out of a quote: whose home something is in, whom it can be sent to, and whatever may be a key.
var (
	homes   = regexp.MustCompile(`(?i)(/home/|/users/|/root\b|[a-z]:\\+users\\+)[^\s/\\"'` + "`" + `]*`)
	mails   = regexp.MustCompile(`\S+@\S+`)
	keys    = regexp.MustCompile(`[A-Za-z0-9_+/=.~-]{20,}`)
	unplain = regexp.MustCompile("[^\\p{L}\\p{N}\\p{P} $+<=>^~…]|[`|\\[\\]<>]")
)

const (
	mostQuotes = 15
	longQuote  = 160
)

// cleaned is a text as a report may show it.
func cleaned(text string) string {
	text = homes.ReplaceAllString(text, "~")
	text = mails.ReplaceAllString(text, "…")
	text = keys.ReplaceAllStringFunc(text, func(s string) string {
		if strings.ContainsAny(s, "0123456789") {
			return "…"
		}
		return s
	})
	text = unplain.ReplaceAllString(bug.Squeeze(text), " ")
	return bug.Short(bug.Squeeze(text), longQuote)
}

// quotes are the last reasons that people gave.
func quotes(all []session.Session) []Quote {
	some := []Quote{}
	for i := len(all) - 1; i >= 0; i-- {
		for _, step := range all[i].Steps {
			if said := cleaned(step.Reason); step.Refused && said != "" && len(some) < mostQuotes {
				command := verb(step.Command)
				if !plainCommand.MatchString(command) {
					command = ""
				}
				id := sessionID.FindString(all[i].ID)
				some = append(some, Quote{id[:min(8, len(id))], step.Line, command, said})
			}
		}
	}
	return some
}

// quoted is a list of quotes.
func quoted(all []Quote) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("### Why people refused\n\nTheir words, shortened and cleaned; none of them goes into a file for agents.\n\n")
	for _, q := range all {
		what := "a call"
		if q.Command != "" {
			what = "`" + q.Command + "`"
		}
		fmt.Fprintf(&b, "- %s (%s:%d): \"%s\"\n", what, q.Session, q.Line, q.Said)
	}
	return b.String() + "\n"
}
