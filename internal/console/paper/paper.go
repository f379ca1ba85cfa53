// Package paper shows Markdown on a terminal: headings, tables and code as people
// read them, in colours where those are welcome.
package paper

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// A Paper is what Markdown is shown on.
type Paper struct {
	Width  int
	Colour bool
	// Word gives a word that stands bold at the beginning of a paragraph, such as a verdict, a colour; may be nil.
	Word func(word string) Ink
}

// An Ink is how something is written, by the numbers that terminals know.
type Ink string

// The inks there are.
const (
	Plain  Ink = ""
	Bold   Ink = "1"
	Faint  Ink = "2"
	Red    Ink = "1;31"
	Green  Ink = "1;32"
	Yellow Ink = "1;33"
	Blue   Ink = "1;34"
	Cyan   Ink = "36"
)

// In is text in an ink.
func (p Paper) In(ink Ink, text string) string {
	if !p.Colour || ink == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(ink) + "m" + text + "\x1b[0m"
}

// Show is Markdown as the terminal shows it.
func (p Paper) Show(markdown string) string {
	source := []byte(markdown)
	doc := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(source))
	w := writer{Paper: p, source: source}
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		w.block(n, "")
	}
	return strings.TrimRight(w.b.String(), "\n") + "\n"
}

type writer struct {
	Paper
	source []byte
	b      strings.Builder
}

// block writes one block, every line behind indent.
func (w *writer) block(n ast.Node, indent string) {
	switch n := n.(type) {
	case *ast.Heading:
		w.wrapped(w.spans(n, Bold), indent)
		w.b.WriteString("\n")
	case *ast.Paragraph, *ast.TextBlock:
		w.wrapped(w.spans(n, Plain), indent)
		if n.Kind() == ast.KindParagraph {
			w.b.WriteString("\n")
		}
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		w.code(n, indent)
	case *ast.List:
		w.list(n, indent)
	case *east.Table:
		w.table(n, indent)
	case *ast.ThematicBreak:
		w.b.WriteString(indent + w.In(Faint, strings.Repeat("-", min(w.Width-len(indent), 40))) + "\n\n")
	default:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			w.block(c, indent+"  ")
		}
	}
}

func (w *writer) code(n ast.Node, indent string) {
	lines := n.Lines()
	for i := range lines.Len() {
		line := lines.At(i)
		w.b.WriteString(indent + "    " + w.In(Cyan, strings.TrimRight(string(line.Value(w.source)), "\n")) + "\n")
	}
	w.b.WriteString("\n")
}

func (w *writer) list(l *ast.List, indent string) {
	number := l.Start
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "- "
		if l.IsOrdered() {
			mark = fmt.Sprintf("%d. ", number)
			number++
		}
		inner := writer{Paper: w.Paper, source: w.source}
		deeper := indent + strings.Repeat(" ", len(mark))
		for c := item.FirstChild(); c != nil; c = c.NextSibling() {
			inner.block(c, deeper)
		}
		w.b.WriteString(indent + mark + strings.TrimPrefix(inner.b.String(), deeper))
	}
	w.b.WriteString("\n")
}

// table writes a table with its columns in line. One that is too wide becomes a list.
func (w *writer) table(t *east.Table, indent string) {
	var rows [][]string
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, plainly(w.spans(cell, Plain)))
		}
		rows = append(rows, cells)
	}
	widths := make([]int, len(rows[0]))
	total := len(indent)
	for i := range widths {
		for _, r := range rows {
			if i < len(r) {
				widths[i] = max(widths[i], utf8.RuneCountInString(r[i]))
			}
		}
		total += widths[i] + 2
	}
	for i, r := range rows {
		switch {
		case total-2 <= w.Width:
			w.row(r, widths, indent, i == 0)
		case i > 0:
			w.tall(rows[0], r, indent)
		}
	}
	w.b.WriteString("\n")
}

func (w *writer) row(cells []string, widths []int, indent string, head bool) {
	var line strings.Builder
	for i, c := range cells {
		line.WriteString(c)
		if i < len(cells)-1 {
			line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c)+2))
		}
	}
	ink := Plain
	if head {
		ink = Faint
	}
	w.b.WriteString(indent + w.In(ink, strings.TrimRight(line.String(), " ")) + "\n")
}

// tall writes a row as lines, each with what its column is called.
func (w *writer) tall(head, cells []string, indent string) {
	for i, c := range cells {
		if i < len(head) {
			w.wrapped([]span{{head[i] + ": ", Faint}, {c, Plain}}, indent)
		}
	}
	w.b.WriteString("\n")
}

// A span is text in one ink.
type span struct {
	text string
	ink  Ink
}

func plainly(all []span) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(s.text)
	}
	return strings.TrimSpace(strings.ReplaceAll(b.String(), "\n", " "))
}

// spans are the inline parts of a node.
func (w *writer) spans(n ast.Node, ink Ink) (all []span) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			all = append(all, span{string(unescaped(c.Segment.Value(w.source))), ink})
			if c.SoftLineBreak() || c.HardLineBreak() {
				all = append(all, span{" ", ink})
			}
		case *ast.String:
			all = append(all, span{string(c.Value), ink})
		case *ast.CodeSpan:
			all = append(all, w.spans(c, Cyan)...)
		case *ast.Emphasis:
			inner := Bold
			if c.PreviousSibling() == nil && w.Word != nil && n.Kind() == ast.KindParagraph {
				inner = cmp.Or(w.Word(plainly(w.spans(c, Plain))), Bold)
			}
			all = append(all, w.spans(c, inner)...)
		case *ast.RawHTML:
			segments := c.Segments
			for i := range segments.Len() {
				s := segments.At(i)
				if raw := string(s.Value(w.source)); !strings.HasPrefix(raw, "<!--") {
					all = append(all, span{raw, ink})
				}
			}
		default:
			all = append(all, w.spans(c, ink)...)
		}
	}
	return all
}

// unescaped is text without the backslashes that keep Markdown from meaning something.
func unescaped(t []byte) []byte {
	out := t[:0:0]
	for i := 0; i < len(t); i++ {
		if t[i] == '\\' && i+1 < len(t) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", t[i+1]) >= 0 {
			i++
		}
		out = append(out, t[i])
	}
	return []byte(strings.NewReplacer("&amp;", "&").Replace(string(out)))
}

// wrapped writes spans as lines that fit.
func (w *writer) wrapped(all []span, indent string) {
	at := utf8.RuneCountInString(indent)
	run := span{} // words in one ink, which are written at once
	flush := func() {
		w.b.WriteString(w.In(run.ink, run.text))
		run = span{}
	}
	write := func(text string, ink Ink) {
		if ink != run.ink {
			flush()
		}
		run = span{run.text + text, ink}
	}
	w.b.WriteString(indent)
	blank, last := false, Plain
	for _, s := range all {
		for word := range strings.SplitAfterSeq(s.text, " ") {
			if word == "" {
				continue
			}
			bare := strings.TrimRight(word, " ")
			size := utf8.RuneCountInString(bare)
			switch {
			case blank && at+1+size > w.Width && at > len(indent):
				flush()
				w.b.WriteString("\n" + indent)
				at = utf8.RuneCountInString(indent)
			case blank && last == s.ink:
				write(" ", s.ink)
				at++
			case blank:
				write(" ", Plain)
				at++
			}
			write(bare, s.ink)
			at += size
			blank, last = len(word) > len(bare), s.ink
		}
	}
	flush()
	w.b.WriteString("\n")
}

// Clip is the beginning of a line that is longer than n.
func Clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:max(n-1, 0)]) + "…"
	}
	return s
}
