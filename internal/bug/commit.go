package bug

import "time"

// A Commit is one step of a project's history.
type Commit struct {
	ID      string    `json:"id"`
	Parents []string  `json:"parents,omitempty"`
	Date    time.Time `json:"date"`
	Subject string    `json:"subject"`
	Body    string    `json:"body,omitempty"`
	Files   []string  `json:"files,omitempty"` // that it changes, against its first parent
	Aside   bool      `json:"aside,omitempty"` // it is on a branch of releases, and not on the main line
}
