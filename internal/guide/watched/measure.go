package watched

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/guide/checkout"
	"github.com/scrub-dev/scrub/internal/session"
)

// Sessions is what sessions of agents show in sum.
type Sessions struct {
	Read         int            `json:"read"`
	Calls        int            `json:"calls"`
	Failed       int            `json:"failed"`
	Unknown      int            `json:"unknown"` // their status says that it went well and what they printed does not
	Refused      int            `json:"refused"` // by a person
	WithReason   int            `json:"refused_with_reason"`
	RefusedIn    int            `json:"sessions_with_refusals"`
	Interrupted  int            `json:"interruptions"`
	Skipped      int            `json:"records_not_read"`
	AskFirst     []Habit        `json:"ask_first"`
	NotThere     []Absent       `json:"looked_for_in_vain"`
	NeverTested  int            `json:"edited_and_never_tested"` // sessions that changed files and ran no test
	EditSessions int            `json:"sessions_with_edits"`
	TestedLast   int            `json:"tested_after_last_edit"`
	Searches     cochange.Count `json:"searches_without_result"`
	Ran          []Used         `json:"commands"` // of the project's own
	Quotes       []Quote        `json:"quotes"`
	Complaints   []Complaint    `json:"complaints"` // of linters
}

// A Used is a command that the project defines, as sessions ran it: how often it failed.
type Used struct {
	Run    string         `json:"run"`
	Failed cochange.Count `json:"failed"`
}

// A Complaint is what a linter stops agents with, by its name: in how many sessions.
type Complaint struct {
	Name   string `json:"name"`
	Older  int    `json:"older_sessions"`
	Newest int    `json:"newest_sessions"`
	Known  bool   `json:"configured"` // the project's own files name it
}

// A Habit is a command that people did not let agents run: in how many of the sessions that tried it.
type Habit struct {
	Command string         `json:"command"`
	Older   cochange.Count `json:"older"`  // by which it was chosen
	Newest  cochange.Count `json:"newest"` // which it was not chosen by
}

// An Absent is a file that agents look for and that is not there, with the one that is.
type Absent struct {
	Path   string `json:"path"`
	There  string `json:"there"`
	Older  int    `json:"older_sessions"`
	Newest int    `json:"newest_sessions"`
}

var (
	leading   = regexp.MustCompile(`^\s*(?:cd\s+\S+\s*(?:&&|;)\s*)?([a-z][a-z0-9_-]*)(?:\s+([a-z][a-z0-9:_-]*))?`)
	testRun   = regexp.MustCompile(`\b(pytest|go test|cargo test|npm (run )?test|make test|tox|nox|mise run test|just test|unittest|jest|vitest)\b`)
	noSuch    = regexp.MustCompile(`(?i)does not exist|no such file`)
	subtools  = strings.Fields("git gh go cargo npm yarn pnpm make just mise docker kubectl uv pip")
	leastUsed = 3
	// nothing is what tools say that have found nothing
	nothing = regexp.MustCompile(`(?i)^\s*(no (files|matches|results)( were)? found.*)?\s*$`)
	// complaint is a line of a linter: where, what, and by which rule
	complaint = regexp.MustCompile(`(?m)^\S+:\d+(?::\d+)?: (?:([A-Z]{1,4}\d{3,4}) .*|.*[(\[]([a-z][a-z0-9-]{2,30})[)\]])\s*$`)
	linting   = regexp.MustCompile(`(^|/)(\.golangci\.ya?ml|pyproject\.toml|ruff\.toml|\.ruff\.toml|setup\.cfg|tox\.ini|\.flake8|mypy\.ini|\.eslintrc[^/]*|eslint\.config\.\w+|\.pylintrc|clippy\.toml|biome\.jsonc?)$`)
)

// verb is what a command does, in one word or two.
func verb(command string) string {
	m := leading.FindStringSubmatch(command)
	if m == nil {
		return ""
	}
	if m[2] != "" && slices.Contains(subtools, m[1]) {
		return m[1] + " " + m[2]
	}
	return m[1]
}

// measure adds up what sessions show. What is said to agents is chosen by the older three fifths and counted
// in the rest.
func (p Clone) measure(ctx context.Context, all []session.Session) (*Sessions, error) {
	if len(all) == 0 {
		return nil, nil
	}
	inOrder(all)
	m := &Sessions{Read: len(all), AskFirst: []Habit{}, NotThere: []Absent{}, Ran: []Used{}, Complaints: []Complaint{}}
	for _, s := range all {
		m.add(s)
	}
	at := len(all) * 3 / 5
	older, newest := tried(all[:at]), tried(all[at:])
	for command, n := range older {
		if n.Followed >= leastUsed && n.Share() >= 0.1 && plainCommand.MatchString(command) &&
			slices.Contains(subtools, strings.Fields(command)[0]) {
			m.AskFirst = append(m.AskFirst, Habit{command, n, newest[command]})
		}
	}
	slices.SortFunc(m.AskFirst, func(a, b Habit) int { return cmp.Compare(a.Command, b.Command) })
	was, is := p.inVain(all[:at]), p.inVain(all[at:])
	for name, n := range was {
		if n >= leastUsed {
			m.NotThere = append(m.NotThere, Absent{name, p.namesake(name), n, is[name]})
		}
	}
	slices.SortFunc(m.NotThere, func(a, b Absent) int { return cmp.Compare(a.Path, b.Path) })
	known, err := p.Commands(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range known {
		if n := ran(c, all); n.Of >= leastUsed {
			m.Ran = append(m.Ran, Used{c.Run, n})
		}
	}
	m.Complaints, err = p.complaints(ctx, all[:at], all[at:])
	return m, err
}

// ran is how often sessions ran a command, and how often it failed of those of which it is known.
func ran(c checkout.Command, all []session.Session) cochange.Count {
	var n cochange.Count
	for _, s := range all {
		for _, step := range s.Steps {
			if step.Kind != session.Ran || step.Refused || step.Ended == bug.Unknown || !Runs(step.Command, c.Run) {
				continue
			}
			n.Of++
			if step.Ended == bug.No {
				n.Followed++
			}
		}
	}
	return n
}

// complaints are what linters said in several of the older sessions, and in how many of the newest.
func (p Clone) complaints(ctx context.Context, older, newest []session.Session) ([]Complaint, error) {
	all := []Complaint{}
	was, is := complained(older), complained(newest)
	var configured string
	for _, f := range p.Files {
		if linting.MatchString(f) {
			text, err := p.Text(ctx, f)
			if err != nil {
				return nil, err
			}
			configured += text + "\n"
		}
	}
	for name, n := range was {
		if n >= leastUsed {
			known := regexp.MustCompile(`(^|[^\w-])` + regexp.QuoteMeta(name) + `([^\w-]|$)`).MatchString(configured)
			all = append(all, Complaint{name, n, is[name], known})
		}
	}
	slices.SortFunc(all, func(a, b Complaint) int {
		return cmp.Or(cmp.Compare(b.Older, a.Older),
			cmp.Compare(a.Name, b.Name))
	})
	return all, nil
}

// complained is in how many sessions linters said something, by its name.
func complained(all []session.Session) map[string]int {
	counts := map[string]int{}
	for _, s := range all {
		seen := map[string]bool{}
		for _, step := range s.Steps {
			if step.Kind != session.Ran {
				continue
			}
			for _, m := range complaint.FindAllStringSubmatch(step.Said, -1) {
				seen[m[1]+m[2]] = true
			}
		}
		for name := range seen {
			counts[name]++
		}
	}
	return counts
}

// plainCommand is a tool and what it runs, in single words: more of what a session says is not spoken of.
var plainCommand = regexp.MustCompile(`^[a-z]{2,12}( [a-z]{2,12}(:[a-z]{2,12})?)?$`)

func (m *Sessions) add(s session.Session) {
	refused, edited, tested, last := false, false, false, false
	for _, step := range s.Steps {
		if step.Kind == session.Interrupted {
			m.Interrupted++
			continue
		}
		m.Calls++
		if step.Kind == session.Edited && step.Ended == bug.Yes {
			edited, last = true, false
		}
		if testRun.MatchString(step.Command) {
			tested, last = true, true
		}
		if step.Kind == session.Searched && step.Ended == bug.Yes {
			m.Searches.Of++
			if nothing.MatchString(step.Said) {
				m.Searches.Followed++
			}
		}
		switch {
		case step.Refused:
			m.Refused++
			refused = true
			if step.Reason != "" {
				m.WithReason++
			}
		case step.Ended == bug.No:
			m.Failed++
		case step.Ended == bug.Unknown && step.Kind == session.Ran && step.Said != "":
			m.Unknown++
		}
	}
	m.Skipped += s.Skipped
	if refused {
		m.RefusedIn++
	}
	if edited {
		m.EditSessions++
		if last {
			m.TestedLast++
		}
		if !tested {
			m.NeverTested++
		}
	}
}

// tried are the commands of sessions: in how many they were refused, of how many that tried them.
func tried(all []session.Session) map[string]cochange.Count {
	counts := map[string]cochange.Count{}
	for _, s := range all {
		seen := map[string]bool{} // and whether it was refused
		for _, step := range s.Steps {
			if v := verb(step.Command); step.Kind == session.Ran && v != "" {
				seen[v] = seen[v] || step.Refused
			}
		}
		for v, refused := range seen {
			n := counts[v]
			n.Of++
			if refused {
				n.Followed++
			}
			counts[v] = n
		}
	}
	return counts
}

// inVain are files that are not there and have a namesake that is: in how many sessions they were looked for.
func (p Clone) inVain(all []session.Session) map[string]int {
	counts := map[string]int{}
	for _, s := range all {
		seen := map[string]bool{}
		for _, step := range s.Steps {
			if step.Path != "" && step.Ended == bug.No && !step.Refused && noSuch.MatchString(step.Said) && !seen[step.Path] &&
				checkout.Plain(step.Path) && !p.There[step.Path] && !p.There[step.Path+"/"] && p.namesake(step.Path) != "" {
				seen[step.Path] = true
				counts[step.Path]++
			}
		}
	}
	return counts
}

// ending is one that a file may have. What stands in a session is a stranger's: a name that is not in the project
// is spoken of only if nothing but such an ending tells it from one that is.
var ending = regexp.MustCompile(`^\.[a-z0-9]{1,5}$`)

// namesake is the file that has the same name but for its ending, or nothing.
func (p Clone) namesake(name string) string {
	stem := func(s string) string { return strings.TrimSuffix(s, path.Ext(s)) }
	if !ending.MatchString(path.Ext(name)) {
		return ""
	}
	for _, f := range p.Files {
		if stem(f) == stem(name) && stem(f) != "" {
			return f
		}
	}
	return ""
}

// Places say where things are that agents look for in vain, also among the newest sessions.
func (m *Sessions) Places() []string {
	var all []string
	if m == nil {
		return nil
	}
	for _, a := range m.NotThere {
		if a.Newest > 0 && checkout.Plain(a.There) {
			all = append(all, fmt.Sprintf("- `%s`; there is no `%s` (%d of the newest sessions looked there).", a.There,
				a.Path, a.Newest))
		}
	}
	return all
}

// Asks are the commands that people refuse, also in the newest sessions.
func (m *Sessions) Asks() []string {
	var all []string
	if m == nil {
		return nil
	}
	for _, h := range m.AskFirst {
		if h.Newest.Followed > 0 {
			all = append(all, fmt.Sprintf("- `%s`: refused in %d of the %d newest sessions that tried it.", h.Command,
				h.Newest.Followed, h.Newest.Of))
		}
	}
	return all
}

// Stops are the rules of linters that agents run into again and again, also in the newest sessions. What a session
// says is a stranger's, so only those are named that the project's own files name.
func (m *Sessions) Stops() []string {
	var all []string
	if m == nil {
		return nil
	}
	for _, c := range m.Complaints {
		if c.Known && c.Newest >= leastUsed {
			all = append(all, fmt.Sprintf("- `%s` complained in %d of the newest sessions.", c.Name, c.Newest))
		}
	}
	return all
}

// Tables say which of the project's commands sessions ran, and what linters said.
func (m *Sessions) Tables() string {
	if m == nil {
		return ""
	}
	var b strings.Builder
	if len(m.Ran) > 0 {
		b.WriteString("| command of the project's | runs whose end is known | failed |\n|---|---|---|\n")
		for _, u := range m.Ran {
			fmt.Fprintf(&b, "| `%s` | %d | %d |\n", u.Run, u.Failed.Of, u.Failed.Followed)
		}
		b.WriteString("\n")
	}
	if len(m.Complaints) > 0 {
		b.WriteString("| what linters say | older sessions | newest |\n|---|---|---|\n")
		for _, c := range m.Complaints[:min(len(m.Complaints), 15)] {
			fmt.Fprintf(&b, "| `%s` | %d | %d |\n", c.Name, c.Older, c.Newest)
		}
		b.WriteString("\n")
	}
	b.WriteString(quoted(m.Quotes))
	return b.String()
}

// Words say what sessions show in sum.
func (m *Sessions) Words() string {
	if m == nil {
		return "No sessions of agents were read, so nothing is said about how agents work here.\n"
	}
	return fmt.Sprintf("%d sessions, %d calls of tools: %d failed, and of %d more the status says that they went well and the output does "+
		"not. People refused %d (in %d sessions), %d of them with a reason, and interrupted %d times. Of %d sessions that changed "+
		"files, %d ran a test after the last change and %d none at all that could be recognized. %d of %d searches found "+
		"nothing.\n", m.Read, m.Calls, m.Failed, m.Unknown, m.Refused,
		m.RefusedIn, m.WithReason, m.Interrupted, m.EditSessions, m.TestedLast, m.NeverTested,
		m.Searches.Followed, m.Searches.Of)
}
