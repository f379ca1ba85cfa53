package replay

import (
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/history"
)

// An Overlap is which files an agent and people have changed.
type Overlap struct {
	Both   int `json:"both"`
	Agent  int `json:"agent_only"`
	People int `json:"people_only"`
}

func (o Overlap) plus(p Overlap) Overlap {
	return Overlap{o.Both + p.Both, o.Agent + p.Agent, o.People + p.People}
}

// A Size is how many lines a change has.
type Size struct {
	Added   int `json:"added"`
	Removed int `json:"removed"`
}

// A Comparison is what an agent did beside what was merged.
type Comparison struct {
	Files  map[cochange.Role]Overlap `json:"files"` // by what they are for
	Agent  Size                      `json:"agent"`
	People Size                      `json:"people"`
	// lines that the agent wrote and that were merged word for word, of those it wrote
	Same cochange.Count `json:"same_lines"`
}

// Compare compares two patches from the same base.
func Compare(agent, people string) Comparison {
	a, p := history.ReadPatch(agent), history.ReadPatch(people)
	c := Comparison{Files: map[cochange.Role]Overlap{}}
	var merged []string
	for name, one := range p {
		c.People.Added += len(one.Added)
		c.People.Removed += one.Removed
		for _, line := range one.Added {
			merged = append(merged, strings.TrimSpace(line))
		}
		add := Overlap{People: 1}
		if a[name] != nil {
			add = Overlap{Both: 1}
		}
		c.Files[cochange.RoleOf(name)] = c.Files[cochange.RoleOf(name)].plus(add)
	}
	slices.Sort(merged)
	for name, one := range a {
		c.Agent.Added += len(one.Added)
		c.Agent.Removed += one.Removed
		for _, line := range one.Added {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			c.Same.Of++
			if _, there := slices.BinarySearch(merged, line); there {
				c.Same.Followed++
			}
		}
		if p[name] == nil {
			c.Files[cochange.RoleOf(name)] = c.Files[cochange.RoleOf(name)].plus(Overlap{Agent: 1})
		}
	}
	return c
}

// A Sum is what came of all tasks.
type Sum struct {
	Schema  string                    `json:"schema"`
	Agent   string                    `json:"agent"` // its command
	Tasks   []Result                  `json:"tasks"`
	Skipped []Skip                    `json:"skipped"`
	Files   map[cochange.Role]Overlap `json:"files"`
	Ended   int                       `json:"ended"` // by themselves and well
	// of the tasks whose people changed a test: the agent changed any test, and one of theirs
	AnyTest  cochange.Count `json:"any_test"`
	SameTest cochange.Count `json:"same_test"`
	Same     cochange.Count `json:"same_lines"`
}

// A Skip is a pull request that was not tried.
type Skip struct {
	Number int    `json:"pull"`
	Why    string `json:"why"`
}

// Add counts a result.
func (s *Sum) Add(r Result) {
	s.Tasks = append(s.Tasks, r)
	if r.Code == 0 && r.End == "exited" {
		s.Ended++
	}
	for role, o := range r.Compared.Files {
		s.Files[role] = s.Files[role].plus(o)
	}
	tests := r.Compared.Files[cochange.Test]
	if tests.Both+tests.People > 0 {
		s.AnyTest.Of++
		s.SameTest.Of++
		s.AnyTest.Followed += min(1, tests.Both+tests.Agent)
		s.SameTest.Followed += min(1, tests.Both)
	}
	s.Same = s.Same.Plus(r.Compared.Same)
}
