package githubtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/scrub-dev/scrub/internal/bug"
)

// onNumber deals with a request about the issue of that number, wherever it is now.
func (s *Server) onNumber(req *http.Request, repo string, rest []string, body []byte) reply {
	n, err := strconv.Atoi(rest[0])
	i := s.issues[bug.Ref{Repo: repo, Number: n}]
	switch {
	case err != nil || i == nil:
		return reply{http.StatusNotFound, message("Not Found"), ""}
	case i.Deleted:
		return reply{http.StatusGone, message("This issue was deleted"), ""}
	case i.MovedTo.Repo != "":
		to := s.URL + "/repos/" + i.MovedTo.Repo + "/issues/" + strconv.Itoa(i.MovedTo.Number)
		return reply{http.StatusMovedPermanently, message("Moved Permanently"), to}
	}
	return s.onIssue(req, i, rest[1:], body)
}

// edit changes a comment, or takes it away.
func (s *Server) edit(method, repo, id string, body []byte) reply {
	var c struct{ Body string }
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || method != http.MethodDelete && (json.Unmarshal(body, &c) != nil || c.Body == "") {
		return reply{http.StatusUnprocessableEntity, message("Validation Failed"), ""}
	}
	for ref, i := range s.issues {
		at := slices.Index(i.ids, n)
		if ref.Repo != repo || at < 0 {
			continue
		}
		if i.Comments[at].Author != s.Me && !slices.Contains(s.writers[repo], s.Me) {
			return reply{http.StatusForbidden, message("Must have admin rights to Repository."), ""}
		}
		if method == http.MethodDelete {
			i.Comments, i.ids = slices.Delete(i.Comments, at, at+1), slices.Delete(i.ids, at, at+1)
			return reply{status: http.StatusNoContent}
		}
		i.Comments[at].Body = c.Body
		return reply{http.StatusOK, s.posted(i, at), ""}
	}
	return reply{http.StatusNotFound, message("Not Found"), ""}
}

// list is a page of comments.
func (s *Server) list(req *http.Request, i *Issue) reply {
	q := req.URL.Query()
	size, err := strconv.Atoi(q.Get("per_page"))
	if err != nil {
		size = 30
	}
	page, err := strconv.Atoi(q.Get("page"))
	if err != nil {
		page = 1
	}
	all := []any{}
	from := (page - 1) * size
	for at := from; at < min(from+size, len(i.Comments)); at++ {
		all = append(all, s.posted(i, at))
	}
	r := reply{http.StatusOK, all, ""}
	if from+size < len(i.Comments) {
		r.link = fmt.Sprintf("%s%s?page=%d&per_page=%d", s.URL, req.URL.Path, page+1, size)
	}
	return r
}
