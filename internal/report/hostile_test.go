package report

import (
	"fmt"
	"html"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/culprit"
	"github.com/scrub-dev/scrub/internal/mend"
	"github.com/scrub-dev/scrub/internal/minimize"
	"github.com/scrub-dev/scrub/internal/probe"
	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/triage"
	"github.com/scrub-dev/scrub/internal/vet"
)

// poisons are what strangers write to get a link, a picture, a tag, a mention
// or a closing word out.
var poisons = []string{
	"x](https://evil.example/a) ![p](https://evil.example/p.png) [l](//evil.example)",
	"<img src=https://evil.example/i.png> <a href='https://evil.example'>x</a> <script>alert(1)</script>",
	"@octocat @octo/team fixes #12 closes octo/snail#3 GH-12 https://github.example/octo/snail/issues/12",
	"www.evil.example https://evil.example <https://evil.example> someone@evil.example mailto:a@evil.example",
	"```\n@octocat fixes #12 ![p](https://evil.example/p.png)\n```\n# head\n\n[a]: https://evil.example\n\n[a] ![a]",
	"~~~\n```\n~~~\n![p](https://evil.example/p.png) @octocat fixes #12\n```\n",
	"    ```\n![p](https://evil.example/p.png) @octocat fixes #12\n",
	"````\n![p](https://evil.example/p.png) @octocat fixes #12\n```\n@octocat",
	"\\`![p](https://evil.example/p.png)` @octocat fixes #12 \\\\`@octocat`\\`@octocat`",
	"`` ` ![p](https://evil.example/p.png) @octocat fixes #12 ` ``` @octocat",
	"&lt;img src=https://evil.example/i.png&gt; &#64;octocat &#91;a](https://evil.example)",
	"> ```\n> x\n![p](https://evil.example/p.png) @octocat fixes #12",
	"| a | b |\n|---|---|\n| ![p](https://evil.example/p.png) | @octocat fixes #12 |",
	"\u200b![p]\u200b(https://evil.example/p.png)\r![p](https://evil.example/p.png)\x0e@octocat\x0f",
	"a|b\n-|-\n`|![p](https://evil.example/p.png) @octocat #12 <img src=x>|`",
	"`a|b`|c\n-|-|-\n`|![p](https://evil.example/p.png)|`|<img src=x>",
	"_www.evil.example xwww.evil.example &#x40;octocat &commat;octocat &#x23;12 &num;3 &#35;12",
	"<!-- --><img src=https://evil.example/i.png>--> @octocat fixes #12",
	"[p\n](https://evil.example) ![p\n][a\n] \\](https://evil.example) \\\\](https://evil.example)",
}

// poison puts text into every string of v.
func poison(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() && v.Type() == reflect.TypeFor[string]() {
			v.SetString(text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				poison(v.Field(i), text)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			poison(v.Index(i), text)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			poison(v.Elem(), text)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			if v.Type().Elem().Kind() == reflect.String {
				v.SetMapIndex(k, reflect.ValueOf(text).Convert(v.Type().Elem()))
			}
		}
	}
}

// whole is a case with something in all of its parts.
func whole(verdict casefile.Verdict) casefile.Case {
	shows := bug.Outcome{End: bug.Exited, Code: 1, Stdout: "x",
		Stderr: "Traceback (most recent call last):\n  File \"a\", line 1\nValueError: x\n"}
	passes := bug.Outcome{End: bug.Exited, Stdout: "ok"}
	last := []bug.Outcome{shows, shows, shows}
	if verdict != casefile.Reproduces {
		last = []bug.Outcome{passes, passes, passes}
	}
	runtime := bug.Runtime{Path: "/usr/bin/python3", Version: "3.11", Packages: map[string]string{"snail": "1.0"}}
	symptom := bug.Symptom{Kind: bug.Raises, Class: "ValueError", Message: "x"}
	old := casefile.Asked{Runtime: runtime, Tally: probe.Count(symptom, shows, shows, shows)}
	now := casefile.Asked{Runtime: runtime, Tally: probe.Count(symptom, last...),
		Mends: []mend.Mend{{Name: "x", Text: "y"}}}
	c := casefile.Case{Report: bug.Report{Ref: bug.Ref{Repo: "octo/snail", Number: 7}, Title: "x", Body: "y",
		State: bug.Open, Links: []bug.Link{{Pull: 3},
			{Commit: "abc"}}}, Reported: "1", Newest: "2", Candidates: []triage.Candidate{{Why: "x"}},
		Small: &minimize.Small{Program: "x", Verified: true, Minimal: true,
			Before: reduce.Size{Tokens: 90, Lines: 9}, After: reduce.Size{Tokens: 3, Lines: 1},
			Needed: []minimize.Needed{{Part: "@x", Without: "it passes"}}},
		When: &casefile.When{Search: casefile.Search{Of: "version", Versions: []string{"1", "2"},
			Note: "x"}, Suspects: []culprit.Suspect{{Pull: 12, Commit: bug.Commit{ID: "abcdefabcdefabcdef",
			Subject: "x"}, Evidence: []string{"y"}}}}, Proposals: []action.Action{{Kind: action.Comment,
			Text: "x\ny", Why: "z"}, {Kind: action.AddLabel, Text: "x", Why: "y"}},
		Subject: casefile.Subject{Project: "x", Package: "snail", Symptom: symptom, SymptomFrom: "x",
			Repro: bug.Program("x"), Modified: &casefile.ModifiedProgram{By: "x"},
			Mends: []mend.Mend{{Name: "x", Text: "y"}}, Findings: []vet.Finding{{Line: 1, Why: "x",
				Name: "y"}, {Why: "x", Name: "z"}}, Consent: casefile.Consent{Decision: casefile.Proceed,
				By: "x", Why: "y"}, Asked: []casefile.Asked{old, now}}}
	return c
}

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
		for i, p := range poisons {
			for _, all := range []bool{true, false} {
				c := whole(verdict)
				if all {
					poison(reflect.ValueOf(&c).Elem(), p)
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
				page, err := HTML(c)
				if err != nil || regexp.MustCompile(`(?i)<(img|a|script|iframe|link|object)\b|\son\w+=|`+
					`src=["']?http`).Match(unquoted(page)) {
					t.Errorf("page, poison %d: %v\n%s", i, err, page)
				}
				n++
			}
		}
	}
	t.Logf("held: %d hostile cases in report, page and comment", n)
}

// unquoted is a page without its text: its tags alone.
func unquoted(page []byte) []byte {
	return []byte(strings.Join(regexp.MustCompile(`<[^>]*>`).FindAllString(string(page), -1), "\n"))
}

// A page says itself that nothing is fetched for it.
func TestPagePolicy(t *testing.T) {
	page, err := HTML(whole(casefile.Reproduces))
	want := fmt.Sprintf("default-src 'none'; style-src '%s'", styleSum())
	if err != nil || !strings.Contains(string(page), want) ||
		!strings.Contains(string(page), "<style>"+style+"</style>") {
		t.Errorf("%v; want %s in\n%s", err, want, page)
	}
	if strings.Contains(string(page), "style=\"") {
		t.Error("a style that the policy forbids")
	}
}
