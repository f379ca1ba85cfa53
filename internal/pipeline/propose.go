package pipeline

import (
	"fmt"
	"slices"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/report"
	"github.com/scrub-dev/scrub/internal/triage"
)

// propose returns what there is to say and do on the forge. A report that
// is on no forge, or that the profile keeps hands off, gets nothing.
func (p *Pipeline) propose(c casefile.Case) []action.Action {
	ref := c.Report.Ref
	if ref.Repo == "" || c.Triage != nil && c.Triage.Off {
		return nil
	}
	verdict, reason := c.Verdict()
	reason = report.Public(reason) // with a label, the forge shows it
	for _, f := range []*triage.Finding{c.Triage, c.Remark} {
		if f != nil && (f == c.Triage || verdict == casefile.NotActionable) { // a run has not told otherwise
			return afterTriage(*f, ref, reason, p.Profile.Labels, f.Belongs(p.Profile, c.Report))
		}
	}
	if c.Guess.Made() { // nobody is told what was made up of their words: they are asked
		var all []action.Action
		if l := p.Profile.Labels.Repro; l != "" && !slices.Contains(c.Report.Labels, l) {
			all = append(all, action.Action{Kind: action.AddLabel, On: ref, Text: l, Why: "The report contains no program."})
		}
		return append(all, action.Action{Kind: action.Comment, On: ref, Text: report.AskForProgram(c), Why: reason})
	}
	all := relabel(c, verdict, reason, p.Profile.Labels)
	if text := report.Comment(c); text != "" {
		all = append(all, action.Action{Kind: action.Comment, On: ref, Text: text, Why: reason})
	}
	if verdict == casefile.Fixed && c.Report.State == bug.Open {
		all = append(all, action.Action{Kind: action.Close, On: ref, Text: "completed", Why: reason})
	}
	if verdict == casefile.NeedsInfo && triage.Stale(p.Profile, c.Report, p.Now()) {
		all = append(all, notPlanned(ref, reason)...)
	}
	return all
}

// relabel are the labels that a case should gain and lose.
func relabel(c casefile.Case, verdict casefile.Verdict, reason string, labels profile.Labels) []action.Action {
	var all []action.Action
	change := func(kind action.Kind, label, why string) {
		if label != "" && slices.Contains(c.Report.Labels, label) != (kind == action.AddLabel) {
			all = append(all, action.Action{Kind: kind, On: c.Report.Ref, Text: label, Why: why})
		}
	}
	switch {
	case verdict == casefile.NeedsInfo && len(c.Asked) > 0:
		change(action.AddLabel, labels.Repro, reason)
	case len(c.Candidates) > 0:
		change(action.RemoveLabel, labels.Repro, "The report contains a program.")
	}
	if c.Why != nil && c.Why.Measured && (verdict == casefile.Reproduces || verdict == casefile.Flaky) {
		for _, l := range c.Why.Labels {
			change(action.AddLabel, l, fmt.Sprintf("Ablation shows: %s in %s.", c.Why.Class.Category, c.Why.Component))
		}
	}
	if c.Why != nil && (verdict == casefile.Reproduces || verdict == casefile.Flaky) {
		for _, l := range c.Why.Class.Seen {
			change(action.AddLabel, l, fmt.Sprintf("A run showed it: %s", c.Why.Class.Means))
		}
	}
	if c.Remark != nil { // it was run all the same
		for _, l := range c.Remark.Add {
			change(action.AddLabel, l, report.Public(c.Remark.Reason))
		}
	}
	if verdict == casefile.Refused && labels.Triaged != "" {
		all = append(all, action.Action{Kind: action.RenewLabel, On: c.Report.Ref, Text: labels.Triaged, Why: reason})
	}
	return all
}

// notPlanned closes an issue that nobody can act on, and that nobody has been at for long.
func notPlanned(ref bug.Ref, reason string) []action.Action {
	why := reason + " The issue is stale and has no assignee."
	return []action.Action{{Kind: action.Comment, On: ref, Text: report.NotPlanned(why), Why: why},
		{Kind: action.Close, On: ref, Text: "not planned", Why: why}}
}

// afterTriage is what follows for a report that needs no run; forum is where it belongs, if that is elsewhere. If
// nothing that others can see comes of it, the label that says somebody has looked at it is renewed, so that it does not
// come up again tomorrow.
func afterTriage(f triage.Finding, ref bug.Ref, reason string, labels profile.Labels, forum string) []action.Action {
	var all []action.Action
	for _, l := range f.Remove {
		all = append(all, action.Action{Kind: action.RemoveLabel, On: ref, Text: l, Why: reason})
	}
	for _, l := range f.Add {
		all = append(all, action.Action{Kind: action.AddLabel, On: ref, Text: l, Why: reason})
	}
	switch {
	case f.Close:
		all = append(all, notPlanned(ref, reason)...)
	case forum != "":
		all = append(all, action.Action{Kind: action.Comment, On: ref, Text: report.Asked(forum), Why: reason})
	}
	if len(all) == 0 && labels.Triaged != "" {
		all = append(all, action.Action{Kind: action.RenewLabel, On: ref, Text: labels.Triaged, Why: reason +
			" Nothing else was changed."})
	}
	return all
}
