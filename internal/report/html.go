package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/scrub-dev/scrub/internal/casefile"
)

//go:embed page.html
var pageText string

// fill puts the parts of a page in their places; title and verdict are text, the rest
// is markup already. html/template would do the same, but it looks methods up by
// name, for which the linker keeps every method of every type: ten megabytes.
func fill(title string, verdict casefile.Verdict, body, drawn string) []byte {
	return []byte(strings.NewReplacer("{{.Sum}}", styleSum(), "{{.Verdict}}", html.EscapeString(string(verdict)),
		"{{.Title}}", html.EscapeString(title), "{{.Style}}", style, "{{.Body}}", body, "{{.Drawn}}", drawn).Replace(pageText))
}

//go:embed page.css
var style string

// styleSum is how a content security policy names the style.
func styleSum() string {
	sum := sha256.Sum256([]byte(style))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// HTML writes c as one page that needs nothing from anywhere else.
func HTML(c casefile.Case) ([]byte, error) {
	var body bytes.Buffer
	// Raw HTML in a report is left out by goldmark unless asked for, and without
	// the extension for it no address becomes a link.
	if err := goldmark.New(goldmark.WithExtensions(extension.Table)).Convert([]byte(Markdown(c)), &body); err != nil {
		return nil, err
	}
	verdict, _ := c.Verdict()
	drawn := ""
	if s := c.Small; s != nil {
		drawn = curve(s.Steps, s.Before, s.Runs)
	}
	if c.When != nil && len(c.When.Versions) > 0 {
		drawn = strip(*c.When) + drawn
	}
	return fill(Clean(c.Report.Title), verdict, body.String(), drawn), nil
}
