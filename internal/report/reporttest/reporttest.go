// Package reporttest has cases that mean harm, for tests of what shows them.
package reporttest

import (
	"reflect"

	"github.com/scrub-dev/scrub/internal/ablate"
	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bisect"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/culprit"
	"github.com/scrub-dev/scrub/internal/mend"
	"github.com/scrub-dev/scrub/internal/minimize"
	"github.com/scrub-dev/scrub/internal/probe"
	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/regress"
	"github.com/scrub-dev/scrub/internal/triage"
	"github.com/scrub-dev/scrub/internal/vet"
)

// Poisons are what strangers write to get a link, a picture, a tag, a mention
// or a closing word out.
var Poisons = []string{
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

// Poison puts text into every string of v.
func Poison(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() && v.Type() == reflect.TypeFor[string]() {
			v.SetString(text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				Poison(v.Field(i), text)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			Poison(v.Index(i), text)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			Poison(v.Elem(), text)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			if v.Type().Elem().Kind() == reflect.String {
				v.SetMapIndex(k, reflect.ValueOf(text).Convert(v.Type().Elem()))
			}
		}
	}
}

// Whole is a case with something in all of its parts.
func Whole(verdict casefile.Verdict) casefile.Case {
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
			Steps: []reduce.Step{{Pass: "x", Asked: 2, Size: reduce.Size{Tokens: 40, Lines: 4}},
				{Pass: "x", Asked: 9, Size: reduce.Size{Tokens: 3, Lines: 1}}}, Lost: []string{"x"},
			Needed: []minimize.Needed{{Part: "@x", Without: "it passes"}}},
		Why: &ablate.Why{Component: "x", Measured: true, Means: []string{"x"}, Ablation: &ablate.Result{Cells: []ablate.Cell{
			{Turn: ablate.Turn{Knob: "x", Value: "y"}, Seen: ablate.Seen{Answer: bug.Yes, Words: "x"}},
			{Turn: ablate.Turn{Knob: "x", Value: "z"}, Seen: ablate.Seen{Answer: bug.No, Words: "x"}}}}},
		Regression: &casefile.Regression{Proof: casefile.Proof{Proven: true, Runs: 3, Fails: "x", Place: "x",
			Test: regress.Test{Text: "x"}}, Others: []casefile.Proof{{Proven: true, Fails: "x",
			Test: regress.Test{Text: "x"}}}},
		When: &casefile.When{Search: casefile.Search{Of: "version", Versions: []string{"1", "2"},
			Note: "x", Found: bisect.Result{Known: map[int]bisect.Known{0: {Answer: bug.No, Why: "x", Output: "x"},
				1: {Answer: bug.Yes, Why: "x", Output: "x"}}}}, Suspects: []culprit.Suspect{
			{Pull: 12, Commit: bug.Commit{ID: "abcdefabcdefabcdef",
				Subject: "x"}, Evidence: []string{"y"}}}}, Proposals: []action.Action{{Kind: action.Comment,
			Text: "x\ny", Why: "z"}, {Kind: action.AddLabel, Text: "x", Why: "y"}},
		Subject: casefile.Subject{Project: "x", Package: "snail", Symptom: symptom, SymptomFrom: "x",
			Repro: bug.Program("x"), Modified: &casefile.ModifiedProgram{By: "x"},
			Mends: []mend.Mend{{Name: "x", Text: "y"}}, Findings: []vet.Finding{{Line: 1, Why: "x",
				Name: "y"}, {Why: "x", Name: "z"}}, Consent: casefile.Consent{Decision: casefile.Proceed,
				By: "x", Why: "y"}, Asked: []casefile.Asked{old, now}}}
	return c
}
