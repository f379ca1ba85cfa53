package pipeline

import (
	"context"
	"slices"
	"strings"

	"scrub/internal/syntax"
	"scrub/internal/vet"
)

// news are the lines of a program with something that a person must know and
// that was not in the program they agreed to. What cannot be reviewed is news
// as a whole.
func (o *oracle) news(ctx context.Context, text string) (lines []int, all bool) {
	if o.Review == nil {
		return nil, false
	}
	found, err := o.Review(ctx, text)
	if err != nil {
		return nil, true
	}
	for _, f := range found {
		known := slices.ContainsFunc(o.agreed, func(a vet.Finding) bool { return a.Class == f.Class && a.Name == f.Name && a.Severity == f.Severity })
		switch {
		case known || !vet.Asks([]vet.Finding{f}):
		case f.Line == 0 || f.Class == vet.Unreadable:
			return nil, true
		default:
			lines = append(lines, f.Line)
		}
	}
	return lines, false
}

// reviewedLifts are those of the lifts that may be run.
func (o *oracle) reviewedLifts(ctx context.Context, lifts []syntax.Lift) []syntax.Lift {
	return slices.DeleteFunc(slices.Clone(lifts), func(l syntax.Lift) bool {
		lines, all := o.news(ctx, l.Text)
		return all || len(lines) > 0
	})
}

// reviewed is a look with what may be put into a program: lifts and values are
// text that the observed program could have made up. Values are read as they
// would stand: below the program, whose imports they would use.
func (o *oracle) reviewed(ctx context.Context, text string, look syntax.Look) syntax.Look {
	look.Lifts = o.reviewedLifts(ctx, look.Lifts)
	if o.Review == nil {
		return look
	}
	var b strings.Builder
	b.WriteString(strings.TrimRight(text, "\n") + "\n")
	at := map[string]int{} // the line of each text
	line := strings.Count(b.String(), "\n")
	enter := func(value string) {
		if _, ok := at[value]; !ok && value != "" && !strings.ContainsAny(value, "\n\r#") {
			line++
			at[value] = line
			b.WriteString("(" + value + ")\n")
		}
	}
	for _, v := range look.Values {
		enter(v.Text)
	}
	for _, f := range look.Frames {
		for _, value := range f.Locals {
			enter(value)
		}
	}
	if len(at) == 0 {
		return look
	}
	lines, all := o.news(ctx, b.String())
	bad := func(value string) bool {
		n, ok := at[value]
		return value != "" && (!ok || all || slices.Contains(lines, n))
	}
	look.Values = slices.Clone(look.Values)
	for i, v := range look.Values {
		if bad(v.Text) {
			look.Values[i].Text = "" // its type is no text to run
		}
	}
	look.Frames = slices.Clone(look.Frames)
	for i, f := range look.Frames {
		locals := map[string]string{}
		for name, value := range f.Locals {
			if !bad(value) {
				locals[name] = value
			}
		}
		look.Frames[i].Locals = locals
	}
	return look
}
