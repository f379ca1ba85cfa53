package githubtest

import (
	"crypto/sha1"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// git is what a repository has besides issues.
type git struct {
	trees    map[string]map[string]string // by id: files
	commits  map[string]commit0
	branches map[string]string // the commit of each
	pulls    []Pull
}

type commit0 struct {
	SHA     string `json:"sha"`
	Message string `json:"message"`
	Tree    sha0   `json:"tree"`
	Parents []sha0 `json:"parents"`
}

type sha0 struct {
	SHA string `json:"sha"`
}

// A Pull is a pull request that the server holds.
type Pull struct {
	Number      int
	Title, Body string
	Head, Base  string            // branches
	On          string            // the commit it is on top of
	Files       map[string]string // that it changes
}

// Git gives a repository a commit with files on its branch main, and returns the commit.
func (s *Server) Git(repo string, files map[string]string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gits == nil {
		s.gits = map[string]*git{}
	}
	g := &git{trees: map[string]map[string]string{}, commits: map[string]commit0{}, branches: map[string]string{}}
	s.gits[repo] = g
	id := g.commit("Begin", g.tree(files))
	g.branches["main"] = id
	return id
}

// Pulls are the pull requests of a repository.
func (s *Server) Pulls(repo string) []Pull {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.gits[repo].pulls)
}

func digest(v any) string {
	data, _ := json.Marshal(v) // plain values of our own
	return fmt.Sprintf("%x", sha1.Sum(data))
}

func (g *git) tree(files map[string]string) string {
	id := digest(files)
	g.trees[id] = files
	return id
}

func (g *git) commit(message, tree string, parents ...string) string {
	c := commit0{Message: message, Tree: sha0{tree}, Parents: []sha0{}}
	for _, p := range parents {
		c.Parents = append(c.Parents, sha0{p})
	}
	c.SHA = digest(c)
	g.commits[c.SHA] = c
	return c.SHA
}

// onGit deals with a request about commits, branches and pull requests.
func (s *Server) onGit(req *http.Request, repo string, rest []string, body []byte) reply {
	none := reply{http.StatusNotFound, message("Not Found"), ""}
	g := s.gits[repo]
	if g == nil {
		return none
	}
	if req.Method != http.MethodGet && !slices.Contains(s.writers[repo], s.Me) {
		return reply{http.StatusForbidden, message("Resource not accessible by personal access token"), ""}
	}
	switch what := req.Method + " " + strings.Join(rest[:min(2, len(rest))], "/"); what {
	case "GET ":
		return reply{http.StatusOK, struct {
			Branch string `json:"default_branch"`
		}{"main"}, ""}
	case "GET git/commits":
		if c, ok := g.commits[rest[2]]; ok {
			return reply{http.StatusOK, c, ""}
		}
	case "GET git/ref":
		name := strings.Join(rest[3:], "/")
		if id, ok := g.branches[name]; ok {
			return reply{http.StatusOK, ref0(name, id), ""}
		}
	case "POST git/trees", "POST git/commits", "POST git/refs":
		return g.make(rest[1], body)
	case "GET pulls":
		all := []any{}
		_, head, _ := strings.Cut(req.URL.Query().Get("head"), ":")
		for _, p := range g.pulls {
			if p.Head == head {
				all = append(all, p.shown(repo))
			}
		}
		return reply{http.StatusOK, all, ""}
	case "POST pulls":
		return g.open(repo, body)
	}
	return none
}

func ref0(name, id string) any {
	return struct {
		Ref    string `json:"ref"`
		Object sha0   `json:"object"`
	}{"refs/heads/" + name, sha0{id}}
}

var unprocessable = reply{http.StatusUnprocessableEntity, message("Validation Failed"), ""}

// make makes a tree, a commit or a branch.
func (g *git) make(what string, body []byte) reply {
	var in struct {
		BaseTree string `json:"base_tree"`
		Tree     json.RawMessage
		Message  string
		Parents  []string
		Ref, SHA string
	}
	if json.Unmarshal(body, &in) != nil {
		return unprocessable
	}
	switch what {
	case "trees":
		var entries []struct{ Path, Mode, Type, Content string }
		base, ok := g.trees[in.BaseTree]
		if json.Unmarshal(in.Tree, &entries) != nil || !ok {
			return unprocessable
		}
		files := maps.Clone(base)
		for _, e := range entries {
			if e.Mode != "100644" || e.Type != "blob" || strings.HasPrefix(e.Path, "/") || strings.Contains(e.Path, "..") {
				return unprocessable
			}
			files[e.Path] = e.Content
		}
		return reply{http.StatusCreated, sha0{g.tree(files)}, ""}
	case "commits":
		var tree string
		if json.Unmarshal(in.Tree, &tree) != nil || g.trees[tree] == nil || len(in.Parents) != 1 || g.commits[in.Parents[0]].SHA == "" {
			return unprocessable
		}
		return reply{http.StatusCreated, g.commits[g.commit(in.Message, tree, in.Parents...)], ""}
	}
	name, ok := strings.CutPrefix(in.Ref, "refs/heads/")
	if _, taken := g.branches[name]; !ok || taken || g.commits[in.SHA].SHA == "" {
		return reply{http.StatusUnprocessableEntity, message("Reference already exists"), ""}
	}
	g.branches[name] = in.SHA
	return reply{http.StatusCreated, ref0(name, in.SHA), ""}
}

// open opens a pull request.
func (g *git) open(repo string, body []byte) reply {
	var in struct{ Title, Head, Base, Body string }
	taken := func(p Pull) bool { return p.Head == in.Head }
	if json.Unmarshal(body, &in) != nil || in.Title == "" || g.branches[in.Head] == "" || g.branches[in.Base] == "" ||
		slices.ContainsFunc(g.pulls, taken) {
		return unprocessable
	}
	c := g.commits[g.branches[in.Head]]
	p := Pull{len(g.pulls) + 1, in.Title, in.Body, in.Head, in.Base, c.Parents[0].SHA, map[string]string{}}
	before := g.trees[g.commits[p.On].Tree.SHA]
	for name, text := range g.trees[c.Tree.SHA] {
		if before[name] != text {
			p.Files[name] = text
		}
	}
	g.pulls = append(g.pulls, p)
	return reply{http.StatusCreated, p.shown(repo), ""}
}

func (p Pull) shown(repo string) any {
	type end struct {
		Ref string `json:"ref"`
	}
	return struct {
		Number int    `json:"number"`
		HTML   string `json:"html_url"`
		Title  string `json:"title"`
		State  string `json:"state"`
		Head   end    `json:"head"`
		Base   end    `json:"base"`
	}{p.Number, fmt.Sprintf("%s%s/pull/%d", site, repo, p.Number), p.Title, "open", end{p.Head}, end{p.Base}}
}
