package mcp

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scrub-dev/scrub/internal/refusal"
	"github.com/scrub-dev/scrub/internal/report"
)

// An answer is what scrub says in words of its own, and apart from it what strangers wrote.
type answer struct {
	says []string // nothing of strangers in it
	data []quoted
	more string // where the rest is
	next string // what to do now
	// files are what else there is, for whoever asks for it. What they are called is a stranger's.
	files []quoted
}

// A quoted is a stranger's text.
type quoted struct {
	what string // in our words; of a file its name
	text string
	rest string // what stands behind it where all of it is given
}

// How long answers are. A token is about four bytes.
const (
	mostSaid   = 1200
	mostQuoted = 2400
)

// say adds a sentence of ours.
func (a *answer) say(form string, args ...any) { a.says = append(a.says, fmt.Sprintf(form, args...)) }

// quote adds a stranger's text, if there is one.
func (a *answer) quote(what, text string) {
	if strings.TrimSpace(text) != "" {
		a.data = append(a.data, quoted{what: what, text: text})
	}
}

// list adds rows that quote strangers: the first of them, and all where all of it is given.
func (a *answer) list(what string, rows []string) {
	n := min(mostListed, len(rows))
	a.quote(what, strings.Join(rows[:n], "\n"))
	if n < len(rows) {
		a.data[len(a.data)-1].rest = "\n" + strings.Join(rows[n:], "\n")
	}
}

// said is an answer as the protocol has it.
func (s *Server) said(a answer) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s.text(a)}}}
}

// whole is all of an answer, for whoever asks for the rest.
func (s *Server) whole(a answer) string {
	var b strings.Builder
	for _, one := range a.says {
		b.WriteString(one + "\n")
	}
	for _, q := range a.data {
		b.WriteString(s.data(q.what, clip(report.Clean(report.Homeless(q.text+q.rest)), mostResource)))
	}
	return b.String()
}

// cut reports whether an answer is longer than what is given of it.
func (a answer) cut() bool {
	said, room := 0, 0
	for _, one := range a.says {
		said += len(one)
	}
	for _, q := range a.data {
		room += len(q.text)
	}
	return said > mostSaid || room > mostQuoted || slices.ContainsFunc(a.data, func(q quoted) bool { return q.rest != "" })
}

// text is an answer within its length: a short one whole, of a long one as much as there is room for.
func (s *Server) text(a answer) string {
	var b strings.Builder
	for _, one := range a.says {
		if b.Len()+len(one) > mostSaid {
			b.WriteString("…\n")
			break
		}
		b.WriteString(one + "\n")
	}
	room := mostQuoted
	for i, q := range a.data {
		part := room / (len(a.data) - i)
		text := clip(report.Clean(report.Homeless(strings.TrimRight(q.text, "\n"))), part)
		room -= min(room, len(text))
		b.WriteString(s.data(q.what, text))
	}
	if a.more != "" {
		b.WriteString("all of it: " + a.more + "\n")
	}
	if a.next != "" {
		b.WriteString("next: " + a.next + "\n")
	}
	return b.String()
}

// data marks a stranger's text. Its mark is drawn anew for each server, so that no stranger can end it.
func (s *Server) data(what, text string) string {
	text = strings.ReplaceAll(text, s.mark, "")
	return fmt.Sprintf("<data %s: %s>\n%s\n</data %s>\n", s.mark, what, text, s.mark)
}

// clip is a text of at most so many bytes: its beginning and its end.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	head := strings.ToValidUTF8(text[:most*2/3], "")
	tail := strings.ToValidUTF8(text[len(text)-most/3:], "")
	return fmt.Sprintf("%s\n… %d bytes …\n%s", head, len(text)-len(head)-len(tail), tail)
}

// plain is what a word must be to stand among ours: a version, a name, a digest.
var plain = regexp.MustCompile(`^[A-Za-z0-9][\w.+/#:-]{0,79}$`)

// word is s if it can be nothing but a word.
func word(s string) string {
	if plain.MatchString(s) {
		return s
	}
	return "(not shown)"
}

// refused is an answer that is none: what to do next in our words, and why as data, since it may quote strangers.
func (s *Server) refused(err error) *mcp.CallToolResult {
	a := answer{}
	var no refusal.Refusal
	var w waiting
	switch {
	case errors.As(err, &w):
		return s.failed(w.answer())
	case errors.As(err, &no) && no.Kind == refusal.Undecided:
		a.say("waits: a person must decide first.")
		a.next = "tell the person who you work for; scrub serve shows what waits."
	case errors.As(err, &no) && no.Kind == refusal.Nothing:
		a.say("nothing: it was looked at, and there is nothing to give.")
		a.next = "read why; say that there is none, or ask for something else."
	case errors.As(err, &no):
		a.say("refused: the request makes no sense as it is.")
		a.next = "read why, and call again with other arguments."
	case errors.Is(err, context.DeadlineExceeded):
		a.say("not done: it took too long.")
		a.next = "call again: what was found out so far is kept."
	default:
		a.say("not done: scrub itself could not do this.")
		a.next = "call again, or tell the person who you work for."
	}
	a.quote("why", err.Error())
	return s.failed(a)
}

// answer is what an agent is told that must wait.
func (w waiting) answer() answer {
	var a answer
	a.say("waits: a person must agree before this program runs: found in it: %s.",
		strings.Join(slices.Compact(slices.Sorted(slices.Values(w.Classes))), ", "))
	a.say("program: %s", w.Digest)
	a.next = "ask the person who you work for to read it and to run: scrub decide " + w.Digest + " proceed — " +
		"then call again. Don't change the program to get around this."
	return a
}

func (s *Server) failed(a answer) *mcp.CallToolResult {
	r := s.said(a)
	r.IsError = true
	return r
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
