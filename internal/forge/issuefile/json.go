package issuefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
)

// ghIssue is what gh prints. It has more fields than these, by version, so
// this is the one place where unknown ones are passed over.
type ghIssue struct {
	Number    int         `json:"number"`
	URL       string      `json:"url"`
	Title     *string     `json:"title"`
	Body      string      `json:"body"`
	Author    ghUser      `json:"author"`
	CreatedAt time.Time   `json:"createdAt"`
	State     string      `json:"state"`
	Labels    []ghLabel   `json:"labels"`
	Assignees []ghUser    `json:"assignees"`
	Comments  []ghComment `json:"comments"`
}

type ghUser struct {
	Login string `json:"login"`
}

type ghLabel struct {
	Name string `json:"name"`
}

type ghComment struct {
	Author    ghUser    `json:"author"`
	CreatedAt time.Time `json:"createdAt"`
	Body      string    `json:"body"`
}

func parseJSON(data []byte) (bug.Report, error) {
	var in ghIssue
	if err := json.Unmarshal(data, &in); err != nil {
		return bug.Report{}, describe(data, err)
	}
	if in.Title == nil {
		return bug.Report{}, errors.New("JSON without a title: make it with gh issue view N --json " +
			"number,url,title,body,author,createdAt,comments,labels,assignees,state")
	}
	r := bug.Report{Title: *in.Title, Body: in.Body, Author: in.Author.Login, Created: in.CreatedAt, State: bug.Open}
	if strings.EqualFold(in.State, "closed") {
		r.State = bug.Closed
	}
	if in.URL != "" {
		ref, err := bug.ParseRef(in.URL)
		if err != nil {
			return bug.Report{}, fmt.Errorf("url: %w", err)
		}
		r.Ref = ref
	}
	for _, l := range in.Labels {
		r.Labels = append(r.Labels, l.Name)
	}
	for _, a := range in.Assignees {
		r.Assignees = append(r.Assignees, a.Login)
	}
	for _, c := range in.Comments {
		r.Comments = append(r.Comments, bug.Comment{Author: c.Author.Login, Created: c.CreatedAt, Body: c.Body})
	}
	return r, nil
}

// describe says where in data the JSON is broken.
func describe(data []byte, err error) error {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("invalid JSON at line %d: %w", line(data, syntax.Offset), err)
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("want one issue, not a JSON %s", wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("line %d: %s cannot be a JSON %s", line(data, wrong.Offset), wrong.Field, wrong.Value)
	}
	return fmt.Errorf("invalid JSON: %w", err)
}

func line(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n"))
}
