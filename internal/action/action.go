// Package action holds what scrub wants to do in public until somebody has
// agreed to it, and the only pen that does it.
package action

import (
	"slices"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

// An Action is one thing to do on a forge, down to the last byte.
type Action struct {
	Kind Kind    `json:"kind"`
	On   bug.Ref `json:"on"`
	Text string  `json:"text"` // the comment, the label's name, the reason to close, or what PullText says
	Why  string  `json:"why"`
}

// A Kind is a kind of action.
type Kind string

const (
	Comment     Kind = "comment"
	AddLabel    Kind = "add-label"
	RemoveLabel Kind = "remove-label"
	RenewLabel  Kind = "renew-label" // take it away and put it back, so that the issue counts as looked at
	Close       Kind = "close"
	Reopen      Kind = "reopen"
	OpenPull    Kind = "open-pull" // on a repository, and no issue of it
)

// Kinds are all of them, in the order they are done in: what is said comes
// before what is changed, and closing comes last.
var Kinds = []Kind{Comment, RemoveLabel, AddLabel, RenewLabel, Reopen, Close, OpenPull}

// ID is a digest of all of a: change a word and it is another action. Consent is
// by the whole of it, since two actions whose digests begin alike can be made.
func (a Action) ID() string { return bug.Digest(a) }

// Short is the beginning of the ID, for people.
func (a Action) Short() string { return a.ID()[:12] }

// Body is a comment as it is posted, with the mark that nobody sees.
func (a Action) Body() string { return strings.TrimRight(a.Text, "\n") + "\n\n" + forge.Mark(a.ID()) }

// A Mode is whose word an action needs.
type Mode string

const (
	Ask   Mode = "ask"  // a person must approve it; also what the zero Mode means
	Auto  Mode = "auto" // the project's profile approves it beforehand
	Never Mode = "never"
)

// Stricter is the stricter of two.
func Stricter(a, b Mode) Mode {
	order := []Mode{Auto, Ask, "", Never}
	if slices.Index(order, b) > slices.Index(order, a) {
		return b
	}
	return a
}

// A Vote is one person's yes or no.
type Vote struct {
	By  string    `json:"by"`
	Yes bool      `json:"yes"`
	Why string    `json:"why,omitempty"`
	At  time.Time `json:"at"`
}

// An Entry is an action and what became of it.
type Entry struct {
	Action    Action    `json:"action"`
	Saw       Seen      `json:"saw"` // the thread when it was proposed
	Consent   Mode      `json:"consent"`
	Decisions []Vote    `json:"decisions,omitempty"`
	Proposed  time.Time `json:"proposed"`
	Begun     time.Time `json:"begun,omitzero"` // logged before anything was sent
	Done      time.Time `json:"done,omitzero"`  // seen on the live issue
	Void      string    `json:"void,omitempty"` // why it will not be done
	Failed    string    `json:"failed,omitempty"`
	Edits     string    `json:"edits,omitempty"` // the ID of the action that somebody put in these words
	Wrong     string    `json:"wrong,omitempty"` // what somebody did about it after it was done: objected or reopened
}

// A Status is what became of an action, in a word.
type Status string

const (
	Proposed  Status = "proposed"
	Approved  Status = "approved"
	Denied    Status = "denied"
	Done      Status = "done"
	Void      Status = "void"  // it does not follow any more
	Forbidden Status = "never" // by the rules of the repository
)

// Over reports whether nothing more will come of it.
func (s Status) Over() bool { return s == Done || s == Denied || s == Void }

// Status is what became of e.
func (e Entry) Status() Status {
	switch {
	case !e.Done.IsZero():
		return Done
	case e.Void != "":
		return Void
	case e.denied():
		return Denied
	case e.Approved():
		return Approved
	case e.Consent == Never:
		return Forbidden
	}
	return Proposed
}

// Words says what became of e, and by whom.
func (e Entry) Words() string {
	by := func(yes bool) string {
		for _, v := range e.Decisions {
			if v.Yes == yes {
				return " by " + v.By
			}
		}
		return ""
	}
	switch s := e.Status(); s {
	case Done:
		return "done on " + e.Done.UTC().Format(time.DateOnly)
	case Approved:
		return "approved" + by(true) + ", not done yet"
	case Denied:
		return "denied" + by(false)
	case Forbidden:
		return "not allowed by the repository's rules"
	default:
		return string(s)
	}
}

// half reports whether e was begun and may have to be taken back.
func (e Entry) half() bool {
	return e.Action.Kind == RenewLabel && !e.Begun.IsZero() && e.Done.IsZero()
}

func (e Entry) denied() bool {
	return slices.ContainsFunc(e.Decisions, func(d Vote) bool { return !d.Yes })
}

// Approved reports whether e may be carried out. One no outweighs any number
// of yeses.
func (e Entry) Approved() bool {
	switch {
	case e.Consent == Never || e.denied():
		return false
	case e.Consent == Auto:
		return true
	}
	return len(e.Decisions) > 0
}

// Seen is a thread as somebody saw it, without what scrub itself left there.
type Seen struct {
	State  bug.State `json:"state"`
	Thread string    `json:"thread"` // a digest of all that was said, and of who is at it
}

// SeenIn is what a report shows.
func SeenIn(r bug.Report) Seen {
	said := slices.Concat([]string{r.Title, r.Body}, r.Assignees)
	for _, c := range r.Comments {
		if !c.Own {
			said = append(said, c.Author, c.Body)
		}
	}
	for i, s := range said {
		said[i] = strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n"))
	}
	return Seen{State: r.State, Thread: bug.Digest(said)}
}
