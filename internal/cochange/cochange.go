// Package cochange finds out from a project's history what is changed together: who touches this also
// touches that. What it says was found on old history, chosen on newer history, and counted on the newest,
// which took no part in finding or choosing it.
package cochange

import (
	"cmp"
	"math"
	"slices"
)

// A Count is how often a rule applied, and how often it was followed.
type Count struct {
	Followed int `json:"followed"`
	Of       int `json:"of"`
}

// Plus is both together.
func (c Count) Plus(d Count) Count { return Count{c.Followed + d.Followed, c.Of + d.Of} }

// Share is what was followed, of all.
func (c Count) Share() float64 {
	if c.Of == 0 {
		return 0
	}
	return float64(c.Followed) / float64(c.Of)
}

// Bound is the least share that c speaks for, with 95 % confidence (Wilson).
func (c Count) Bound() float64 {
	if c.Of == 0 {
		return 0
	}
	const z = 1.96
	n, p := float64(c.Of), c.Share()
	return (p + z*z/(2*n) - z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))) / (1 + z*z/n)
}

// A Rule says that who touches one part of a project also touches another.
type Rule struct {
	When   Part    `json:"when"`
	Then   Part    `json:"then"`
	Bound  float64 `json:"bound"`  // the least share that the older history speaks for
	Mined  Count   `json:"mined"`  // in the oldest slice, where it was found
	Chosen Count   `json:"chosen"` // in the middle one, where it was chosen
	Newest Count   `json:"newest"` // in the newest one, which it was not made from
}

// What must be seen before anything is said.
const (
	mostFiles  = 30  // a larger change is about everything
	leastSeen  = 8   // times that something was touched
	leastBoth  = 5   // times that two things were
	leastTried = 3   // times that a rule applied in the slice it is chosen on
	leastShare = 0.6 // of these it was followed, and the bound of all until then
	leastLift  = 1.5 // times as often as anyhow
	oftenSeen  = 10  // times that a rule from source to source applied there
	oftenShare = 0.7 // and was followed
)

// Slices are the parts of a history: the oldest, on which rules are found, the next, on which they are chosen, and the
// newest, on which they are counted.
type Slices struct{ Mine, Choose, Confirm []Parts }

// Slice cuts a history into three, three fifths and a fifth each. Changes of everything are left out.
func Slice(all []Change) Slices {
	var some []Parts
	for _, c := range all {
		if len(c) > 0 && len(c) <= mostFiles {
			some = append(some, c.Parts())
		}
	}
	a, b := len(some)*3/5, len(some)*4/5
	return Slices{some[:a], some[a:b], some[b:]}
}

// Rules are those of a history, the surest first. Only parts that are still there are spoken of.
func (s Slices) Rules(there func(Part) bool) []Rule {
	var all []Rule
	for _, r := range s.found(there) {
		r.Chosen = r.In(s.Choose)
		r.Bound = r.Mined.Plus(r.Chosen).Bound()
		if r.Chosen.Of < leastTried || r.Chosen.Share() < leastShare || r.Bound < leastShare {
			continue
		}
		if !r.helps() {
			continue
		}
		all = append(all, r)
	}
	all = spared(all)
	for i := range all {
		all[i].Newest = all[i].In(s.Confirm)
	}
	slices.SortFunc(all, func(a, b Rule) int {
		return cmp.Or(cmp.Compare(b.Bound, a.Bound), Less(a.When, b.When), Less(a.Then, b.Then))
	})
	return all
}

// helps reports whether a rule tells somebody what they may have forgotten: who works on the program, what
// goes with it; and who adds a file, where it is listed. That one source goes with another is said only of
// what was seen often.
func (r Rule) helps() bool {
	if r.Then.Does != "" && r.Then.Does != NewFile {
		return false // it is for who does it to say what it is
	}
	if r.When.Does == NewFile && r.Then.Does == "" && !r.Then.Folder() {
		return true
	}
	if RoleOf(r.When.Path) != Source {
		return false
	}
	return RoleOf(r.Then.Path) != Source || r.Chosen.Of >= oftenSeen && r.Chosen.Share() >= oftenShare
}

// found are all pairs that the oldest slice speaks for at all.
func (s Slices) found(there func(Part) bool) []Rule {
	once := map[Part]int{}
	for _, c := range s.Mine {
		for _, p := range c {
			once[p]++
		}
	}
	known := map[Part]int{}
	var parts []Part
	for p, n := range once {
		if n >= leastBoth && there(p) {
			parts = append(parts, p)
		}
	}
	slices.SortFunc(parts, Less)
	for i, p := range parts {
		known[p] = i
	}
	both := map[[2]int]int{}
	for _, c := range s.Mine {
		var ids []int
		for _, p := range c {
			if id, ok := known[p]; ok {
				ids = append(ids, id)
			}
		}
		for _, x := range ids {
			for _, y := range ids {
				if x != y && once[parts[x]] >= leastSeen {
					both[[2]int{x, y}]++
				}
			}
		}
	}
	var all []Rule
	for pair, n := range both {
		r := Rule{When: parts[pair[0]], Then: parts[pair[1]], Mined: Count{n, once[parts[pair[0]]]}}
		usual := float64(once[r.Then]) / float64(len(s.Mine))
		if n >= leastBoth && !r.When.within(r.Then) && !r.Then.within(r.When) && r.Mined.Bound() >= 0.5 &&
			r.Mined.Share() >= leastLift*usual {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b Rule) int { return cmp.Or(Less(a.When, b.When), Less(a.Then, b.Then)) })
	return all
}

// Fires reports whether a rule applies to a change, and whether it is followed there.
func (r Rule) Fires(c Parts) (applies, followed bool) { return c.has(r.When), c.has(r.Then) }

// In is how often a rule applied to changes, and was followed.
func (r Rule) In(changes []Parts) Count {
	var n Count
	for _, c := range changes {
		if applies, followed := r.Fires(c); applies {
			n.Of++
			if followed {
				n.Followed++
			}
		}
	}
	return n
}

// clearly is by how much a rule must be surer than another that says nearly the same.
const clearly = 0.1

// spared leaves out what another rule says as well: of a part of what that is about, or less exactly.
func spared(all []Rule) []Rule {
	says := func(a, b Rule) bool {
		switch {
		case a == b:
			return false
		case a.Then == b.Then && a.When.Path == b.When.Path && (a.When.Does == NewFile || b.When.Does == NewFile):
			// That a file is new tells more than that something is in the folder.
			return a.When.Does == NewFile && b.Bound < a.Bound+clearly || b.When.Does == NewFile && a.Bound >= b.Bound+clearly
		case a.Then == b.Then && b.When.within(a.When):
			return b.Bound < a.Bound+clearly
		case a.When == b.When && a.Then.within(b.Then):
			return b.Bound < a.Bound+clearly
		}
		return false
	}
	var kept []Rule
	for _, b := range all {
		if !slices.ContainsFunc(all, func(a Rule) bool { return says(a, b) }) {
			kept = append(kept, b)
		}
	}
	return kept
}

// Right is how often rules of at least that bound were followed in the newest slice. What several of them say of a
// change counts once.
func (s Slices) Right(rules []Rule, bound float64) Count {
	var n Count
	for _, c := range s.Confirm {
		said := map[Part]bool{}
		for _, r := range rules {
			applies, followed := r.Fires(c)
			if r.Bound < bound || !applies || said[r.Then] {
				continue
			}
			said[r.Then] = true
			n.Of++
			if followed {
				n.Followed++
			}
		}
	}
	return n
}
