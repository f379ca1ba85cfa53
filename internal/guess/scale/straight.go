package scale

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/guess"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// straights are the program as what it asked on each of the two versions, and what that does on both.
func (s Scale) straights(
	ctx context.Context,
	c casefile.Case,
	f guess.Facts,
	shown, passed int,
) ([]guess.Straight, error) {
	var all []guess.Straight
	for _, again := range written(f) {
		one := guess.Straight{Again: again}
		remarks, err := guess.Plain(ctx, one.Text(), s.packages(c), sandbox.Tool(s.Box, c.Asked[shown].Runtime))
		if err != nil {
			return nil, err
		}
		if one.Remarks = remarks; len(remarks) == 0 {
			if one.Shown, err = s.told(ctx, c, one.Again, c.Asked[shown]); err != nil {
				return nil, err
			}
			if passed >= 0 {
				told, err := s.told(ctx, c, one.Again, c.Asked[passed])
				if err != nil {
					return nil, err
				}
				one.Passed = &told
			}
		}
		all = append(all, one)
	}
	return all, nil
}

// written are the straight lines that there are: what the program asked where it shows what is expected; if it shows it
// everywhere, also the last of that alone.
func written(f guess.Facts) []syntax.Again {
	var all []syntax.Again
	add := func(a *syntax.Again) {
		if a != nil && len(a.Steps) > 0 {
			all = append(all, *a)
		}
	}
	if k := f.Shown.Kin; k != nil {
		add(k.Again)
		if f.Passed == nil {
			add(k.Plain)
		}
	}
	if len(all) == 0 && f.Passed != nil && f.Passed.Kin != nil {
		add(f.Passed.Kin.Again) // it has died where it does not pass, and could tell nothing
	}
	return all
}

// telling says what each step gave, as far as that is the same twice: of what a library makes, only what it is.
const telling = `
def scrub_look(v, depth=0):
    if type(v) in (int, float, complex, str, bytes, bool, type(None)):
        return ascii(v)[:400]
    if type(v) in (list, tuple, set, frozenset) and depth < 3:
        parts = [scrub_look(x, depth + 1) for x in list(v)[:50]]
        parts = parts if type(v) in (list, tuple) else sorted(parts)
        return type(v).__name__ + str(len(v)) + "[" + ", ".join(parts) + "]"
    if type(v) is dict and depth < 3:
        parts = [scrub_look(k, 3) + ": " + scrub_look(x, depth + 1) for k, x in list(v.items())[:50]]
        return "{" + ", ".join(sorted(parts)) + "}"
    return type(v).__name__
`

// told runs a straight line on a version.
func (s Scale) told(ctx context.Context, c casefile.Case, again syntax.Again, a casefile.Asked) (guess.Told, error) {
	type question struct {
		Again   syntax.Again
		Symptom bug.Symptom
		Files   bug.Files
		Runtime bug.Runtime
		Setting bug.Setting
		Limits  sandbox.Limits
		Round   string
	}
	q := question{again, c.Symptom, s.Guess.Files, a.Runtime, a.Setting, s.Limits, s.Round}
	return journal.Do(ctx, s.Log, "guess told/1", q, func(ctx context.Context, q question) (guess.Told, error) {
		mark := rand.Text()
		repro := bug.Program(spoken(q.Again, mark))
		maps.Copy(repro.Files, q.Files)
		o, err := s.Box.Run(ctx, sandbox.Job{Repro: repro, Runtime: q.Runtime, Setting: q.Setting, Limits: q.Limits})
		if err != nil {
			return guess.Told{}, err
		}
		return heard(o, mark, q.Symptom), nil
	})
}

// spoken is a straight line that says after each step what it gave.
func spoken(again syntax.Again, mark string) string {
	var b strings.Builder
	b.WriteString(strings.Join(again.Above, "\n") + telling)
	for _, name := range reads(again) {
		fmt.Fprintf(&b, "print(%q + scrub_look(%s), flush=True)\n", "\n"+mark+"=", name)
	}
	for _, step := range again.Steps {
		value := strconv.Quote("done")
		if step.Entry == "print" && strings.HasPrefix(step.Line, "print(") {
			value = "scrub_look((" + strings.TrimSuffix(strings.TrimPrefix(step.Line, "print("), ")") + ",))"
			if strings.Contains(value, "=") || strings.Contains(value, "((,))") {
				value = strconv.Quote("printed")
			}
		} else if step.Name != "" {
			value = "scrub_look(" + step.Name + ")"
		}
		fmt.Fprintf(&b, "%s\nprint(%q + %s, flush=True)\n", step.Line, "\n"+mark, value)
	}
	return b.String()
}

// heard takes what was said apart from what was printed.
func heard(o bug.Outcome, mark string, symptom bug.Symptom) guess.Told {
	var t guess.Told
	var printed strings.Builder
	for i, part := range strings.Split(o.Stdout, "\n"+mark) {
		if i > 0 {
			value, rest, _ := strings.Cut(part, "\n")
			if read, ok := strings.CutPrefix(value, "="); ok {
				t.Reads = append(t.Reads, read)
			} else {
				t.Values = append(t.Values, value)
			}
			part = rest
		}
		printed.WriteString(part)
	}
	o.Stdout = printed.String()
	t.Shows, t.Ended, t.Words = symptom.In(o), !o.Failed(), o.Words()
	return t
}

var (
	imported  = regexp.MustCompile(`(?m)^import (\w+)$`)
	attribute = regexp.MustCompile(`\b(\w+)((?:\.\w+)+)`)
)

// reads are names of what modules have, where the straight line does not call them.
func reads(again syntax.Again) []string {
	text := again.Text()
	var modules, all []string
	for _, m := range imported.FindAllStringSubmatch(text, -1) {
		modules = append(modules, m[1])
	}
	for _, at := range attribute.FindAllStringSubmatchIndex(text, -1) {
		name := text[at[0]:at[1]]
		line := text[strings.LastIndexByte(text[:at[0]], '\n')+1 : at[0]]
		if slices.Contains(modules, text[at[2]:at[3]]) && !strings.HasPrefix(text[at[1]:], "(") &&
			!strings.Contains(line, "import ") && !strings.Contains(line, "class ") {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
