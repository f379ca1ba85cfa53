package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/scrub-dev/scrub/internal/casefile"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

//go:embed page.css
var style string

// styleSum is how a content security policy names the style.
func styleSum() string {
	sum := sha256.Sum256([]byte(style))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// HTML writes c as one page that needs nothing from anywhere else.
func HTML(c casefile.Case) ([]byte, error) {
	var body, out bytes.Buffer
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
	err := page.Execute(&out, struct {
		Title   string
		Verdict casefile.Verdict
		Body    template.HTML
		Drawn   template.HTML // made of numbers and names alone
		Style   template.CSS
		Sum     string // of the style, which is all that the page may apply
	}{Clean(c.Report.Title), verdict, template.HTML(body.String()), template.HTML(drawn), template.CSS(style), styleSum()})
	return out.Bytes(), err
}
