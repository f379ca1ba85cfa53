package issuefile

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A comment in a Markdown file stands below a line like this one:
//
//	<!-- comment: ann 2024-05-01 -->
var commentLine = regexp.MustCompile(`(?m)^<!-- comment: (\S+)(?: (\S+))? -->[ \t]*\r?\n?`)

var titleLine = regexp.MustCompile(`\A\s*#\s+(.+?)\s*#*\s*(?:\r?\n|\z)`)

func parseMarkdown(text string) (bug.Report, error) {
	r := bug.Report{State: bug.Open}
	rest, err := frontMatter(strings.ReplaceAll(text, "\r\n", "\n"), &r)
	if err != nil {
		return r, err
	}
	if m := titleLine.FindStringSubmatchIndex(rest); m != nil && r.Title == "" {
		r.Title, rest = rest[m[2]:m[3]], rest[m[1]:]
	}
	marks := commentLine.FindAllStringSubmatchIndex(rest, -1)
	for i, m := range marks {
		end := len(rest)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		c := bug.Comment{Author: rest[m[2]:m[3]], Body: strings.TrimSpace(rest[m[1]:end])}
		if m[4] >= 0 {
			if c.Created, err = parseTime(rest[m[4]:m[5]]); err != nil {
				return r, err
			}
		}
		r.Comments = append(r.Comments, c)
	}
	if len(marks) > 0 {
		rest = rest[:marks[0][0]]
	}
	r.Body = strings.Trim(rest, "\n")
	return r, nil
}

// frontMatter reads "key: value" lines between two lines of three dashes at
// the top of text into r and returns the rest.
func frontMatter(text string, r *bug.Report) (string, error) {
	head, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return text, nil
	}
	head, rest, ok := strings.Cut(head, "\n---\n")
	if !ok {
		return text, nil // a rule across the page, not front matter
	}
	n := 1
	for line := range strings.SplitSeq(head, "\n") {
		n++
		key, value, ok := strings.Cut(line, ":")
		if strings.TrimSpace(line) == "" {
			continue
		}
		if !ok {
			return "", fmt.Errorf("line %d: front matter is made of lines like key: value", n)
		}
		if err := setField(r, strings.TrimSpace(key), unquote(strings.TrimSpace(value))); err != nil {
			return "", fmt.Errorf("line %d: %w", n, err)
		}
	}
	if (r.Ref.Repo == "") != (r.Ref.Number == 0) {
		return "", errors.New("front matter: repo and number go together")
	}
	return rest, nil
}

func setField(r *bug.Report, key, value string) (err error) {
	switch key {
	case "repo":
		r.Ref.Repo = value
		_, err = bug.ParseRef(value + "#1")
	case "number":
		r.Ref.Number, err = strconv.Atoi(value)
		if err != nil || r.Ref.Number < 1 {
			err = fmt.Errorf("number: %q is no issue number", value)
		}
	case "title":
		r.Title = value
	case "author":
		r.Author = value
	case "created":
		r.Created, err = parseTime(value)
	case "state":
		r.State = bug.State(strings.ToLower(value))
		if r.State != bug.Open && r.State != bug.Closed {
			err = fmt.Errorf("state: want open or closed, not %q", value)
		}
	case "labels":
		r.Labels = items(value)
	case "assignees":
		r.Assignees = items(value)
	default:
		err = fmt.Errorf("front matter has no %q: the keys are repo, number, title, author, created, state, labels, "+
			"assignees", key)
	}
	return err
}

func items(value string) []string {
	var all []string
	for item := range strings.SplitSeq(strings.Trim(value, "[]"), ",") {
		if item = unquote(strings.TrimSpace(item)); item != "" {
			all = append(all, item)
		}
	}
	return all
}

// unquote takes a pair of quotes off s.
func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

func parseTime(s string) (time.Time, error) {
	for _, form := range []string{time.RFC3339, time.DateOnly, time.DateTime} {
		if t, err := time.Parse(form, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time: want 2024-05-01 or 2024-05-01T10:00:00Z", s)
}
