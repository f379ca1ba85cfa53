// Package mention looks for what was observed in the words of a report, and
// says how strongly it is mentioned there, and whether as complaint or as wish.
package mention

import (
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/observe"
)

// Words is a report, ready to be searched.
type Words struct {
	units    []unit
	pieces   []intake.Piece
	programs string // the tokens of all programs, between blanks
}

// A unit is a piece of the words that says one thing.
type unit struct {
	kind   kind
	text   string
	around string // inline code: the sentence it stands in
	piece  int    // of the report
	cell   int    // output and comment: the piece of the program it belongs to; -1 for none
	tokens []string
	joined string // the tokens between blanks
	trace  bool   // it is, or ends with, an error
}

type kind string

const (
	title   kind = "title"
	prose   kind = "prose"
	inline  kind = "inline"
	block   kind = "block"
	output  kind = "output"
	comment kind = "comment"
)

// most is how many tokens of a unit are read.
const most = 1500

// Of takes a report apart into units. What session found to be a program is no
// words; its comments are.
func Of(pieces []intake.Piece, session observe.Session) Words {
	w := Words{pieces: pieces}
	var code []string
	for i, p := range pieces {
		u := unit{text: p.Text, piece: i, cell: -1}
		program := session.Programs[i]
		switch p.Kind {
		case intake.Title:
			u.kind = title
		case intake.Heading, intake.Prose:
			u.kind = prose
			for line := range strings.Lines(p.Text) {
				u.text = line
				w.add(u)
			}
			continue
		case intake.Inline:
			u.kind, u.around = inline, pieces[p.Of].Text
		case intake.Output:
			u.kind, u.cell = output, p.Of
		case intake.Typed:
			program = true
		default:
			u.kind = block
		}
		if program {
			code = append(code, Tokens(p.Text)...)
			w.comments(p.Text, i)
			continue
		}
		w.add(u)
	}
	w.programs = " " + strings.Join(code, " ") + " "
	return w
}

var (
	tracebacks = regexp.MustCompile(`(?m)Traceback \(most recent|-{3,}> ?\d+ |^\s*File ".*line \d+`)
	errorLine  = regexp.MustCompile(`^\s*[\w.]*(?:Error|Exception)\b\s*(?::|$)`)
)

func (w *Words) add(u unit) {
	if strings.TrimSpace(u.text) == "" {
		return
	}
	u.tokens = Tokens(u.text)
	u.tokens = u.tokens[:min(most, len(u.tokens))]
	u.joined = " " + strings.Join(u.tokens, " ") + " "
	text := strings.TrimSpace(u.text)
	last := text[strings.LastIndexByte(text, '\n')+1:]
	u.trace = tracebacks.MatchString(text) ||
		errorLine.MatchString(last) && (u.kind == block || u.kind == output || u.kind == comment)
	w.units = append(w.units, u)
}

var (
	ownComment = regexp.MustCompile(`^\s*#+ ?(.*)$`)
	endComment = regexp.MustCompile(`^(?:[^#'"]|'[^']*'|"[^"]*")*?#+ ?(.*)$`)
)

// comments adds the comments of a program; lines of their own that follow each
// other are one.
func (w *Words) comments(text string, piece int) {
	run := unit{kind: comment, piece: piece, cell: piece}
	flush := func() {
		w.add(run)
		run.text = ""
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := ownComment.FindStringSubmatch(line); m != nil {
			run.text += m[1] + "\n"
			continue
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		flush()
		if m := endComment.FindStringSubmatch(line); m != nil {
			u := run
			u.text = m[1]
			w.add(u)
		}
	}
	flush()
}

// HasTraceback reports whether the words show an error as Python prints it.
func (w Words) HasTraceback() bool {
	return slices.ContainsFunc(w.units, func(u unit) bool { return u.trace })
}

// HasOutput reports whether the words show what came of a piece that was typed,
// and that it was no error.
func (w Words) HasOutput(piece int) bool {
	return slices.ContainsFunc(w.units, func(u unit) bool { return u.kind == output && u.cell == piece && !u.trace })
}
