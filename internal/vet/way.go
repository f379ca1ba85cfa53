package vet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// A Step is a place that a value has come through on its way to where it does something.
type Step struct {
	Line int    `json:"line"`
	What string `json:"what"` // the text that stands there, or the call that made it
}

// Says is why a person must know of it, with the way that what it is given has taken.
func (f Finding) Says() string {
	why := f.Why
	if f.Named > 0 {
		why += fmt.Sprintf("; it goes by another name since line %d", f.Named)
	}
	if len(f.Path) == 0 {
		return why
	}
	var all []string
	for _, s := range f.Path {
		all = append(all, fmt.Sprintf("%s in line %d", s.What, s.Line))
	}
	return why + "; it is given " + strings.Join(all, ", then ")
}

// calledElse is the line in which what is used got the name that it has where it is used; 0 if that is its own.
func calledElse(text string, r syntax.Reading, u syntax.Use) int {
	lines := strings.Split(text, "\n")
	shows := func(n int) bool {
		return n > 0 && n <= len(lines) && strings.Contains(lines[n-1], u.Name[strings.LastIndexByte(u.Name, '.')+1:])
	}
	if len(lines) < u.Line || shows(u.Line) {
		return 0
	}
	named := 0
	for _, o := range r.Uses {
		if o.Line < u.Line && o.Line > named && shows(o.Line) && (o.Name == u.Name || strings.HasPrefix(u.Name, o.Name+".")) {
			named = o.Line
		}
	}
	return named
}

// mostSteps is how many places of a way are told.
const mostSteps = 6

// way is where what a use is given comes from: texts where they stand, and calls that made something of them.
func way(r syntax.Reading, u syntax.Use) []Step {
	var all []Step
	var follow func(one syntax.Use, deep int)
	follow = func(one syntax.Use, deep int) {
		for _, a := range one.Args {
			name, line := maker(a)
			switch {
			case line == 0 && telling(a):
				for _, s := range r.Strings {
					if s.Text == a && s.Line != u.Line {
						all = append(all, Step{s.Line, bug.Quoted(bug.Short(bug.Squeeze(a), 60))})
					}
				}
			case line > 0 && line != u.Line && deep < mostSteps:
				if at := useAt(r, name, line); at != nil {
					follow(*at, deep+1)
				}
				all = append(all, Step{line, name})
			}
		}
	}
	follow(u, 0)
	var once []Step
	for _, s := range all {
		if !slices.Contains(once, s) && len(once) < mostSteps {
			once = append(once, s)
		}
	}
	return once
}

// useAt is what a name is given in a line; nil if it is not used there.
func useAt(r syntax.Reading, name string, line int) *syntax.Use {
	for i, u := range r.Uses {
		if u.Line == line && u.Name == name {
			return &r.Uses[i]
		}
	}
	return nil
}

// maker is which call an argument says that it comes from, and in which line; 0 if it does not.
func maker(arg string) (name string, line int) {
	rest, ok := strings.CutPrefix(arg, madeBy)
	at := strings.LastIndexByte(rest, ':')
	if !ok || at < 0 {
		return "", 0
	}
	line, _ = strconv.Atoi(rest[at+1:]) // 0 if it is none
	return rest[:at], line
}
