// Package bug is scrub's vocabulary: what people report, what we run,
// and what a run showed. Every package imports bug; bug imports none of ours.
package bug

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A Ref names an issue, as in "pytorch/pytorch#123".
type Ref struct {
	Host   string `json:"host,omitempty"` // empty for github.com
	Repo   string `json:"repo"`
	Number int    `json:"number"`
}

// PublicHost is the forge a Ref without a host is on.
const PublicHost = "github.com"

func (r Ref) String() string {
	switch {
	case r.Repo == "":
		return ""
	case r.Number == 0: // the repository as a whole
		return r.Place()
	case r.Host != "":
		return fmt.Sprintf("https://%s/%s/issues/%d", r.Host, r.Repo, r.Number)
	}
	return r.Repo + "#" + strconv.Itoa(r.Number)
}

// Place is the repository, with the host that it is on if that is not the usual one.
func (r Ref) Place() string { return strings.TrimPrefix(r.Host+"/"+r.Repo, "/") }

var refForms = regexp.MustCompile(`^(?:https?://([^/\s]+)/)?([\w.-]+/[\w.-]+)(?:#|/issues/)(\d+)(?:[?#]\S*)?$`)

// ParseRef reads a Ref from its own spelling or from the URL.
func ParseRef(s string) (Ref, error) {
	m := refForms.FindStringSubmatch(s)
	if m == nil {
		return Ref{}, fmt.Errorf("%q is not an issue: want OWNER/REPO#N or its URL", s)
	}
	n, err := strconv.Atoi(m[3])
	if err != nil || n == 0 {
		return Ref{}, fmt.Errorf("%q is not an issue: %s is no issue number", s, m[3])
	}
	host := m[1]
	if host == PublicHost || host == "www."+PublicHost {
		host = ""
	}
	return Ref{Host: host, Repo: m[2], Number: n}, nil
}

// A Report is an issue as people wrote it.
type Report struct {
	Ref       Ref       `json:"ref,omitzero"` // zero for a text that is on no forge
	Title     string    `json:"title"`
	Body      string    `json:"body"` // Markdown
	Author    string    `json:"author,omitempty"`
	Created   time.Time `json:"created,omitzero"`
	State     State     `json:"state"`
	Labels    []string  `json:"labels,omitempty"`
	Assignees []string  `json:"assignees,omitempty"`
	Comments  []Comment `json:"comments,omitempty"`
	Links     []Link    `json:"links,omitempty"` // what the forge ties to it
}

// Posts are what people wrote, the report itself first.
func (r Report) Posts() []string {
	all := []string{r.Body}
	for _, c := range r.Comments {
		all = append(all, c.Body)
	}
	return all
}

// A Link is a pull request or a commit that the forge ties to an issue.
type Link struct {
	Pull   int    `json:"pull,omitempty"`
	Commit string `json:"commit,omitempty"`
	Closes bool   `json:"closes,omitempty"` // it closed the issue, or will
}

// A State is whether an issue is still open.
type State string

const (
	Open   State = "open"
	Closed State = "closed"
)

// A Comment is what somebody added to a report.
type Comment struct {
	ID      string    `json:"id,omitempty"` // on its forge
	Author  string    `json:"author,omitempty"`
	Created time.Time `json:"created,omitzero"`
	Body    string    `json:"body"`
	Own     bool      `json:"own,omitempty"` // scrub wrote it
}
