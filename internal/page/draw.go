package page

import (
	"fmt"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/scrub-dev/scrub/internal/minimize"
)

func svg(wide, high float64, label string, inside ...g.Node) g.Node {
	return g.El("svg", g.Attr("viewBox", fmt.Sprintf("0 0 %.0f %.0f", wide, high)), h.Role("img"), h.Aria("label", label),
		g.Group(inside))
}

func words(x, y float64, anchor, s string) g.Node {
	return g.El("text", g.Attr("x", fmt.Sprintf("%.1f", x)), g.Attr("y", fmt.Sprintf("%.1f", y)),
		g.Attr("text-anchor", anchor),
		h.Class("label"), text(s))
}

func line(x1, y1, x2, y2 float64) g.Node {
	return g.El("line", g.Attr("x1", fmt.Sprintf("%.1f", x1)), g.Attr("y1", fmt.Sprintf("%.1f", y1)),
		g.Attr("x2", fmt.Sprintf("%.1f", x2)),
		g.Attr("y2", fmt.Sprintf("%.1f", y2)), h.Class("axis"))
}

// curve is how the size of a program went down with the runs it took.
func curve(s *minimize.Small) g.Node {
	const left, wide, high = 44.0, 440.0, 110.0
	if len(s.Steps) == 0 || s.Before.Tokens == 0 || s.Runs == 0 {
		return nil
	}
	runs := max(s.Runs, s.Steps[len(s.Steps)-1].Asked)
	x := func(asked int) float64 { return left + wide*float64(asked)/float64(runs) }
	y := func(tokens int) float64 { return 8 + high - high*float64(tokens)/float64(s.Before.Tokens) }
	var path strings.Builder
	fmt.Fprintf(&path, "M%.1f %.1f", left, y(s.Before.Tokens))
	for _, step := range s.Steps {
		fmt.Fprintf(&path, "H%.1fV%.1f", x(step.Asked), y(step.Size.Tokens))
	}
	fmt.Fprintf(&path, "H%.1f", left+wide)
	caption := fmt.Sprintf("%d tokens to %d, over %d runs", s.Before.Tokens, s.After.Tokens, s.Runs)
	return h.Figure(svg(left+wide+20, high+36, caption, line(left, 8+high, left+wide, 8+high),
		line(left, 8, left, 8+high),
		words(left-6, 14, "end", fmt.Sprint(s.Before.Tokens)), words(left-6, 8+high, "end", "0"),
		words(left, high+28, "start", "tokens over runs"),
		words(left+wide, high+28, "end", fmt.Sprint(runs)), g.El("path", g.Attr("d", path.String()), h.Class("curve"))),
		h.FigCaption(text(caption)))
}

// A Bar is one bar of a chart.
type Bar struct {
	Name  string
	N     float64
	Class string // its colour; empty for the usual one
	Words string // what is written at its end
	Parts []Bar  // what it is made of, side by side
}

// parts are what b is drawn as.
func (b Bar) parts() []Bar {
	if len(b.Parts) > 0 {
		return b.Parts
	}
	return []Bar{b}
}

// bars is a chart of lying bars.
func bars(title string, all []Bar) g.Node {
	const left, wide, high = 170.0, 400.0, 22.0
	top := 0.0
	for _, b := range all {
		top = max(top, b.N)
	}
	if top == 0 {
		return h.P(h.Class("soft"), g.Text("Nothing to show yet."))
	}
	var inside, rows []g.Node
	for i, b := range all {
		y := high * float64(i)
		inside = append(inside, words(left-6, y+15, "end", clip(b.Name, 26)))
		x := left
		for _, part := range b.parts() {
			class := "bar"
			if part.Class != "" {
				class = part.Class + "-fill"
			}
			inside = append(inside, g.El("rect", g.Attr("x", fmt.Sprintf("%.1f", x)), g.Attr("y", fmt.Sprintf("%.1f", y+4)),
				g.Attr("width", fmt.Sprintf("%.1f", max(1, wide*part.N/top))), g.Attr("height", "14"), h.Class(class)))
			x += wide * part.N / top
		}
		inside = append(inside, words(left+wide*b.N/top+6, y+15, "start", b.Words))
		rows = append(rows, h.Tr(h.Td(text(b.Name)), h.Td(text(b.Words))))
	}
	return h.Figure(svg(left+wide+80, high*float64(len(all))+4, title, inside...), h.FigCaption(text(title)),
		h.Details(h.Summary(g.Text("as a table")), h.Table(h.TBody(g.Group(rows)))))
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
