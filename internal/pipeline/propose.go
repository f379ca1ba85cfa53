package pipeline

import (
	"fmt"

	"scrub/internal/action"
	"scrub/internal/casefile"
)

// propose returns what there is to say and do on the forge. A report that
// is on no forge, or that the profile keeps hands off, gets nothing.
func propose(c casefile.Case) []action.Action {
	ref := c.Report.Ref
	if ref.Repo == "" || c.Triage != nil && c.Triage.Off {
		return nil
	}
	_, reason := c.Verdict()
	var all []action.Action
	if c.Triage != nil {
		for _, l := range c.Triage.Remove {
			all = append(all, action.Action{Kind: action.RemoveLabel, On: ref, Text: l, Why: reason})
		}
		for _, l := range c.Triage.Add {
			all = append(all, action.Action{Kind: action.AddLabel, On: ref, Text: l, Why: reason})
		}
		return all
	}
	if text := comment(c); text != "" {
		all = append(all, action.Action{Kind: action.Comment, On: ref, Text: text, Why: reason})
	}
	return all
}

// comment is the short comment for the people on the issue. Only what was
// measured is worth their time.
func comment(c casefile.Case) string {
	verdict, _ := c.Verdict()
	if len(c.Asked) == 0 {
		return ""
	}
	newest := c.Asked[len(c.Asked)-1]
	where := c.Where(newest)
	switch verdict {
	case casefile.Reproduces:
		return fmt.Sprintf("This issue still reproduces on %s.", where)
	case casefile.Flaky:
		return fmt.Sprintf("This issue still reproduces on %s, in %d of %d runs.", where, newest.Tally.Yes, newest.Tally.Runs())
	case casefile.Fixed:
		return fmt.Sprintf("This issue no longer reproduces on %s.", where)
	case casefile.DoesNotReproduce:
		return fmt.Sprintf("This issue does not reproduce on %s.", where)
	}
	return ""
}
