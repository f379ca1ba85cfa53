package intake

import "strings"

// A Piece is a part of a report, in the order of its text.
type Piece struct {
	Kind PieceKind
	Text string
	Lang string // Code: the language that its author says it is in
	Cue  string // Code: the words in front of it, which say what it is
	Of   int    // Output: the number of the piece that was typed for it; Inline: of the piece it stands in
}

// A PieceKind is what a piece is, by how it is set.
type PieceKind string

const (
	Title   PieceKind = "title"
	Heading PieceKind = "heading"
	Prose   PieceKind = "prose"
	Inline  PieceKind = "inline" // a few words set as code
	Code    PieceKind = "code"   // set apart: a program, or what one printed
	Typed   PieceKind = "typed"  // at a prompt
	Output  PieceKind = "output" // under what was typed at a prompt
)

// addPieces adds a block of code to the pieces of a post.
func (p *post) addPieces(b block) {
	text := dedent(b.text)
	b.lang, text = spokenLang(b.lang, text)
	if envHead.MatchString(text) {
		return // what a tool says of a machine is nobody's words
	}
	if prompt.MatchString(text) {
		for _, t := range turns(text) {
			p.pieces = append(p.pieces, Piece{Kind: Typed, Text: strings.Join(t.typed, "\n")})
			if out := strings.Trim(strings.Join(t.output, "\n"), "\n"); out != "" {
				p.pieces = append(p.pieces, Piece{Kind: Output, Text: out, Of: len(p.pieces) - 1})
			}
		}
		return
	}
	if sh, ok := readShell(text); ok {
		p.pieces = append(p.pieces, Piece{Kind: Code, Text: sh.program, Lang: "python", Cue: b.cue},
			Piece{Kind: Code, Text: sh.rest, Lang: "text"})
		return
	}
	rest := ""
	if at := traceHead.FindStringIndex(text); at != nil && strings.TrimSpace(text[:at[0]]) != "" {
		text, rest = text[:at[0]], text[at[0]:]
	}
	p.pieces = append(p.pieces, Piece{Kind: Code, Text: text, Lang: b.lang, Cue: b.cue})
	if rest != "" {
		p.pieces = append(p.pieces, Piece{Kind: Code, Text: rest, Lang: "pytb"})
	}
}

// addProse adds what stands outside of code.
func (p *post) addProse(kind PieceKind, text string) {
	if strings.TrimSpace(text) != "" {
		p.pieces = append(p.pieces, Piece{Kind: kind, Text: strings.TrimSpace(text)})
	}
}

// shifted are pieces with one in front of them.
func shifted(all []Piece) []Piece {
	for i := range all {
		all[i].Of++
	}
	return all
}
