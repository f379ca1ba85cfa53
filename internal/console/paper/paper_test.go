package paper

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

const page = "# It \\<b>divides\\</b>\n\n**reproduces**: It shows `ZeroDivisionError` on Python 3.11.7, in 3 of 3 " +
	"runs, as somebody has written.\n\n- issue: octo/snail\\#7\n- case: 1234\n\n## Runs\n\n" +
	"| environment | runs | result |\n|---|---|---|\n| Python 3.11.7 | 1 to 3 | raised a \\| b |\n\n" +
	"```python\nx = 0  # <not> *markup*\nprint(1 / x)\n```\n\n1. one\n2. two\n"

func TestShow(t *testing.T) {
	got := Paper{Width: 60}.Show(page)
	want := `It <b>divides</b>

reproduces: It shows ZeroDivisionError on Python 3.11.7, in
3 of 3 runs, as somebody has written.

- issue: octo/snail#7
- case: 1234

Runs

environment    runs    result
Python 3.11.7  1 to 3  raised a | b

    x = 0  # <not> *markup*
    print(1 / x)

1. one
2. two
`
	if got != want {
		t.Errorf("%s", got)
	}
}

// Whatever the width, no line of prose is longer, no word is lost, and without
// colours there is no escape.
func TestShowFits(t *testing.T) {
	words := regexp.MustCompile(`[A-Za-z]{4,}`)
	for width := 20; width < 100; width += 7 {
		p := Paper{Width: width, Word: func(w string) Ink {
			if w == "reproduces" {
				return Red
			}
			return Plain
		}}
		got := p.Show(page)
		for line := range strings.Lines(got) {
			if utf8.RuneCountInString(line)-1 > width && !strings.HasPrefix(line, "    ") {
				t.Errorf("%d: %q", width, line)
			}
		}
		for _, word := range words.FindAllString(strings.ReplaceAll(page, "```python", ""), -1) {
			if !strings.Contains(strings.ReplaceAll(got, "\n", " "), word) {
				t.Errorf("%d: no %s", width, word)
			}
		}
		if strings.Contains(got, "\x1b") {
			t.Errorf("%d: an escape in %q", width, got)
		}
		p.Colour = true
		if got := p.Show(page); !strings.Contains(got, "\x1b[1;31mreproduces\x1b[0m") {
			t.Errorf("%d: %q", width, got)
		}
	}
}
