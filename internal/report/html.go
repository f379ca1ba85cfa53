package report

import (
	"bytes"
	_ "embed"
	"html/template"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"scrub/internal/casefile"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// HTML writes c as one page that needs nothing from anywhere else.
func HTML(c casefile.Case) ([]byte, error) {
	var body, out bytes.Buffer
	// Raw HTML in a report is left out by goldmark unless asked for.
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(Markdown(c)), &body); err != nil {
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
	}{c.Report.Title, verdict, template.HTML(body.String()), template.HTML(drawn)})
	return out.Bytes(), err
}
