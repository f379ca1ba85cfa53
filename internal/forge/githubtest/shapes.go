package githubtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

const site, api = "https://github.com/", "https://api.github.com/"

func message(s string) any {
	return struct {
		Message string `json:"message"`
		Docs    string `json:"documentation_url"`
	}{s, "https://docs.github.com/rest"}
}

// user0 is a person as GitHub shows one; the role only where it is asked for.
type user0 struct {
	Login     string  `json:"login"`
	ID        int64   `json:"id"`
	Node      string  `json:"node_id"`
	Avatar    string  `json:"avatar_url"`
	Gravatar  *string `json:"gravatar_id"`
	URL       string  `json:"url"`
	HTML      string  `json:"html_url"`
	Followers string  `json:"followers_url"`
	Following string  `json:"following_url"`
	Gists     string  `json:"gists_url"`
	Starred   string  `json:"starred_url"`
	Subs      string  `json:"subscriptions_url"`
	Orgs      string  `json:"organizations_url"`
	Repos     string  `json:"repos_url"`
	Events    string  `json:"events_url"`
	Received  string  `json:"received_events_url"`
	Type      string  `json:"type"`
	Admin     bool    `json:"site_admin"`
	Role      string  `json:"role_name,omitempty"`
}

func person(login string) *user0 {
	u := api + "users/" + login
	return &user0{Login: login, ID: int64(len(login)), Node: "U_" + login, Avatar: site + login + ".png", URL: u,
		HTML: site + login, Followers: u + "/followers", Following: u + "/following",
		Gists: u + "/gists", Starred: u + "/starred", Subs: u + "/subscriptions", Orgs: u + "/orgs", Repos: u +
			"/repos", Events: u + "/events", Received: u + "/received_events", Type: "User", Role: "read"}
}

type label0 struct {
	ID          int64   `json:"id"`
	Node        string  `json:"node_id"`
	URL         string  `json:"url"`
	Name        string  `json:"name"`
	Description *string `json:"description"`
	Color       string  `json:"color"`
	Default     bool    `json:"default"`
}

func labels(names []string) []label0 {
	all := []label0{}
	for i, n := range names {
		all = append(all, label0{ID: int64(i + 1), Node: "L_" + n, URL: api + "labels/" + fmt.Sprint(i), Name: n,
			Color: "ededed"})
	}
	return all
}

type issue0 struct {
	ID        int64      `json:"id"`
	Node      string     `json:"node_id"`
	URL       string     `json:"url"`
	RepoURL   string     `json:"repository_url"`
	LabelsURL string     `json:"labels_url"`
	Comments0 string     `json:"comments_url"`
	Events    string     `json:"events_url"`
	HTML      string     `json:"html_url"`
	Number    int        `json:"number"`
	State     bug.State  `json:"state"`
	Reason    *string    `json:"state_reason"`
	Title     string     `json:"title"`
	Body      string     `json:"body"`
	User      *user0     `json:"user"`
	Labels    []label0   `json:"labels"`
	Assignee  *user0     `json:"assignee"`
	Assignees []*user0   `json:"assignees"`
	Milestone *string    `json:"milestone"`
	Locked    bool       `json:"locked"`
	Comments  int        `json:"comments"`
	Closed    *time.Time `json:"closed_at"`
	Created   time.Time  `json:"created_at"`
	Updated   time.Time  `json:"updated_at"`
	Relation  string     `json:"author_association"`
}

func (s *Server) issue(i *Issue) issue0 {
	u := fmt.Sprintf("%srepos/%s/issues/%d", api, i.Ref.Repo, i.Ref.Number)
	r := issue0{ID: int64(i.Ref.Number), Node: node(i), URL: u, RepoURL: api + "repos/" + i.Ref.Repo, LabelsURL: u +
		"/labels{/name}", Comments0: u + "/comments", Events: u + "/events",
		HTML: fmt.Sprintf("%s%s/issues/%d", site, i.Ref.Repo,
			i.Ref.Number), Number: i.Ref.Number, State: i.State, Title: i.Title, Body: i.Body,
		User: person(i.Author), Labels: labels(i.Labels),
		Assignees: []*user0{}, Locked: i.Locked, Comments: len(i.Comments), Created: i.Created, Updated: i.updated, Relation: "NONE"}
	for _, a := range i.Assignees {
		r.Assignees = append(r.Assignees, person(a))
	}
	if i.State == bug.Closed {
		r.Closed = &day
	}
	if i.Reason != "" {
		r.Reason = &i.Reason
	}
	return r
}

func node(i *Issue) string { return fmt.Sprintf("I_%s_%d", i.Ref.Repo, i.Ref.Number) }

type posted0 struct {
	ID       int64     `json:"id"`
	Node     string    `json:"node_id"`
	URL      string    `json:"url"`
	HTML     string    `json:"html_url"`
	IssueURL string    `json:"issue_url"`
	Body     string    `json:"body"`
	User     *user0    `json:"user"`
	Created  time.Time `json:"created_at"`
	Updated  time.Time `json:"updated_at"`
	Relation string    `json:"author_association"`
}

func (s *Server) posted(i *Issue, at int) posted0 {
	c, id := i.Comments[at], i.ids[at]
	return posted0{ID: id, Node: fmt.Sprintf("IC_%d", id),
		URL: fmt.Sprintf("%srepos/%s/issues/comments/%d", api, i.Ref.Repo,
			id), HTML: fmt.Sprintf("%s%s/issues/%d#issuecomment-%d", site, i.Ref.Repo, i.Ref.Number, id),
		IssueURL: fmt.Sprintf("%srepos/%s/issues/%d", api, i.Ref.Repo,
			i.Ref.Number), Body: c.Body, User: person(c.Author), Created: c.Created, Updated: c.Created, Relation: "NONE"}
}

type suggestion0 struct {
	ID         int       `json:"id"`
	Issue      int       `json:"issue_id"`
	Action     string    `json:"action"`
	State      string    `json:"state"`
	Target     *int      `json:"target_id"`
	Value      string    `json:"target_value"`
	Rationale  *string   `json:"rationale"`
	Confidence *string   `json:"confidence"`
	Actor      *int      `json:"actor_id"`
	Event      *int      `json:"issue_event_id"`
	Resolved   *int      `json:"resolved_by"`
	Created    time.Time `json:"created_at"`
	Updated    time.Time `json:"updated_at"`
}

func (s *Server) suggestions(i *Issue) reply {
	all := []suggestion0{}
	for n, l := range i.Suggested {
		all = append(all, suggestion0{ID: n + 1, Issue: i.Ref.Number, Action: "add_label", State: "pending", Value: l,
			Created: day, Updated: day})
	}
	return reply{http.StatusOK, all, ""}
}

// graph answers the two operations of the other API that scrub knows.
func (s *Server) graph(body []byte) reply {
	var q struct {
		Query     string
		Variables struct {
			Owner, Name, ID string
			Number          int
			After           string
			State           forge.Subscription
		}
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return reply{http.StatusBadRequest, message("Problems parsing JSON"), ""}
	}
	type state struct {
		ID    string              `json:"id,omitempty"`
		State *forge.Subscription `json:"viewerSubscription"`
	}
	if strings.Contains(q.Query, "viewer { login }") {
		return graphData(`{"viewer": {"login": %s}}`, s.Me)
	}
	if strings.HasPrefix(q.Query, "mutation") {
		for _, i := range s.issues {
			if node(i) == q.Variables.ID {
				i.Subscription = q.Variables.State
				return graphData(`{"updateSubscription": {"subscribable": %s}}`, state{State: &i.Subscription})
			}
		}
		return graphError("NOT_FOUND", "Could not resolve to a node")
	}
	i := s.issues[bug.Ref{Repo: q.Variables.Owner + "/" + q.Variables.Name, Number: q.Variables.Number}]
	if i == nil || i.Deleted || i.MovedTo.Repo != "" {
		return graphError("NOT_FOUND", "Could not resolve to an Issue")
	}
	if strings.Contains(q.Query, "timelineItems") {
		return s.timeline(i, q.Variables.After)
	}
	st := state{ID: node(i), State: &i.Subscription}
	if i.Subscription == forge.Unknown {
		st.State = nil
	}
	return graphData(`{"repository": {"issue": %s}}`, st)
}

// timeline is a page of one link.
func (s *Server) timeline(i *Issue, after string) reply {
	at, more, nodes := 0, false, "[]"
	if after != "" {
		at = int(after[0] - '0')
	}
	if at < len(i.Links) {
		l := i.Links[at]
		more = at+1 < len(i.Links)
		pull := fmt.Sprintf(`{"number": %d, "repository": {"nameWithOwner": %q}}`, l.Pull, i.Ref.Repo)
		switch {
		case l.Commit != "" && l.Closes:
			nodes = fmt.Sprintf(`[{"closer": {"oid": %q}}]`, l.Commit)
		case l.Commit != "":
			nodes = fmt.Sprintf(`[{"isCrossRepository": false, "commit": {"oid": %q}}]`, l.Commit)
		default:
			nodes = fmt.Sprintf(`[{"willCloseTarget": %v, "source": %s}]`, l.Closes, pull)
		}
	}
	form := `{"repository": {"issue": {"closedByPullRequestsReferences": {"nodes": []}, "timelineItems": ` +
		`{"pageInfo": {"hasNextPage": %v, "endCursor": "%d"}, "nodes": %s}}}}`
	return reply{http.StatusOK, json.RawMessage(`{"data": ` + fmt.Sprintf(form, more, at+1, nodes) + `}`), ""}
}

func graphData(form string, v any) reply {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // of our own making
	}
	return reply{http.StatusOK, json.RawMessage(`{"data": ` + fmt.Sprintf(form, text) + `}`), ""}
}

func graphError(kind, said string) reply {
	return reply{http.StatusOK, json.RawMessage(fmt.Sprintf(`{"data": null, "errors": [{"type": %q, "message": %q}]}`,
		kind, said)), ""}
}
