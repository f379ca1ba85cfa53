package intake

import (
	"bytes"
	"html"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A block is a piece of a post that its author set apart as code.
type block struct {
	lang string
	text string
	cue  string // the words in front of it, which say what it is
}

// A post is one post taken apart by its Markdown.
type post struct {
	blocks   []block
	quoted   string // the prose of block quotes
	prose    string
	headings []string
	images   int
	links    []string
	hidden   []string
	cue      string // the last words so far
	pieces   []Piece
	last     int // the piece that words set as code are in
}

func (p *post) addBlock(b block) {
	p.blocks = append(p.blocks, b)
	p.addPieces(b)
}

var (
	// Quotes within quotes cost the parser the square of their depth.
	deepQuote = regexp.MustCompile(`(?m)^((?: {0,3}> ?){32})(?: {0,3}> ?)+`)

	htmlComment = regexp.MustCompile(`(?s)<!--(.*?)(?:-->|\z)`)

	imgTag = regexp.MustCompile(`(?i)<img\b`)
	preTag = regexp.MustCompile(`(?is)<pre[^>]*>(.*?)</pre>`)
	anyTag = regexp.MustCompile(`(?s)<[^>]*>`)
)

func parsePost(body string) post {
	src := deepQuote.ReplaceAll([]byte(fence(strings.ReplaceAll(body, "\r\n", "\n"))), []byte("$1"))
	doc := parserFor(src).Parse(text.NewReader(src))
	var p post
	var prose strings.Builder
	// The walk fails only if the function does, and it does not.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		return p.visit(n, src, &prose), nil
	})
	p.prose = prose.String()
	return p
}

// manyLinks is how many brackets somebody opens who does not want to be read:
// the parser looks for the end of each of them in all that follows.
const manyLinks = 5000

// parserFor is a parser of Markdown as GitHub writes it; one that knows no links
// where there are too many.
func parserFor(src []byte) parser.Parser {
	var options []goldmark.Option
	if bytes.Count(src, []byte("[")) > manyLinks {
		inline := slices.DeleteFunc(parser.DefaultInlineParsers(), func(p util.PrioritizedValue) bool {
			return reflect.TypeOf(p.Value) == reflect.TypeOf(parser.NewLinkParser())
		})
		options = append(options,
			goldmark.WithParser(parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...),
				parser.WithInlineParsers(inline...))))
	}
	return goldmark.New(append(options, goldmark.WithExtensions(extension.GFM))...).Parser()
}

// visit takes what it needs from n and says whether to look inside.
func (p *post) visit(n ast.Node, src []byte, prose *strings.Builder) ast.WalkStatus {
	switch n := n.(type) {
	case *ast.FencedCodeBlock:
		p.addBlock(block{lang: strings.ToLower(string(n.Language(src))), text: lines(n, src), cue: p.cue})
		return ast.WalkSkipChildren
	case *ast.CodeBlock:
		p.addBlock(block{text: lines(n, src), cue: p.cue})
		return ast.WalkSkipChildren
	case *ast.Blockquote:
		// A program that is quoted was said, and read, elsewhere in the thread;
		// but people also quote the error that they got.
		said := quotedText(n, src)
		p.quoted += said
		p.addProse(Prose, said)
		return ast.WalkSkipChildren
	case *ast.HTMLBlock:
		raw := lines(n, src)
		if n.HasClosure() {
			raw += string(n.ClosureLine.Value(src))
		}
		p.html(raw, prose)
		return ast.WalkSkipChildren
	case *ast.Heading:
		p.headings = append(p.headings, strings.TrimSpace(lines(n, src)))
	case *ast.CodeSpan:
		// Several statements between single backquotes are a block by another name.
		if set := (block{text: spelled(n, src), cue: p.cue}); strings.Contains(strings.TrimSpace(set.text), "\n") {
			if kind, _, _ := classify(set); kind == script || kind == session {
				p.addBlock(set)
				return ast.WalkSkipChildren
			}
		}
		p.pieces = append(p.pieces, Piece{Kind: Inline, Text: spelled(n, src), Of: p.last})
	case *ast.Image:
		p.images++
	case *ast.Link:
		p.links = append(p.links, string(n.Destination))
	case *ast.AutoLink:
		p.links = append(p.links, string(n.URL(src)))
	case *ast.RawHTML:
		if imgTag.Match(n.Segments.Value(src)) {
			p.images++
		}
	}
	if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
		p.cue = p.visible(lines(n, src))
		prose.WriteString(p.cue + "\n")
		kind := Prose
		if n.Kind() == ast.KindHeading {
			kind = Heading
		}
		p.last = len(p.pieces)
		p.addProse(kind, p.cue)
	}
	return ast.WalkContinue
}

// visible takes out of text what the page does not show, and keeps it apart.
func (p *post) visible(text string) string {
	if !strings.Contains(text, "<!--") {
		return text
	}
	for _, m := range htmlComment.FindAllStringSubmatch(text, -1) {
		if said := strings.TrimSpace(m[1]); said != "" {
			p.hidden = append(p.hidden, said)
		}
	}
	return htmlComment.ReplaceAllString(text, "")
}

func (p *post) html(raw string, prose *strings.Builder) {
	raw = p.visible(raw)
	p.images += len(imgTag.FindAllString(raw, -1))
	for _, m := range preTag.FindAllStringSubmatch(raw, -1) {
		p.addBlock(block{text: html.UnescapeString(anyTag.ReplaceAllString(m[1], "")), cue: p.cue})
	}
	said := html.UnescapeString(anyTag.ReplaceAllString(preTag.ReplaceAllString(raw, ""), ""))
	prose.WriteString(said + "\n")
	p.addProse(Prose, said)
}

// spelled is the text in a node.
func spelled(n ast.Node, src []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(src))
		}
	}
	return b.String()
}

// quotedText is the prose in a block quote.
func quotedText(quote ast.Node, src []byte) string {
	var b strings.Builder
	// The walk fails only if the function does, and it does not.
	_ = ast.Walk(quote, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if p, ok := n.(*ast.Paragraph); ok && entering {
			b.WriteString(lines(p, src) + "\n")
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

func lines(n ast.Node, src []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		b.Write(seg.Value(src))
	}
	return b.String()
}
