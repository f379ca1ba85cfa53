package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html"
	"strings"
)

//go:embed page.html
var pageText string

// fill puts the parts of a page in their places; body is markup already. html/template would do the same, but it
// looks methods up by name, for which the linker keeps every method of every type: ten megabytes.
func fill(title, body string) []byte {
	return []byte(strings.NewReplacer("{{.Sum}}", styleSum(), "{{.Title}}", html.EscapeString(title), "{{.Style}}", style,
		"{{.Body}}", body).Replace(pageText))
}

//go:embed page.css
var style string

// styleSum is how a content security policy names the style.
func styleSum() string {
	sum := sha256.Sum256([]byte(style))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
