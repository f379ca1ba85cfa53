package pipeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/triage"
	"github.com/scrub-dev/scrub/internal/vet"
)

// Triage takes the steps that only read: what is in the report, whether it
// can be acted on, and which program would be tried. A case that is stopped
// by a rule of the profile has no candidates.
func (p *Pipeline) Triage(r bug.Report) (c casefile.Case, err error) {
	c = casefile.Case{Report: r, Profile: p.Profile.Name}
	p.found("read", "%s, %s", bug.Short(r.Title, 60), bug.Count(len(r.Comments), "comment"))
	p.begin("intake", "parsing the thread")
	c.Thread = intake.Read(r)
	c.Package = cmp.Or(p.Package, triage.PackageOf(p.Profile, r, c.Thread))
	if c.Project = c.Package; p.Profile.Package == c.Package && p.Profile.Title != "" {
		c.Project = p.Profile.Title
	}
	c.Thread.Hidden = slices.DeleteFunc(c.Thread.Hidden, func(h string) bool {
		return slices.ContainsFunc(p.Profile.Form, func(f profile.Pattern) bool { return f.MatchString(h) })
	})
	p.found("intake", "%s, %s, %s", bug.Count(len(c.Thread.Programs), "program"),
		bug.Count(len(c.Thread.Exceptions), "error"), bug.Count(c.Thread.Images, "picture"))

	ranked := triage.Rank(p.Profile, c.Thread.Programs, r.Author)
	if c.Triage, err = triage.Stop(p.Profile, r, c.Thread, ranked, p.Now(), p.Ignored...); err != nil {
		return c, err
	}
	if c.Triage != nil {
		c.Proposals = p.propose(c)
		p.found("triage", "%s", c.Triage.Reason)
		return c, nil
	}
	p.found("triage", "actionable")
	p.take(&c)
	return c, nil
}

// take picks the program of a report that is to be run.
func (p *Pipeline) take(c *casefile.Case) {
	c.Reported, _ = c.Thread.VersionOf(triage.NamesOf(p.Profile, c.Package)...)
	c.Candidates = triage.Rank(p.Profile, c.Thread.Programs, c.Report.Author)
	if len(c.Candidates) == 0 {
		return
	}
	c.OfText = injected(*c, p.Profile)
	p.choose(c, 0, "")
	p.found("pick", "%s, %s; reported: %s", c.Candidates[0].Why, bug.Count(c.Candidates[0].Lines(), "line"), c.Symptom)
}

// injected is what the report says to those who read it for somebody else,
// in the open or hidden.
func injected(c casefile.Case, p profile.Profile) []vet.Finding {
	said := slices.Concat([]string{c.Report.Title}, c.Report.Posts(), c.Thread.Hidden)
	found := vet.Injected(strings.Join(said, "\n"), p)
	for _, h := range c.Thread.Hidden {
		found = append(found, vet.Finding{Class: "obfuscation", Severity: vet.Note, Name: bug.Short(h, 60),
			Why: "the report contains text that its page does not show"})
	}
	return found
}
