package page

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/scrub-dev/scrub/internal/report"
	"github.com/scrub-dev/scrub/internal/vet"
)

// most is how much of a text is shown; all of it is in the JSON.
const (
	mostLines = 400
	mostWide  = 2000
	mostBytes = 13_000
)

// tokens are what stands out in Python: texts, notes, words of the language and numbers.
var tokens = regexp.MustCompile(`(?s)(?P<s>[rRbBfFuU]{0,2}(?:"""(?:\\.|[^\\])*?(?:"""|\z)|'''(?:\\.|[^\\])*?(?:'''|\z)|` +
	`"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))|(?P<c>#[^\n]*)|` +
	`(?P<k>\b(?:and|as|assert|async|await|break|class|continue|def|del|elif|else|except|False|finally|for|from|global|if|` +
	`import|in|is|lambda|None|nonlocal|not|or|pass|raise|return|True|try|while|with|yield)\b)|(?P<n>\b\d[\w.]*\b)`)

// A span is a piece of code of one kind.
type span struct{ kind, text string }

func spans(code string) []span {
	var all []span
	last := 0
	for _, m := range tokens.FindAllStringSubmatchIndex(code, -1) {
		if m[0] > last {
			all = append(all, span{"", code[last:m[0]]})
		}
		for i, name := range tokens.SubexpNames() {
			if i > 0 && m[2*i] >= 0 {
				all = append(all, span{name, code[m[0]:m[1]]})
			}
		}
		last = m[1]
	}
	return append(all, span{"", code[last:]})
}

// lines are the spans of each line.
func lines(code string) [][]span {
	all := [][]span{nil}
	found := spans(code)
	if len(found) > mostSpans {
		found = []span{{"", code}}
	}
	for _, s := range found {
		for i, part := range strings.Split(s.text, "\n") {
			if i > 0 {
				all = append(all, nil)
			}
			if part != "" {
				all[len(all)-1] = append(all[len(all)-1], span{s.kind, part})
			}
		}
	}
	return all
}

// mostAsked is how long a program may be that somebody is asked about: all of it is shown then.
const (
	mostAsked      = 200_000
	mostAskedLines = 4000
	mostSpans      = 20_000 // more are not coloured: every one has to be drawn
)

// askable reports whether a program can be shown whole.
func askable(code string) bool {
	return len(code) <= mostAsked && strings.Count(code, "\n") < mostAskedLines
}

// Tidy is what a run says, as a page may show it.
func Tidy(s string) string { return report.Clean(report.Homeless(short(s))) }

// program shows a program with its lines numbered, and what was found in it where it is. Of a long one only the
// beginning, the end and what was found are shown, unless all of it is asked for.
func program(code string, found []vet.Finding, label string, whole bool) g.Node {
	code = report.Clean(strings.TrimRight(code, "\n"))
	if !whole && len(code) > mostBytes {
		code = short(code)
	}
	var all []g.Node
	every := lines(code)
	for i, line := range every {
		marked := slices.ContainsFunc(found, func(f vet.Finding) bool { return f.Line == i+1 })
		if !whole && i >= mostLines/2 && i < len(every)-mostLines/2 && !marked {
			if i == mostLines/2 {
				all = append(all, h.Span(h.Class("line"), g.Text(fmt.Sprintf("… %d lines …", len(every)-mostLines))))
			}
			continue
		}
		var in, why []g.Node
		danger := false
		for _, f := range found {
			if f.Line == i+1 {
				danger = danger || f.Severity != vet.Note
				why = append(why, h.Span(h.Class("why"), textf("%s: %s (%s)", f.Severity, f.Says(), f.Name)))
			}
		}
		for _, s := range line {
			if s.kind == "" {
				in = append(in, g.Text(s.text))
			} else {
				in = append(in, h.Span(h.Class(s.kind), g.Text(s.text)))
			}
		}
		class := "line"
		if danger {
			class = "line danger"
		}
		all = append(all, h.Span(h.Class(class), h.I(g.Text(fmt.Sprint(i+1))), g.Group(in), g.Group(why)))
	}
	return h.Pre(h.TabIndex("0"), h.Role("region"), h.Aria("label", label), h.Code(g.Group(all)))
}

// output shows what a run has written.
func output(s, label string) g.Node {
	return h.Pre(h.Class("wrap"), h.TabIndex("0"), h.Role("region"), h.Aria("label", label),
		g.Text(Tidy(s)))
}

// exact shows what somebody agrees to: all of it, only with what nobody could see spelled out.
func exact(s, label string) g.Node {
	return h.Pre(h.Class("wrap"), h.TabIndex("0"), h.Role("region"), h.Aria("label", label), g.Text(report.Clean(s)))
}

// short is a text without what nobody reads: the middle of very many lines, the end of very long ones.
func short(s string) string {
	all := strings.Split(s, "\n")
	if n := len(all); n > mostLines {
		all = append(append(all[:mostLines/2:mostLines/2], fmt.Sprintf("… %d lines …", n-mostLines)), all[n-mostLines/2:]...)
	}
	for i, line := range all {
		if len(line) > mostWide {
			all[i] = strings.ToValidUTF8(line[:mostWide], "") + fmt.Sprintf(" … (%d more bytes)", len(line)-mostWide)
		}
	}
	s = strings.Join(all, "\n")
	if len(s) > mostBytes {
		return strings.ToValidUTF8(s[:mostBytes/2], "") + fmt.Sprintf("\n… %d bytes …\n", len(s)-mostBytes) +
			strings.ToValidUTF8(s[len(s)-mostBytes/2:], "")
	}
	return s
}
