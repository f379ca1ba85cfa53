package report

import (
	"html"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/report/reporttest"
)

var calls = regexp.MustCompile(`@\w|#\d|(?i)\bgh-\d`)

// remote is what a page made of markdown would fetch, link to or, in public,
// whom it would call.
func remote(markdown string, public bool) []string {
	source := []byte(markdown)
	tree := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	var found []string
	prose := ""
	_ = ast.Walk(tree, func(n ast.Node, in bool) (ast.WalkStatus, error) { // nothing fails
		switch n := n.(type) {
		case *ast.Link, *ast.Image, *ast.AutoLink, *ast.HTMLBlock:
			if in {
				found = append(found, n.Kind().String())
			}
		case *ast.RawHTML:
			if in && string(n.Segments.Value(source)) != "<!-- -->" {
				found = append(found, "HTML "+string(n.Segments.Value(source)))
			}
			prose += "|"
		case *ast.CodeSpan, *ast.FencedCodeBlock, *ast.CodeBlock:
			prose += "|"
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			if in { // as a page shows it
				prose += html.UnescapeString(string(n.Segment.Value(source)))
			}
		}
		return ast.WalkContinue, nil
	})
	if public {
		found = append(found, calls.FindAllString(strings.ReplaceAll(prose, "Fixed by #12", ""), -1)...)
	}
	return found
}

// Whatever strangers write, nothing of theirs in a report or a comment is a
// link, a picture or a tag, and in what is posted nobody is called and no issue
// is referred to.
func TestStrangersWordsAreInert(t *testing.T) {
	n := 0
	for _, verdict := range []casefile.Verdict{casefile.Reproduces, casefile.Fixed} {
		for i, p := range reporttest.Poisons {
			for _, all := range []bool{true, false} {
				c := reporttest.Whole(verdict)
				if all {
					reporttest.Poison(reflect.ValueOf(&c).Elem(), p)
					c.Package = "snail"
				} else {
					c.Report.Title, c.Repro.Files[bug.Script], c.Small.Program, c.Small.Needed[0].Part = p, p, p, "@"+p
				}
				md := Markdown(c)
				if got := remote(md, false); len(got) > 0 {
					t.Errorf("report, poison %d: %q\n%s", i, got, md)
				}
				comment := Comment(c)
				if got := remote(comment, true); len(got) > 0 {
					t.Errorf("comment, poison %d: %q\n%s", i, got, comment)
				}
				n++
			}
		}
	}
	t.Logf("held: %d hostile cases in report and comment", n)
}
