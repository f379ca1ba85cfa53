package githubtest

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
)

// lists answers a request for many issues, if it is one.
func (s *Server) lists(req *http.Request) (reply, bool) {
	if req.URL.Path == "/search/issues" {
		return s.search(req), true
	}
	parts := strings.Split(strings.TrimPrefix(req.URL.Path, "/"), "/")
	if len(parts) == 4 && parts[0] == "repos" && parts[3] == "issues" && req.Method == http.MethodGet {
		return s.changed(req, parts[1]+"/"+parts[2]), true
	}
	return reply{}, false
}

// found are the issues for which fits holds, in an order.
func (s *Server) found(fits func(*Issue) bool, order func(a, b *Issue) int) []any {
	var some []*Issue
	for _, i := range s.issues {
		if !i.Deleted && i.MovedTo == (bug.Ref{}) && fits(i) {
			some = append(some, i)
		}
	}
	slices.SortFunc(some, func(a, b *Issue) int { return cmp.Or(order(a, b), cmp.Compare(a.Ref.Number, b.Ref.Number)) })
	all := make([]any, len(some))
	for k, i := range some {
		all[k] = s.issue(i)
	}
	return all
}

// page is one page of a list, and the address of the next.
func (s *Server) page(req *http.Request, all []any) ([]any, string) {
	q := req.URL.Query()
	size, err := strconv.Atoi(q.Get("per_page"))
	if err != nil {
		size = 30
	}
	n, err := strconv.Atoi(q.Get("page"))
	if err != nil {
		n = 1
	}
	from, to := min((n-1)*size, len(all)), min(n*size, len(all))
	if to == len(all) {
		return all[from:to], ""
	}
	q.Set("page", fmt.Sprint(n+1))
	return all[from:to], s.URL + req.URL.Path + "?" + q.Encode()
}

// changed is the list of a repository's issues.
func (s *Server) changed(req *http.Request, repo string) reply {
	q := req.URL.Query()
	since, _ := time.Parse(time.RFC3339, q.Get("since")) // all, if it says nothing
	all := s.found(func(i *Issue) bool {
		return i.Ref.Repo == repo && !i.updated.Before(since) && (q.Get("state") == "all" ||
			q.Get("state") == string(i.State))
	}, func(a, b *Issue) int { return a.updated.Compare(b.updated) })
	some, next := s.page(req, all)
	return reply{http.StatusOK, some, next}
}

var term = regexp.MustCompile(`(?:[\w>=]+:)?"[^"]*"|\S+`)

// search answers a search as GitHub does: the first thousand results.
func (s *Server) search(req *http.Request) reply {
	words, err := url.QueryUnescape(req.URL.Query().Get("q"))
	if err != nil {
		words = req.URL.Query().Get("q")
	}
	all := s.found(func(i *Issue) bool { return matches(i, words) }, func(a, b *Issue) int {
		return a.Created.Compare(b.Created)
	})
	total := len(all)
	some, next := s.page(req, all[:min(total, 1000)])
	return reply{http.StatusOK, struct {
		Total      int    `json:"total_count"`
		Incomplete bool   `json:"incomplete_results"`
		Items      []any  `json:"items"`
		Type       string `json:"search_type"`
	}{total, false, scored(some), "lexical"}, next}
}

// scored are issues as a search shows them.
func scored(all []any) []any {
	type hit struct {
		issue0
		Score float64 `json:"score"`
	}
	hits := make([]any, len(all))
	for k, i := range all {
		hits[k] = hit{i.(issue0), 1}
	}
	return hits
}

func matches(i *Issue, words string) bool {
	for _, w := range term.FindAllString(words, -1) {
		key, value, _ := strings.Cut(w, ":")
		value = strings.Trim(value, `"`)
		ok := strings.Contains(strings.ToLower(i.Title), strings.ToLower(w))
		switch key {
		case "repo":
			ok = i.Ref.Repo == value
		case "is":
			ok = value == "issue" || value == string(i.State)
		case "label":
			ok = slices.Contains(i.Labels, value)
		case "created":
			at, err := time.Parse(time.RFC3339, strings.TrimPrefix(value, ">="))
			ok = err == nil && !i.Created.Before(at)
		}
		if !ok {
			return false
		}
	}
	return true
}
