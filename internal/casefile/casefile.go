// Package casefile is what scrub has found out about one issue. It holds
// what was observed; the verdict is derived from that and never stored.
package casefile

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/ablate"
	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/guess"
	"github.com/scrub-dev/scrub/internal/intake"
	"github.com/scrub-dev/scrub/internal/mend"
	"github.com/scrub-dev/scrub/internal/minimize"
	"github.com/scrub-dev/scrub/internal/probe"
	"github.com/scrub-dev/scrub/internal/regress"
	"github.com/scrub-dev/scrub/internal/syntax"
	"github.com/scrub-dev/scrub/internal/triage"
	"github.com/scrub-dev/scrub/internal/vet"
)

// A Case is filled in from the top down. What is zero was not found out.
type Case struct {
	Report     bug.Report         `json:"report"`
	Profile    string             `json:"profile"`
	Reported   string             `json:"reported_version,omitempty"` // of the package, as the report says
	Newest     string             `json:"newest_version,omitempty"`   // that is released
	Thread     intake.Thread      `json:"thread"`
	Triage     *triage.Finding    `json:"triage,omitempty"`
	Remark     *triage.Finding    `json:"remark,omitempty"`     // what the words say of it; it was run all the same
	Candidates []triage.Candidate `json:"candidates,omitempty"` // the first is the one tried
	Subject
	Guess      *guess.Weighed  `json:"made_up,omitempty"` // what somebody made up for it, and what speaks for that
	Observed   *Observed       `json:"observed,omitempty"`
	When       *When           `json:"when,omitempty"` // it was fixed, or came in
	Why        *ablate.Why     `json:"why,omitempty"`
	Small      *minimize.Small `json:"minimized,omitempty"`
	SmallFrom  string          `json:"minimized_from,omitempty"` // the case whose smallest program this is, if another's
	Regression *Regression     `json:"regression,omitempty"`
	Marks      []regress.Mark  `json:"stale_marks,omitempty"` // in a checkout: that expect a bug which is fixed
	Proposals  []action.Action `json:"proposals,omitempty"`
	// Standing is what became of proposals, by their short IDs, as the ledger has it now. It is not kept.
	Standing map[string]string `json:"standing,omitempty"`
}

// A Subject is a program, what it is expected to show, and what was seen when it
// ran. A report has one; so has a file that somebody names.
type Subject struct {
	Project     string           `json:"project"` // what to call it in a sentence
	Package     string           `json:"package,omitempty"`
	Author      string           `json:"author,omitempty"`  // of the program
	Trusted     bool             `json:"trusted,omitempty"` // the author may change the repository
	Modified    *ModifiedProgram `json:"modified,omitempty"`
	Mends       []mend.Mend      `json:"mends,omitempty"` // what scrub put on top of it
	Repro       bug.Repro        `json:"repro,omitzero"`
	Complaint   string           `json:"complaint,omitempty"` // how the report says that it fails, if not in which way
	Symptom     bug.Symptom      `json:"symptom,omitzero"`
	SymptomFrom string           `json:"symptom_from,omitempty"` // where the symptom is from
	Reading     *syntax.Reading  `json:"reading,omitempty"`
	Findings    []vet.Finding    `json:"findings,omitempty"`
	Consent     Consent          `json:"consent,omitzero"`
	Asked       []Asked          `json:"tested,omitempty"`  // oldest version first
	NotThis     Consent          `json:"not_this,omitzero"` // a person's word that what was seen is not what is reported

	Words  string        `json:"-"` // what its report says of results; it is in the thread
	OfText []vet.Finding `json:"-"` // what is to be known of the report's text; among Findings
}

// ModifiedProgram is a person's version of a program, which runs in its place.
type ModifiedProgram struct {
	By   string `json:"by"`
	Text string `json:"-"` // it is the repro
}

// Consent is whether the program may run, and who says so.
type Consent struct {
	Decision Word      `json:"decision"`
	By       string    `json:"by,omitempty"`
	At       time.Time `json:"at,omitzero"`
	Why      string    `json:"why,omitempty"`
}

// Unread reports whether a program may run by a rule, so that nobody has read it.
func (c Consent) Unread() bool { return c.Decision == Proceed && c.Why != "" }

// A Word is what can be said to a program that wants to run.
type Word string

const (
	Nothing Word = ""
	Proceed Word = "proceed"
	Skip    Word = "skip"
	Change  Word = "change"   // only a tamed version of it may run
	NotThis Word = "not-this" // it may run; how it fails is not what is reported
)

// Asked is one question and what came of it.
type Asked struct {
	Setting bug.Setting `json:"setting"`
	Runtime bug.Runtime `json:"runtime"`
	Mends   []mend.Mend `json:"mends,omitempty"`   // what scrub changed for this version
	Program string      `json:"program,omitempty"` // with these changes
	Tally   probe.Tally `json:"tally"`
	Tried   []Steadied  `json:"tried,omitempty"` // to take the chance out of it
	Drift   bool        `json:"drift,omitempty"` // it failed for its environment does not fit, before it got to the bug
	Lacks   string      `json:"lacks,omitempty"` // what this machine does not have, if it failed for that; in a sentence
}

// Steadied is a flaky program with what might make it do the same in every run.
type Steadied struct {
	By    []string    `json:"by"`
	Tally probe.Tally `json:"tally"`
}

// Printed is the end of what the last run printed.
func (a Asked) Printed() string {
	const most = 2 << 10
	n := len(a.Tally.Outcomes)
	if n == 0 {
		return ""
	}
	o := a.Tally.Outcomes[n-1]
	return bug.Ends(strings.TrimSpace(o.Stdout+o.Stderr), most)
}

// most is how much is kept of what one run wrote to a stream, half of it from the
// beginning and half from the end.
const most = 32 << 10

// Kept is c as it is put on record: without the middle of long output. What
// follows from it was derived when all of it was there.
func (c Case) Kept() Case {
	c.Standing = nil
	if c.Observed != nil {
		c.Observed = c.Observed.kept()
	}
	c.Asked = slices.Clone(c.Asked)
	for i, a := range c.Asked {
		c.Asked[i].Tally.Outcomes = slices.Clone(a.Tally.Outcomes)
		for j, o := range a.Tally.Outcomes {
			o.Stdout, o.Stderr = bug.Ends(o.Stdout, most), bug.Ends(o.Stderr, most)
			c.Asked[i].Tally.Outcomes[j] = o
		}
	}
	return c
}

// ID names the case: by its issue, or by what it says if it is on no forge.
func (c Case) ID() string {
	if c.Report.Ref.Repo != "" {
		return bug.Digest(c.Report.Ref)[:idLength]
	}
	return bug.Digest(c.Report)[:idLength]
}

// idLength is enough for a million cases: two with one name are as likely as 1 in 500.
const idLength = 12

// Versions says which versions of the package there are to speak of: the one
// reported, the ones it was run with here, and the newest.
func (c Case) Versions() string {
	var all []string
	if c.Reported != "" {
		all = append(all, "reported "+c.Reported)
	}
	for _, a := range c.Asked {
		if v := a.Runtime.Packages[c.Package]; v != "" {
			all = append(all, "run with "+v)
		}
	}
	if c.Newest != "" {
		all = append(all, "newest "+c.Newest)
	}
	return strings.Join(all, ", ")
}

// Last is the newest version of the package, or else of Python, that was asked.
func (c Case) Last() string {
	if len(c.Asked) == 0 {
		return ""
	}
	r := c.Asked[len(c.Asked)-1].Runtime
	return cmp.Or(r.Packages[c.Package], r.Version)
}

// Where says which version an answer is about, as in "PyTorch 2.9.0 (Python 3.11.2)".
func (s Subject) Where(a Asked) string {
	python := "Python " + a.Runtime.Version
	if a.Runtime.Over != "" {
		python += ", with " + a.Runtime.Over
	}
	version := a.Setting.Version
	if version == "" {
		version = a.Runtime.Packages[s.Package]
	}
	if s.Package == "" || version == "" {
		return python
	}
	return s.Project + " " + version + " (" + python + ")"
}

// A Document is a case as it is kept and shown, with what follows from it.
type Document struct {
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason"`
	ID      string  `json:"case"`
	Program string  `json:"program,omitempty"` // the digest of the one picked
	Case
}

// Document is c with what follows from it.
func (c Case) Document() Document {
	verdict, reason := c.Verdict()
	doc := Document{Verdict: verdict, Reason: reason, ID: c.ID(), Case: c}
	if len(c.Candidates) > 0 {
		doc.Program = c.Repro.Digest()
	}
	return doc
}
