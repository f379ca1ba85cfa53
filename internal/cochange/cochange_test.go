package cochange

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// A history in which who touches api.py also touches its test, and a new check is listed in the index; all
// else is chance.
func history(seed uint64, n int) []Change {
	rng := rand.New(rand.NewPCG(seed, 1))
	var all []Change
	for i := range n {
		var c Change
		for range 1 + rng.IntN(3) {
			c = append(c, File{Path: fmt.Sprintf("src/other%d.py", rng.IntN(30))})
		}
		if rng.IntN(4) == 0 {
			c = append(c, File{Path: "src/api.py"})
			if rng.IntN(10) > 0 {
				c = append(c, File{Path: "tests/test_api.py"})
			}
		}
		if rng.IntN(6) == 0 {
			c = append(c, File{Path: fmt.Sprintf("checks/check%d.py", i), Does: []Deed{NewFile}}, File{Path: "docs/index.md"})
		}
		all = append(all, c)
	}
	return all
}

func anything(Part) bool { return true }

func TestRules(t *testing.T) {
	s := Slice(history(1, 500))
	got := map[string]Rule{}
	for _, r := range s.Rules(anything) {
		got[r.When.Path+" "+r.Then.Path] = r
	}
	for _, want := range []string{"src/api.py tests/test_api.py", "checks/ docs/index.md"} {
		if r, ok := got[want]; !ok || r.Newest.Of < 5 || r.Newest.Share() < 0.7 || r.Bound > r.Newest.Share()+0.2 {
			t.Errorf("%s: %+v", want, r)
		}
		delete(got, want)
	}
	if len(got) > 0 {
		t.Errorf("chance is no rule: %v", got)
	}
}

// What is newest is counted and chooses nothing.
func TestNewestChoosesNothing(t *testing.T) {
	for seed := range uint64(20) {
		s := Slice(history(seed, 300))
		rules := s.Rules(anything)
		s.Confirm = Slice(history(seed+100, 60)).Mine
		other := s.Rules(anything)
		for i := range rules {
			rules[i].Newest = Count{}
		}
		for i := range other {
			other[i].Newest = Count{}
		}
		if len(rules) == 0 || !reflect.DeepEqual(rules, other) {
			t.Errorf("seed %d: %d rules became %d", seed, len(rules), len(other))
		}
	}
}

// Files of one role go together by accident, so that alone is not said; a part that is gone is not spoken of.
func TestWhatIsNotSaid(t *testing.T) {
	var all []Change
	for range 80 {
		all = append(all, Change{{Path: "a.py"}, {Path: "b.py"}, {Path: "gone_test.py"}}, Change{{Path: "c.py"}})
	}
	there := func(p Part) bool { return p.Path != "gone_test.py" }
	if rules := Slice(all[:40]).Rules(there); len(rules) != 0 {
		t.Errorf("%+v", rules)
	}
	if rules := Slice(all).Rules(there); len(rules) != 2 {
		t.Errorf("two files that went together all the time: %+v", rules)
	}
}

func TestRoleOf(t *testing.T) {
	for path, want := range map[string]Role{
		"src/a.py": Source, "src/test_a.py": Test, "tests/x/a.py": Test, "a_test.go": Test, "js_tests/a.js": Test,
		"x.spec.ts": Test,
		"docs/a.py": Doc, "README.md": Doc, "AUTHORS": Doc, "changelog/12.bugfix.rst": Changelog, "CHANGES.rst": Changelog,
		"a.pyi": Stub, "go.sum": Config, ".github/x.yml": Config, "Makefile": Config, "contest.py": Source, "src/": Source,
	} {
		if got := RoleOf(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}

func TestRight(t *testing.T) {
	rules := []Rule{{When: Part{Path: "a"}, Then: Part{Path: "t"}, Bound: 0.9}, {When: Part{Path: "b"},
		Then: Part{Path: "t"}, Bound: 0.7}}
	s := Slices{Confirm: []Parts{
		Change{{Path: "a"}, {Path: "b"}, {Path: "t"}}.Parts(), Change{{Path: "b"}}.Parts(), Change{{Path: "c"}}.Parts()}}
	if got := s.Right(rules, 0.6); got != (Count{1, 2}) {
		t.Errorf("%+v", got)
	}
	if got := s.Right(rules, 0.8); got != (Count{1, 1}) {
		t.Errorf("%+v", got)
	}
}
