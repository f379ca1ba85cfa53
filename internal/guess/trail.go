package guess

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// differs looks for the first thing that a program asked of which something else came where it passes. It must be
// something of the library that the report names, and what is seen must be just that: whatever chooses what to do by
// where it runs shows before.
func (f Facts) differs() (Objection, bool) {
	here, there := f.Shown.Kin, f.Passed.Kin
	if here == nil || there == nil {
		return f.traced()
	}
	for i := range min(len(here.Reads), len(there.Reads)) {
		if here.Reads[i] != there.Reads[i] {
			return Objection{
				AsksWhere,
				fmt.Sprintf("it reads %s, which is not the same on both versions", here.Reads[i][0]),
			}, false
		}
	}
	n := min(len(here.Trail), len(there.Trail))
	first := n
	for i := range n {
		if here.Trail[i].Entry != there.Trail[i].Entry || here.Trail[i].Result != there.Trail[i].Result {
			first = i
			break
		}
	}
	if first == len(here.Trail) {
		return f.stopped(*here, first == len(there.Trail))
	}
	at := f.behind(here.Trail, first)
	switch {
	case first == len(there.Trail) || here.Trail[first].Entry != there.Trail[first].Entry:
		return Objection{OtherWay, "it asks for " + at.Entry + " on one version alone"}, false
	case len(f.ours(at.Entry)) == 0:
		return Objection{Made, fmt.Sprintf("what differs first is %s, which is nothing of %s", at.Entry, f.library())}, false
	case !f.names(at.Entry):
		return Objection{NotSaid, "what differs first is " + at.Entry + ", which the report does not name"}, false
	case f.Symptom.Kind == bug.Raises && !strings.HasPrefix(at.Result, "raises "):
		return Objection{
			OtherWay,
			fmt.Sprintf("before it fails, %s gives something else: the same must be asked of both versions",
				at.Entry),
		}, false
	case f.Symptom.InOutput() && !f.printed(here.Trail, there.Trail, first):
		return Objection{Made, "what is printed is not what " + at.Entry + " gave"}, false
	}
	return Objection{}, true
}

// stopped reports whether a program that died or did not end was asking the library then.
func (f Facts) stopped(here syntax.Kin, both bool) (Objection, bool) {
	switch {
	case both || here.StoppedIn == "":
		return Objection{Unseen, "what differs between the versions could not be seen"}, false
	case len(f.ours(here.StoppedIn)) == 0:
		return Objection{Made, fmt.Sprintf("it stops in %s, which is nothing of %s", here.StoppedIn, f.library())}, false
	case !f.names(here.StoppedIn):
		return Objection{NotSaid, "it stops in " + here.StoppedIn + ", which the report does not name"}, false
	}
	return Objection{}, true
}

// behind is a step, or the one of the library that gave it what it only shows.
func (f Facts) behind(steps []syntax.Step, i int) syntax.Step {
	for slices.Contains(showing, steps[i].Entry) && len(steps[i].GivenBy) > 0 && steps[i].GivenBy[0] < i {
		i = steps[i].GivenBy[0]
	}
	return steps[i]
}

// printed reports whether something that is printed differs because of one step, and shows what that gave.
func (f Facts) printed(here, there []syntax.Step, first int) bool {
	for i := first; i < min(len(here), len(there)); i++ {
		if here[i].Entry == "print" && there[i].Entry == "print" && here[i].Result != there[i].Result {
			return f.shows(here, i, first)
		}
	}
	return false
}

// showing are what only shows a value, or a part of it, in another way.
var showing = strings.Fields("print len str repr round list tuple sorted sum float int bool max min text")

// shows reports whether a step does nothing but show what an earlier one gave.
func (f Facts) shows(steps []syntax.Step, i, first int) bool {
	if i <= first {
		return i == first
	}
	s := steps[i]
	if s.Form == "op" && len(f.ours(s.Entry)) == 0 ||
		s.Form == "call" && !slices.Contains(showing, s.Entry) && len(f.ours(s.Entry)) == 0 {
		return false
	}
	return slices.ContainsFunc(s.GivenBy, func(by int) bool { return by < i && f.shows(steps, by, first) })
}

// traced is what can be said of a program that cannot be watched as it runs: where its error comes from.
func (f Facts) traced() (Objection, bool) {
	e, ok := f.Shown.Outcome.Exception()
	if !ok || f.Symptom.Kind != bug.Raises || f.Package == "" {
		return Objection{Unseen, "it could not be watched while it ran"}, false
	}
	last := e.Frames[max(0, len(e.Frames)-1):]
	if len(last) == 0 ||
		!strings.Contains(last[0].File, "/"+f.Package+"/") && !strings.HasSuffix(last[0].File, "/"+f.Package+".py") {
		return Objection{Made, "its error does not come out of " + f.library()}, false
	}
	return Objection{}, true
}
