package watched

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/pairing"
	"github.com/scrub-dev/scrub/internal/session"
)

// A LedTo is what became of sessions: each beside the pull request it led to. What was merged is the agent's work after
// people had corrected it, so it says what survived and nothing about what an agent alone would have done; that
// takes a replay.
type LedTo struct {
	Paired   map[pairing.Method]int           `json:"paired"`   // sessions, by how their pull request was found
	Unsure   int                              `json:"unsure"`   // of these
	Survived map[cochange.Role]cochange.Count `json:"survived"` // lines that were merged, of those that agents wrote
	Lacking  cochange.Count                   `json:"lacking"`  // sessions that wrote files which the pull request does not have
	Tests    cochange.Count                   `json:"tests"`    // sessions that changed source and also wrote a test
	Accounts []Account                        `json:"sessions"`
}

// An Account is that of one session.
type Account struct {
	ID      string         `json:"id"`
	Agent   string         `json:"agent"`
	Start   time.Time      `json:"start"`
	Pull    int            `json:"pull,omitempty"`
	Method  pairing.Method `json:"method,omitempty"`
	Sure    bool           `json:"sure"`
	Lines   cochange.Count `json:"lines"` // merged, of those written
	Calls   int            `json:"calls"`
	Failed  int            `json:"failed"`
	Refused int            `json:"refused"`
}

// sessionID is as much of an ID as is needed to find it; a stranger's may be anything.
var sessionID = regexp.MustCompile(`^[0-9A-Za-z-]{1,64}`)

// ledTo says what became of sessions.
func ledTo(sessions []session.Session, pulls []merged) *LedTo {
	if len(sessions) == 0 {
		return nil
	}
	l := &LedTo{Paired: map[pairing.Method]int{}, Survived: map[cochange.Role]cochange.Count{}, Accounts: []Account{}}
	plain := asPulls(pulls)
	for _, s := range sessions {
		id := sessionID.FindString(s.ID)
		a := Account{ID: id[:min(8, len(id))], Agent: s.Agent, Start: s.Start}
		for _, step := range s.Steps {
			a.Calls++
			switch {
			case step.Refused:
				a.Refused++
			case step.Ended == bug.No:
				a.Failed++
			}
		}
		l.tests(s)
		w := asWork(s)
		pair := pairing.Find(w, plain, pairing.ByMark, pairing.ByBranch, pairing.ByIssue, pairing.ByLines)
		if at := slices.IndexFunc(pulls, func(m merged) bool { return m.ID == pair.Pull }); at >= 0 {
			a.Pull, a.Method, a.Sure = pulls[at].number, pair.Method, pair.Sure
			a.Lines = cochange.Count{Followed: w.Written.Common(pulls[at].Written), Of: len(w.Written)}
			l.pair(s, pulls[at], pair)
		}
		l.Accounts = append(l.Accounts, a)
	}
	return l
}

// tests notes whether a session that changed source also wrote a test.
func (l *LedTo) tests(s session.Session) {
	wrote := map[cochange.Role]bool{}
	for _, step := range s.Steps {
		if step.Kind == session.Edited && step.Ended == bug.Yes && step.Path != "" {
			wrote[cochange.RoleOf(step.Path)] = true
		}
	}
	if wrote[cochange.Source] {
		l.Tests.Of++
		if wrote[cochange.Test] {
			l.Tests.Followed++
		}
	}
}

// pair counts what became of a session. Only of sure pairs is anything said but that they are there.
func (l *LedTo) pair(s session.Session, m merged, pair pairing.Pair) {
	l.Paired[pair.Method]++
	if !pair.Sure {
		l.Unsure++
		return
	}
	wrote := map[cochange.Role][]string{}
	lacks, any := false, false
	for _, step := range s.Steps {
		if step.Kind != session.Edited || step.Ended != bug.Yes || step.Path == "" {
			continue
		}
		any = true
		lacks = lacks || !m.files[step.Path]
		wrote[cochange.RoleOf(step.Path)] = append(wrote[cochange.RoleOf(step.Path)], step.Wrote)
	}
	for role, texts := range wrote {
		lines := pairing.Of(texts...)
		l.Survived[role] = l.Survived[role].Plus(cochange.Count{Followed: lines.Common(m.Written), Of: len(lines)})
	}
	if any {
		l.Lacking.Of++
		if lacks {
			l.Lacking.Followed++
		}
	}
}

// Words say what became of sessions.
func (l *LedTo) Words() string {
	if l == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("### What sessions led to\n\nWhat was merged is the agent's work after people had corrected it. ")
	n := 0
	var how []string
	for _, m := range slices.Sorted(maps.Keys(l.Paired)) {
		n += l.Paired[m]
		how = append(how, fmt.Sprintf("%d by %s", l.Paired[m], m))
	}
	fmt.Fprintf(&b, "Of %d sessions, %d led to a pull request that was found (%s); of %d it is not sure.\n",
		len(l.Accounts), n,
		cmp.Or(strings.Join(how, ", "), "none"), l.Unsure)
	fmt.Fprintf(&b, "Of those that changed source, %d of %d also wrote a test. %d of %d wrote a file that the pull request lacks.\n\n",
		l.Tests.Followed, l.Tests.Of, l.Lacking.Followed, l.Lacking.Of)
	if len(l.Survived) > 0 {
		b.WriteString("| what agents wrote | lines | of these merged |\n|---|---|---|\n")
		for _, role := range slices.Sorted(maps.Keys(l.Survived)) {
			c := l.Survived[role]
			fmt.Fprintf(&b, "| %s | %d | %.0f %% |\n", role, c.Of, 100*c.Share())
		}
		b.WriteString("\n")
	}
	return b.String()
}
