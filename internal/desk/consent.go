package desk

import (
	"context"
	"errors"
	"github.com/scrub-dev/scrub/internal/machine"
	"github.com/scrub-dev/scrub/internal/refusal"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/project"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/vet"
)

// consent finds out whether a program may run: by what was decided about
// exactly these bytes before, by approveClean, or by asking.
func (d *Desk) consent(ctx context.Context, s casefile.Subject, approveClean bool) (casefile.Consent, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return casefile.Consent{}, err
	}
	decided, ok, err := kept.Decision(ctx, s.Repro.Digest())
	if err != nil {
		return casefile.Consent{}, err
	}
	clean := !vet.Asks(s.Findings)
	byRule := casefile.Consent{Decision: casefile.Proceed, By: approvedClean, Why: "nothing dangerous was found in it"}
	switch {
	case ok && clean && decided.Who == approvedClean && decided.Said == string(casefile.Proceed):
		return byRule, nil
	case ok && (decided.Who != approvedClean || decided.Said != string(casefile.Proceed)):
		return casefile.Consent{Decision: casefile.Word(decided.Said), By: decided.Who, At: decided.At}, nil
	case s.Trusted && clean:
		return casefile.Consent{Decision: casefile.Proceed, By: "scrub",
			Why: "a collaborator wrote it, and nothing dangerous was found in it"}, nil
	case approveClean && clean:
		// It is remembered, so that the same command without the flag says the same.
		_, err := d.Decide(ctx, DecideRequest{Program: s.Repro.Digest(), Said: string(casefile.Proceed), By: approvedClean})
		return byRule, err
	case d.MayRun == nil:
		return casefile.Consent{}, nil
	}
	said, err := d.MayRun(ctx, s)
	if err != nil || said == casefile.Nothing {
		return casefile.Consent{}, err
	}
	got, err := d.Decide(ctx, DecideRequest{Program: s.Repro.Digest(), Said: string(said), By: d.User})
	return got.Consent, err
}

// approvedClean is who decided where a person agreed to all programs in which
// nothing dangerous is found: it holds as long as nothing is.
const approvedClean = "--approve-clean"

// Agree is the MayRun of who has agreed to everything.
func Agree(context.Context, casefile.Subject) (casefile.Word, error) { return casefile.Proceed, nil }

// A DecideRequest says whether a program may run.
type DecideRequest struct {
	Program string `json:"program"`  // its digest
	Said    string `json:"decision"` // proceed, skip or change; or not-this, of how it fails
	By      string `json:"by"`
}

// A Decision is what somebody has said of a program.
type Decision struct {
	Schema  string `json:"schema"`
	Program string `json:"program"`
	casefile.Consent
}

// Decide puts on record whether a program may run.
func (d *Desk) Decide(ctx context.Context, r DecideRequest) (Decision, error) {
	said := casefile.Word(r.Said)
	about := d.programOf
	switch {
	case said == casefile.NotThis:
		about = d.failureOf
	case said != casefile.Proceed && said != casefile.Skip && said != casefile.Change:
		return Decision{}, refusal.Bad("%q: must be proceed, skip, change or not-this", r.Said)
	}
	if r.By == "" {
		return Decision{}, refusal.Bad("a decision needs a name: use --by NAME")
	}
	var err error
	if r.Program, err = about(ctx, r.Program); err != nil {
		return Decision{}, err
	}
	kept, err := d.Kept(ctx)
	if err != nil {
		return Decision{}, err
	}
	at := d.Now()
	err = kept.Decide(ctx, store.Decision{Program: r.Program, Said: r.Said, Who: r.By, At: at})
	return decision(r.Program, said, r.By, at), err
}

// programOf is the digest of a program that a person names: by the digest, by the
// beginning of one that was decided about before, or by its case.
func (d *Desk) programOf(ctx context.Context, name string) (string, error) {
	if wholeDigest.MatchString(name) {
		return name, nil
	}
	found := map[string]bool{}
	c, err := d.Case(ctx, name)
	if err != nil && !errors.Is(err, store.ErrNoCase) {
		return "", err
	}
	if err == nil && len(c.Repro.Files) > 0 {
		found[c.Repro.Digest()] = true
	}
	all, err := d.Decisions(ctx)
	if err != nil {
		return "", err
	}
	for _, one := range all {
		if len(name) >= shortestDigest && strings.HasPrefix(one.Program, name) {
			found[one.Program] = true
		}
	}
	switch digests := slices.Sorted(maps.Keys(found)); len(digests) {
	case 0:
		return "", refusal.Bad("%s: neither the digest of a program nor a case that has one; scrub show CASE prints it", name)
	case 1:
		return digests[0], nil
	default:
		return "", refusal.Bad("%s could be %s: give the whole digest", name, strings.Join(digests, " or "))
	}
}

// failureOf is the failure that a case asks a person about.
func (d *Desk) failureOf(ctx context.Context, name string) (string, error) {
	c, err := d.Case(ctx, name)
	if err != nil {
		return "", err
	}
	digest, ok := c.Failing()
	if !ok {
		return "", refusal.Bad("%s: nobody is asked whether what was seen is the reported failure", name)
	}
	return digest, nil
}

// said is the last that a person has said of a failure.
func (d *Desk) said(ctx context.Context, failure string) (casefile.Consent, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return casefile.Consent{}, err
	}
	word, ok, err := kept.Decision(ctx, failure)
	if err != nil || !ok {
		return casefile.Consent{}, err
	}
	return casefile.Consent{Decision: casefile.Word(word.Said), By: word.Who, At: word.At}, nil
}

// wholeDigest is how the digest of a program is written.
var wholeDigest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// shortestDigest is how much of a digest names a program at least.
const shortestDigest = 12

func decision(program string, said casefile.Word, by string, at time.Time) Decision {
	return Decision{"decision/1", program, casefile.Consent{Decision: said, By: by, At: at}}
}

// Decisions are all that anybody said about programs, the latest first.
func (d *Desk) Decisions(ctx context.Context) ([]Decision, error) {
	kept, err := d.Kept(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := kept.Decisions(ctx)
	all := make([]Decision, len(rows))
	for i, r := range rows {
		all[i] = decision(r.Program, casefile.Word(r.Said), r.Who, r.At)
	}
	return all, err
}

// mayInstall asks a person which packages that a program lacks may be installed.
func (d *Desk) mayInstall(ctx context.Context, c casefile.Case, r IssueRequest) ([]string, error) {
	named := r.installs == 0 && len(r.Versions.Install)+len(r.Pythons) > 0
	missing := slices.DeleteFunc(slices.Clone(c.Lacks()), func(m string) bool { return slices.Contains(r.askedFor, m) })
	if d.MayInstall == nil && !r.Yes || r.installs == machine.MostInstalls || len(missing) == 0 || r.Box.Own() || named {
		return nil, nil
	}
	prof, err := project.For(r.Profile, c.Report.Ref.Repo)
	if err != nil {
		return nil, err
	}
	envs, err := d.Machine.Environments(ctx, r.Box, r.Versions)
	if err != nil {
		return nil, err
	}
	lacks, err := d.Machine.Lacks(ctx, missing, prof, c.Package, envs)
	if err != nil {
		return nil, err
	}
	if len(lacks) == 0 {
		return nil, nil
	}
	if !r.Yes {
		return d.MayInstall(ctx, lacks)
	}
	return machine.Had(lacks, d.warn), nil
}
