package pipeline

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/judge"
	"github.com/scrub-dev/scrub/internal/mend"
	"github.com/scrub-dev/scrub/internal/mention"
	"github.com/scrub-dev/scrub/internal/observe"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/vet"
)

// How probable something must be to be said.
const (
	sureFixed = 0.55 // that a statement which changed is what the report is about: to be wrong costs more than to say less
	sureShown = 0.8  // that a statement shows what the report complains of
)

// observe runs all programs of the report as one session, on the oldest version
// and on the newest, and makes the statement that the report most likely is
// about the program of c. It reports whether that settles it: there is one, and
// its runs confirm what was seen; or a person will not have the programs run.
func (p *Pipeline) observe(ctx context.Context, c *casefile.Case) (bool, error) {
	if p.Modified != nil || p.Expect != nil {
		return false, nil
	}
	p.begin("observe", "reading all programs of the report")
	versions, err := p.Runtimes(ctx, p.Profile.Recorded(c.Package))
	if err != nil {
		return false, err
	}
	if len(versions) == 1 && c.Symptom.Kind != bug.Unsaid && !p.Profile.Plain.For(c.Repro.Files[bug.Script]) {
		return false, nil // there is nothing to compare, and the words say what to look for
	}
	s := c.Subject
	session, ok, err := p.session(ctx, c, &s, versions[len(versions)-1])
	if said := s.Consent.Decision; err == nil && (said == casefile.Skip || said == casefile.Change) {
		c.Subject = s // a person has seen all of it, and is not asked about parts
		return true, nil
	}
	if err != nil || !ok {
		return false, err
	}
	q, found, err := p.compare(ctx, c, session, versions)
	if err != nil || !found {
		return false, err
	}
	if q.Shows != "" {
		s.Mends = append(s.Mends, mend.Mend{Name: "shown", Text: q.Shows})
	}
	s.Repro, s.Symptom, s.SymptomFrom = p.repro(q.Text), q.Symptom, casefile.Observing
	reading, err := p.Read(ctx, q.Text, versions[len(versions)-1])
	if err != nil {
		return false, err
	}
	reading.Strings = nil
	s.Reading = &reading
	c.Subject = s
	if err := p.askAll(ctx, c); err != nil {
		return false, err
	}
	if c.Confirmed() {
		return true, nil
	}
	c.Observed.Judged = nil
	return false, nil
}

// compare watches a session on the oldest version and on the newest, and makes a
// question of the statement that the report most likely is about, if there is one.
func (p *Pipeline) compare(ctx context.Context, c *casefile.Case, session observe.Session,
	versions []bug.Runtime) (observe.Question, bool, error) {
	older, newer := versions[0], versions[len(versions)-1]
	before, err := p.watch(ctx, session, older, hashed("0"))
	if err != nil {
		return observe.Question{}, false, err
	}
	after := before
	if len(versions) > 1 {
		if after, err = p.watch(ctx, session, newer, hashed("0")); err != nil {
			return observe.Question{}, false, err
		}
	}
	words := mention.Of(c.Thread.Pieces, session)
	seen := &casefile.Observed{Statements: len(session.Statements), Older: judge.Compared(session, words, before),
		Newer: judge.Compared(session, words, after)}
	seen.Clues = judge.Clues(session, words, before, after, older.Packages[c.Package], newer.Packages[c.Package])
	seen.Missing = slices.Compact(slices.Sorted(slices.Values(append(before.Missing(), after.Missing()...))))
	if len(seen.Clues) > 0 {
		// What differs between two runs of one version differs for a dull reason.
		again, err := p.watch(ctx, session, newer, hashed("1"))
		if err != nil {
			return observe.Question{}, false, err
		}
		noise := observe.NoiseOf(after, again)
		before, after = before.Without(noise), after.Without(noise)
		seen.Clues = judge.Clues(session, words, before, after, older.Packages[c.Package], newer.Packages[c.Package])
	}
	c.Observed = seen
	p.found("observe", "%s, %s", bug.Count(len(session.Statements), "statement"),
		bug.Count(len(seen.Clues), "difference"))
	about, ok := chosen(seen, after, c.Symptom)
	if p.Guess != nil && p.Guess.Statement != "" {
		seen.Judged = nil
		about, ok = p.meant(seen)
	}
	if ok {
		q, ok := session.Ask(about, before, after)
		seen.Modes = modes(session, seen.Clues, q.Symptom, before, after)
		return q, ok, nil
	}
	return p.plain(ctx, c, session, newer, after, words)
}

// mostModes is how many failures of one report are told apart.
const mostModes = 4

// modes are the failures besides a symptom that the report mentions and that are gone.
func modes(
	s observe.Session,
	clues []judge.Clue,
	besides bug.Symptom,
	before, after observe.Transcript,
) []casefile.Mode {
	var all []casefile.Mode
	known := []string{besides.String()}
	for _, c := range clues {
		_, old, mentioned := judge.Fitted().Quote(c)
		if c.Older.Kind != observe.Exception || c.Newer.Kind == observe.Exception || !mentioned || !old ||
			len(all) == mostModes {
			continue
		}
		if q, ok := s.Ask(c.Difference, before, after); ok && !slices.Contains(known, q.Symptom.String()) {
			known = append(known, q.Symptom.String())
			all = append(all, casefile.Mode{Program: q.Text, Symptom: q.Symptom})
		}
	}
	return all
}

// plain watches a session on a version in the plain way that the profile names,
// and makes a question of what only the special one shows, if the report mentions it.
func (p *Pipeline) plain(ctx context.Context, c *casefile.Case, session observe.Session, r bug.Runtime,
	special observe.Transcript, words mention.Words) (q observe.Question, found bool, err error) {
	if !p.Profile.Plain.For(session.Text()) {
		return q, false, nil
	}
	in := hashed("0")
	maps.Copy(in.Factors, p.Profile.Plain.Set)
	plain, err := p.watch(ctx, session, r, in)
	if err != nil {
		return q, false, err
	}
	model := judge.Fitted()
	clues := judge.Clues(session, words, special, plain)
	if len(clues) == 0 && ended(special) && p.Profile.Plain.Complained(c.Report.Title, c.Thread.Prose) {
		c.Observed.Agree = p.Profile.Plain.Name + " and " + p.Profile.Plain.Special
	}
	best, sure := model.Best(clues, judge.Compared(session, words, special))
	if best == nil || sure < sureFixed {
		return q, false, nil
	}
	hit, ofSpecial, mentioned := model.Quote(*best)
	if ofSpecial && hit.Wished() {
		return q, false, nil // what only the special way shows is what the report asks for
	}
	raised, both := best.Older.Kind == observe.Exception, best.Newer.Kind == observe.Exception
	if !mentioned || raised && c.Symptom.Contradicts(best.Older.Class, best.Older.Message) {
		return q, false, nil
	}
	if raised && both && hit.Level != mention.ErrorWhole && hit.Level != mention.ErrorMessage {
		return q, false, nil // it fails either way, and only in other words
	}
	c.Observed.Ways = &casefile.Ways{
		Plain:   p.Profile.Plain.Name,
		Special: p.Profile.Plain.Special,
		Clue:    *best,
		Quote:   hit,
	}
	q, found = session.Ask(best.Difference, special, plain)
	return q, found, nil
}

// ended reports whether every statement of a session came to its end.
func ended(t observe.Transcript) bool {
	return !slices.ContainsFunc(t.Seen, func(s observe.Seen) bool {
		return s.Skipped != "" || s.Died != "" || s.Slow > 0 || len(s.Raised) > 0
	})
}

// chosen is the statement that the report most likely is about: one that
// changed; or, if the words name no symptom, one that shows on the newest version
// what the report complains of.
func chosen(seen *casefile.Observed, newest observe.Transcript, named bug.Symptom) (observe.Difference, bool) {
	model := judge.Fitted()
	best, probability := model.Best(seen.Clues, seen.Older)
	fixed := best != nil && probability >= sureFixed
	if best != nil {
		_, _, mentioned := model.Quote(*best)
		fixed = fixed && mentioned // what nobody mentions has only changed
	}
	at, unnamed := seen.Newer.Statement, named.Kind == bug.Unsaid
	if !fixed && unnamed && at >= 0 && model.Shown(seen.Newer) >= sureShown {
		return observe.Difference{Statement: at, Older: newest.Seen[at].Thing(),
			Newer: observe.Thing{Kind: observe.Silence}}, true
	}
	if best == nil || !fixed && best.Trivial() {
		return observe.Difference{}, false
	}
	seen.Judged = &casefile.Judged{Clue: *best, Probability: probability, Fixed: fixed}
	if hit, old, ok := model.Quote(*best); ok {
		seen.Judged.Quote, seen.Judged.OfOlder = &hit, old
	}
	return best.Difference, true
}

// session reads the programs of a report as one, completes it with what every
// user of the package would have typed before, and finds out whether it may run.
func (p *Pipeline) session(ctx context.Context, c *casefile.Case, s *casefile.Subject,
	r bug.Runtime) (session observe.Session, ok bool, err error) {
	var blocks []observe.Block
	for i, piece := range c.Thread.Pieces {
		if typed := piece.Kind == intake.Typed; typed || piece.Kind == intake.Code {
			blocks = append(blocks, observe.Block{Piece: i, Text: piece.Text, Lang: piece.Lang, Typed: typed})
		}
	}
	if len(blocks) == 0 {
		return session, false, nil
	}
	type question struct {
		Blocks  []observe.Block
		Runtime bug.Runtime
	}
	session, err = journal.Do(ctx, p.Log, "session/2", question{blocks, r},
		func(ctx context.Context, q question) (observe.Session, error) {
			return observe.Read(ctx, q.Blocks, sandbox.Tool(p.Box, q.Runtime))
		})
	if err != nil || len(session.Statements) == 0 {
		return session, false, err
	}
	// All of it is the report's, whoever wrote the program that would be tried.
	s.Mends, s.Author = nil, c.Report.Author
	s.Trusted = p.trusts(ctx, casefile.Case{Report: c.Report, Subject: *s})
	if session, err = p.completed(ctx, s, session, r); err != nil || s.Reading.Broken != nil {
		return session, false, err
	}
	if vet.Asks(vet.Review(s.Repro.Files[bug.Script], *s.Reading, p.Profile)) {
		p.skipped("observe", "a person must agree to run all programs of the report together")
		return session, false, nil
	}
	err = p.agree(ctx, s)
	return session, err == nil && s.Consent.Decision == casefile.Proceed, err
}

// completed puts in front of a session what every user of the package would
// have typed before.
func (p *Pipeline) completed(ctx context.Context, s *casefile.Subject, session observe.Session,
	r bug.Runtime) (observe.Session, error) {
	reading, err := p.Read(ctx, session.Text(), r)
	s.Reading = &reading
	if err != nil || reading.Broken != nil {
		return session, err
	}
	exports, err := p.exports(ctx, s.Package, reading.Unbound, r)
	if err != nil {
		return session, err
	}
	var lines []string
	for _, m := range append(mend.Names(reading.Unbound, exports, s.Package, p.Profile.Names), madeUp(session.Text())...) {
		lines = append(lines, m.Text)
		s.Mends = append(s.Mends, m)
	}
	if len(lines) > 0 {
		session = session.Above(lines...)
		reading, err = p.Read(ctx, session.Text(), r) // what runs is what was read
	}
	s.Repro = p.repro(session.Text())
	return session, err
}

// hashed has Python hash by a number.
func hashed(n string) bug.Setting {
	return bug.Setting{Factors: map[string]string{"PYTHONHASHSEED": n}}
}

// watch runs a session on a version, in a setting.
func (p *Pipeline) watch(ctx context.Context, s observe.Session, r bug.Runtime,
	in bug.Setting) (observe.Transcript, error) {
	type question struct {
		Statements []observe.Statement
		Runtime    bug.Runtime
		Limits     observe.Limits
		Ways       observe.Ways
		Round      string
		Setting    bug.Setting
	}
	limits := observe.Limits{Each: min(15*time.Second, p.Limits.Time), All: min(40*time.Second, 3*p.Limits.Time)}
	ways := observe.Ways{Views: p.Profile.Views, Seeds: map[string]string{}}
	for _, seed := range p.Profile.Seeds {
		ways.Seeds[seed.Module] = seed.Call
	}
	p.begin("observe", fmt.Sprintf("%s on %s", bug.Count(len(s.Statements), "statement"), r.Version))
	t, err := journal.Do(ctx, p.Log, "watch/2", question{s.Statements, r, limits, ways, p.Round, in},
		func(ctx context.Context, q question) (observe.Transcript, error) {
			box := p.Limits
			box.Time, box.Output = 4*q.Limits.All, 8<<20 // CPU is what counts; this is for what waits
			return observe.Watch(ctx, s, q.Limits, q.Ways, func(ctx context.Context, repro bug.Repro) (bug.Outcome, error) {
				return p.Box.Run(ctx, sandbox.Job{Repro: repro, Runtime: q.Runtime, Setting: q.Setting, Limits: box})
			})
		})
	return t.Known(p.Profile.AlsoCalled), err
}
