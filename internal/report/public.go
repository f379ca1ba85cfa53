package report

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

// Strangers' words are in all that scrub writes: titles, messages, programs,
// output. A draft is the one way for them into Markdown. What is written to it
// is prose, in which nothing can become a link, a picture, a tag or a fence,
// since scrub itself writes none of these there; code goes into fences that
// nothing in it can close.
type draft struct {
	b strings.Builder
	// public is for what is posted: besides, nobody is called, and no issue is
	// referred to but by scrub itself.
	public bool
}

// Public is prose, made safe to post.
func Public(prose string) string {
	d := &draft{public: true}
	d.WriteString(prose)
	return d.String()
}

// Write implements io.Writer, for prose.
func (d *draft) Write(p []byte) (int, error) {
	d.WriteString(string(p))
	return len(p), nil
}

// WriteString adds prose. Code spans in it are whole.
func (d *draft) WriteString(text string) {
	start := d.b.Len() == 0 || strings.HasSuffix(d.b.String(), "\n")
	for line := range strings.Lines(Clean(text)) {
		if start {
			line = fenceMark.ReplaceAllString(line, `$1\$2`)
		}
		d.b.WriteString(outsideSpans(line, d.inert))
		start = true
	}
}

// fence adds code.
func (d *draft) fence(lang, code string) {
	code = Clean(strings.TrimRight(code, "\n"))
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	fmt.Fprintf(&d.b, "%s%s\n%s\n%s\n", fence, lang, code, fence)
}

// row adds a row of a table.
func (d *draft) row(cells ...string) {
	for _, c := range cells {
		c = outsideSpans(bug.Squeeze(Clean(c)), d.inert)
		for bare := ""; bare != c; { // also in code: a table is cut up first
			bare, c = c, barePipe.ReplaceAllString(c, `$1\|`)
		}
		d.b.WriteString("| " + c + " ")
	}
	d.b.WriteString("|\n")
}

// own adds words that are scrub's alone, with links to issues.
func (d *draft) own(text string) { d.b.WriteString(text) }

func (d *draft) String() string { return d.b.String() }

var (
	fenceMark = regexp.MustCompile("^([ >]*)(```|~~~)")
	tag       = regexp.MustCompile(`<([A-Za-z/!?])`)
	address   = regexp.MustCompile(`(?i)(https?|ftp|mailto|xmpp):`)
	bareWWW   = regexp.MustCompile(`(?i)(www)\.`)
	barePipe  = regexp.MustCompile(`(^|[^\\])\|`)
	entity    = regexp.MustCompile(`&(#?\w+;)`)
	mention   = regexp.MustCompile(`@(\w)`)
	reference = regexp.MustCompile(`(#|(?i:\bgh-))(\d)`)
)

// inert takes the meaning from what would be a link, a picture or a tag.
func (d *draft) inert(text string) string {
	text = strings.ReplaceAll(text, `\`, `\\`)
	text = entity.ReplaceAllString(text, "&amp;$1") // it would be what it stands for
	text = strings.ReplaceAll(text, "|", `\|`)      // a table would take code apart
	for _, link := range []string{"](", "][", "]:"} {
		text = strings.ReplaceAll(text, link, `]\`+link[1:])
	}
	text = tag.ReplaceAllString(text, `\<$1`)
	text = address.ReplaceAllString(text, `$1\:`)
	text = bareWWW.ReplaceAllString(text, `$1\.`)
	if !d.public {
		return mention.ReplaceAllString(text, `\@$1`) // an address of mail would be a link
	}
	text = mention.ReplaceAllString(text, "@<!-- -->$1")
	return reference.ReplaceAllString(text, "$1<!-- -->$2")
}

// outsideSpans applies f to what is in no code span of a line.
func outsideSpans(line string, f func(string) string) string {
	var b strings.Builder
	for rest := line; rest != ""; {
		at := strings.IndexByte(rest, '`')
		if at < 0 {
			b.WriteString(f(rest))
			break
		}
		ticks := rest[at : len(rest)-len(strings.TrimLeft(rest[at:], "`"))]
		end := closing(rest[at+len(ticks):], ticks)
		if end < 0 { // nobody closes it, so it is nothing
			b.WriteString(f(rest[:at]) + strings.Repeat("\\`", len(ticks)))
			rest = rest[at+len(ticks):]
			continue
		}
		whole := at + len(ticks) + end + len(ticks)
		b.WriteString(f(rest[:at]) + rest[at:whole])
		rest = rest[whole:]
	}
	return b.String()
}

// closing is where in text a run of as many backticks begins.
func closing(text, ticks string) int {
	for at := 0; at < len(text); {
		next := strings.IndexByte(text[at:], '`')
		if next < 0 {
			return -1
		}
		at += next
		run := len(text[at:]) - len(strings.TrimLeft(text[at:], "`"))
		if run == len(ticks) {
			return at
		}
		at += run
	}
	return -1
}
