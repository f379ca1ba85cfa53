// Package forge is where issues live.
package forge

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A Reader reads what anybody may read.
type Reader interface {
	Report(ctx context.Context, ref bug.Ref) (bug.Report, error)
	// Collaborator reports whether somebody may change the repository. Whoever
	// asks takes any error, and any doubt, for a no.
	Collaborator(ctx context.Context, repo, user string) (bool, error)
}

// A Lister finds issues.
type Lister interface {
	// Search tells of all issues of a repository that a search in the forge's own
	// words finds, the oldest first, until told stops it.
	Search(ctx context.Context, repo bug.Ref, words string, told func(Listed) error) error
	// Changed tells of all issues, open or closed, that were changed at or after
	// a moment, the first changed first, until told stops it.
	Changed(ctx context.Context, repo bug.Ref, since time.Time, told func(Listed) error) error
}

// A Listed is an issue in a list.
type Listed struct {
	Ref     bug.Ref
	Updated time.Time
}

// A Writer leaves traces that people see. Only package action holds one, and
// it looks before and after each call: a call that failed may have worked.
type Writer interface {
	Live(ctx context.Context, ref bug.Ref) (Live, error)
	Comment(ctx context.Context, ref bug.Ref, body string) error
	EditComment(ctx context.Context, ref bug.Ref, id, body string) error
	DeleteComment(ctx context.Context, ref bug.Ref, id string) error
	// AddLabels adds labels in one request.
	AddLabels(ctx context.Context, ref bug.Ref, labels ...Label) error
	RemoveLabel(ctx context.Context, ref bug.Ref, label string) error
	SetState(ctx context.Context, ref bug.Ref, to bug.State, reason string) error
	Subscription(ctx context.Context, ref bug.Ref) (Subscription, error)
	SetSubscription(ctx context.Context, ref bug.Ref, s Subscription) error
	// Pulled is where the pull request from a branch of the repository is, or nothing.
	Pulled(ctx context.Context, ref bug.Ref, branch string) (string, error)
	OpenPull(ctx context.Context, ref bug.Ref, p Pull) error
}

// A Label is a label and why an issue should have it; that is told where it is only suggested.
type Label struct{ Name, Why string }

// A Pull is a change to propose: files as they shall be, on top of a commit.
type Pull struct {
	Branch string            `json:"branch"`
	Base   string            `json:"base"` // the commit
	Title  string            `json:"title"`
	Body   string            `json:"body"`
	Files  map[string]string `json:"files"`
}

// A Forge can be read and written.
type Forge interface {
	Reader
	Lister
	Writer
}

// Live is an issue right now, with what matters to who wants to write on it.
type Live struct {
	bug.Report
	Reason   string // why it was closed, if it says so
	Locked   bool
	Proposed []string // labels that wait, as the forge's own suggestions, for a maintainer's word
}

// A Subscription is whether the forge tells us what happens to an issue.
type Subscription string

const (
	Unknown      Subscription = ""
	Subscribed   Subscription = "SUBSCRIBED"
	Unsubscribed Subscription = "UNSUBSCRIBED"
	Ignored      Subscription = "IGNORED"
)

var (
	// ErrNotFound means that the forge has no such issue, or does not show it.
	ErrNotFound = errors.New("no such issue, or one that this account may not see")
	// ErrGone means that it was deleted.
	ErrGone = errors.New("the issue was deleted")
	// ErrForbidden means that this account may not do that: the issue is locked, or rights are missing.
	ErrForbidden = errors.New("this account may not do that here")
	// ErrNoSuggestions means that the repository does not take suggestions.
	ErrNoSuggestions = errors.New("this repository does not take suggestions")
	// ErrLimited means that the forge refused a write because there were too many,
	// and that the time it asked for has passed. Nothing happened. Whoever wants
	// it done must make sure that it still may be.
	ErrLimited = errors.New("the forge asked to retry later")
	// ErrToken means that the forge does not know the token.
	ErrToken = errors.New("the token is not accepted")
)

// A Moved error says that an issue lives elsewhere now.
type Moved struct{ To bug.Ref }

func (m Moved) Error() string { return fmt.Sprintf("the issue was moved to %v", m.To) }

// Mark is what a comment of scrub's carries where nobody sees it, so that it
// is known again: by whom, and for which action.
func Mark(action string) string { return "<!-- scrub " + action + " -->" }

// Own reports whether a comment is scrub's, written by me. Anybody can copy a
// mark, so it is not enough, unless nobody knows who we are.
func Own(body, author, me string) bool {
	return marked.MatchString(body) && strings.Count(body, "<!-- scrub ") == 1 &&
		(me == "" || strings.EqualFold(author, me))
}

// marked is a comment that ends with a mark, as scrub's do. One that speaks of
// marks is somebody's own.
var marked = regexp.MustCompile(`(?:^|\n)<!-- scrub [0-9a-f]{12,64} -->\s*$`)

// A Limit is how much may still be asked of a forge.
type Limit struct {
	Host     string
	Resource string // of which kind of request
	Left, Of int
	Resets   time.Time
}
