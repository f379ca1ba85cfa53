package minimize

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// stranger says why a program that shows the symptom is not the same bug, or
// nothing if it is: what failed must be asked of the same function, or of a
// public one that this led through, with operands of the same origin.
func (o *holder) stranger(ctx context.Context, text string) string {
	if o.kin == nil {
		return ""
	}
	now := o.kinOf(ctx, text)
	if now == nil {
		return "cannot be watched"
	}
	for _, differs := range []func(now syntax.Kin) string{o.raisedElsewhere, o.askedElsewhere, o.writtenDown,
		o.fedOtherwise} {
		if why := differs(*now); why != "" {
			return why
		}
	}
	return ""
}

// known finds out what makes it the same bug, as far as one run shows that.
func (o *holder) known(ctx context.Context, text string) {
	if o.symptom.Kind == bug.Hangs || o.symptom.Kind == bug.Crashes || o.PassesOn != nil {
		return // these are held by where the program was
	}
	kin := o.kinOf(ctx, text)
	if kin == nil || o.symptom.Kind == bug.Raises && !slices.ContainsFunc(kin.Raised, o.sameClass) {
		return // under observation it does something else
	}
	o.kin = kin
}

// raisedElsewhere holds the functions that raise, those of all that a group holds.
func (o *holder) raisedElsewhere(now syntax.Kin) string {
	for _, was := range o.kin.Raised {
		same := func(r syntax.Raise) bool {
			return r.Class == was.Class && r.Raiser == was.Raiser && slices.Equal(r.Causes, was.Causes) &&
				sameWay(r.Library, was.Library) && (!o.pathHolds() || last(r.Path) == last(was.Path))
		}
		if !slices.ContainsFunc(now.Raised, same) {
			return "failed elsewhere than in " + describe(was)
		}
	}
	return ""
}

// calls is how many functions of a library in a row, up to the one that raises, must
// be the same: what refuses an argument may be asked by several.
const calls = 3

// sameWay reports whether the last functions of two ways through a library are the same.
func sameWay(now, was []string) bool {
	now, was = slices.Compact(slices.Clone(now)), slices.Compact(slices.Clone(was))
	now, was = now[max(0, len(now)-calls):], was[max(0, len(was)-calls):]
	return len(now) <= len(was) && slices.Equal(now, was[len(was)-len(now):])
}

// pathHolds reports whether nothing but the program's own function can hold an
// error: no library and no object of the program's own is in what failed.
func (o *holder) pathHolds() bool {
	return o.ownPath || !slices.ContainsFunc(o.kin.Operations, func(op syntax.Operation) bool {
		return strings.Contains(op.Entry, ".") || slices.ContainsFunc(op.Operands, func(x syntax.Operand) bool {
			return x.Origin == syntax.Library || x.Origin == syntax.Own && x.What == "class"
		})
	})
}

func describe(r syntax.Raise) string {
	if r.Raiser != "" {
		return r.Raiser
	}
	return fmt.Sprintf("%s of the program", last(r.Path))
}

func last(all []string) string {
	if len(all) == 0 {
		return "a function"
	}
	return all[len(all)-1]
}

// askedElsewhere holds what was asked for, and where its operands came from.
func (o *holder) askedElsewhere(now syntax.Kin) string {
	for _, was := range o.kin.Operations {
		why := "asks nothing of " + was.Entry
		for _, op := range now.Operations {
			switch {
			case op.Entry == was.Entry && op.Relation != was.Relation:
				why = "the two sides differ in another way: " + op.Relation
			case op.Entry == was.Entry:
				why = o.lost(was, op, o.refused(), o.refused())
			case o.public(op.Entry, was.Entry):
				why = ""
			}
			if why == "" {
				break
			}
		}
		if why != "" {
			return why
		}
	}
	return ""
}

// fedOtherwise holds where the operands came from of all that led to it: what is
// still asked for must be asked with such operands as before.
func (o *holder) fedOtherwise(now syntax.Kin) string {
	for _, was := range o.kin.Flow {
		still := func(op syntax.Operation) bool { return op.Entry == was.Entry }
		if o.relates && !slices.ContainsFunc(now.Flow, still) {
			return "asks nothing of " + was.Entry + " any more"
		}
	}
	for _, op := range now.Flow {
		why := ""
		for _, was := range o.kin.Flow {
			if was.Entry != op.Entry {
				continue
			}
			if why = o.lost(was, op, o.refused(), o.refused() && o.gave(was)); why == "" {
				break
			}
		}
		if why != "" {
			return why
		}
	}
	return ""
}

// gave reports whether an operation gave an operand of the one that failed, which may be why it is refused.
func (o *holder) gave(by syntax.Operation) bool {
	return slices.ContainsFunc(o.kin.Operations, func(op syntax.Operation) bool {
		return slices.ContainsFunc(op.Operands, func(x syntax.Operand) bool {
			return x.Origin == syntax.Library && x.By == by.Entry
		})
	})
}

// public reports whether a function that is asked instead of another is one
// that users may call, and that the other led through.
func (o *holder) public(entry, was string) bool {
	if o.original.Refuses() {
		return false // what is refused on purpose is refused by contract further down: who passed it on is to blame
	}
	for part := range strings.SplitSeq(entry, ".") {
		private := strings.HasPrefix(part, "_") && !strings.HasPrefix(part, "__") || part == "internal"
		if private && !strings.Contains("."+was, "._") {
			return false
		}
	}
	name := entry[strings.LastIndexByte(entry, '.')+1:]
	for _, r := range o.kin.Raised {
		for _, f := range r.Library {
			at := strings.LastIndexByte(f, '.')
			if f[at+1:] == name && strings.HasPrefix(entry, f[:strings.IndexByte(f, '.')]) {
				return true
			}
		}
	}
	return false
}

// refused reports whether a library has refused something on purpose.
func (o *holder) refused() bool { return o.original.Refuses() && !o.original.Complains() }

// lost says which operand of an operation comes from elsewhere than it did. What is
// refused on purpose must not be refused for another reason: for another number,
// wherever that was given first, or without an argument, where it is refused or made.
func (o *holder) lost(was, now syntax.Operation, numbers, arguments bool) string {
	for _, x := range was.Operands {
		i := slices.IndexFunc(now.Operands, func(y syntax.Operand) bool { return y.At == x.At })
		if i < 0 && arguments {
			return fmt.Sprintf("operand %s of %s is missing, which may be refused for that", x.At, was.Entry)
		}
		if i < 0 {
			continue // it does without
		}
		y := now.Operands[i]
		switch {
		case x.Origin == syntax.Library && (y.Origin != syntax.Library || y.What != x.What):
			return fmt.Sprintf("operand %s of %s is no longer given by %s", x.At, was.Entry, x.By)
		case x.Origin == syntax.Own && (y.Origin != syntax.Own || y.By != x.By):
			return fmt.Sprintf("operand %s of %s is no %s of the program's own any more", x.At, was.Entry, own(x))
		case x.Origin == syntax.Written && numbers && x.By != y.By:
			return fmt.Sprintf("operand %s of %s is %s, and not %s", x.At, was.Entry, y.By, x.By)
		case x.Origin == syntax.Written && y.Origin == syntax.Written && x.What != y.What:
			return fmt.Sprintf("operand %s of %s is another kind of value: %s, and not %s", x.At, was.Entry, y.What, x.What)
		}
	}
	return ofOwn(was, now)
}

// own says in words what an operand of the program's own is.
func own(x syntax.Operand) string {
	if x.By == "" {
		return x.What
	}
	return bug.Code(x.By) + strings.TrimPrefix(x.What, "class")
}

// ofOwn says what of the program's own is no longer in an operation.
func ofOwn(was, now syntax.Operation) string {
	for _, m := range was.Called {
		if !slices.Contains(now.Called, m) {
			return fmt.Sprintf("%s does not call %s of the program any more", was.Entry, m)
		}
	}
	if was.Equal && !now.Equal {
		return "nothing equal was given to the library before"
	}
	return ""
}

// writtenDown holds that what is printed is computed, where it was.
func (o *holder) writtenDown(now syntax.Kin) string {
	if !o.symptom.InOutput() {
		return ""
	}
	for _, was := range o.kin.Printed {
		if !strings.Contains(bug.Squeeze(o.symptom.Output), bug.Squeeze(was.Text)) || bug.Squeeze(was.Text) == "" {
			continue
		}
		for _, op := range was.By {
			same := func(p syntax.Print) bool {
				return bug.Squeeze(p.Text) == bug.Squeeze(was.Text) && slices.ContainsFunc(p.By, func(by syntax.Operation) bool {
					return by.Entry == op.Entry && slices.Equal(by.Values, op.Values) && o.lost(op, by, false, false) == ""
				})
			}
			if !slices.ContainsFunc(now.Printed, same) {
				return fmt.Sprintf("%q is no longer computed by %s", bug.Short(was.Text, 60), op.Entry)
			}
		}
	}
	return ""
}

// held says in words what makes it the same bug.
func (o *holder) held() []string {
	switch {
	case o.crash != nil:
		return o.crash.words()
	case o.stay != nil:
		return o.stay.words()
	case o.kin == nil:
		return nil
	}
	var all []string
	for _, op := range o.operations() {
		what := "it fails in " + bug.Code(op.Entry)
		if o.symptom.InOutput() {
			what = "it is computed by " + bug.Code(op.Entry)
		}
		all = append(all, what)
		for _, x := range op.Operands {
			switch x.Origin {
			case syntax.Library:
				all = append(all, fmt.Sprintf("operand %s comes from a library, here %s", x.At, bug.Code(x.By)))
			case syntax.Own:
				all = append(all, fmt.Sprintf("operand %s is a %s of the program's own", x.At, own(x)))
			}
		}
		for _, m := range op.Called {
			all = append(all, fmt.Sprintf("the library calls its %s", bug.Code(m)))
		}
		if op.Equal {
			all = append(all, "it equals something that the library was given before")
		}
	}
	for _, r := range o.kin.Raised {
		if r.Raiser != "" {
			all = append(all, fmt.Sprintf("%s is raised in %s", r.Class, bug.Code(r.Raiser)))
		} else if o.pathHolds() && len(r.Path) > 0 && last(r.Path) != "<module>" {
			all = append(all, fmt.Sprintf("%s is raised in %s of the program", r.Class, bug.Code(last(r.Path))))
		}
	}
	return slices.Compact(all)
}

// operations are those that failed, or that computed what is printed wrongly.
func (o *holder) operations() []syntax.Operation {
	all := o.kin.Operations
	for _, p := range o.kin.Printed {
		if o.symptom.InOutput() && bug.Squeeze(p.Text) != "" &&
			strings.Contains(bug.Squeeze(o.symptom.Output), bug.Squeeze(p.Text)) {
			all = append(all, p.By...)
		}
	}
	return all
}
