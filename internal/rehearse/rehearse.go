// Package rehearse has a program watched while it runs in the box: what it does to the world, whatever it is
// called in the text and wherever its values come from. It is run twice, as it is and made to take every branch, and
// what ends it is left out and the rest gone through.
package rehearse

import (
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/syntax"
)

//go:embed python
var python embed.FS

// A Deed is something that a program did, or was about to call.
type Deed struct {
	syntax.Use
	Via string `json:"via,omitempty"` // the module of a library that did it for the program; or System
}

// System is by what a deed is seen that is heard from outside: whatever the program or one that it starts is
// written in, it has to ask the system for it.
const System = "the system"

// Started is the first thing that is heard, where deeds are heard from outside.
const Started = "it was started"

// Absent is a deed that is heard: it reads a file of its own that is not there, so that nobody has read it.
const Absent = "absent file"

// A Runner runs what rehearses a program, with variables in its environment, and tells of the deeds that are heard
// from outside meanwhile, where they can be.
type Runner func(ctx context.Context, r bug.Repro, variables map[string]string, heard func(Deed)) (bug.Outcome, error)

// marked is a variable that programs have around them in many places and that nobody asks for. Its value is new each
// time: where that is shown, the environment is.
const marked = "INVOCATION_ID"

// A Text is one that was run as a program.
type Text struct {
	syntax.String
	Via string `json:"via,omitempty"` // the module of a library that ran it for the program
}

// Seen is what a rehearsal showed.
type Seen struct {
	Deeds []Deed `json:"deeds,omitempty"`
	// Texts are what was run from texts, by the lines that ran them.
	Texts []Text `json:"texts,omitempty"`
	// Made are the paths that it has made or written, below its own folder or the one for temporary files.
	Made []string `json:"made,omitempty"`
	// Ended is that the program came to its end, what ended it early left out, or to the end of its time.
	Ended bool `json:"ended"`
	// Late is that it ran to the end of its time.
	Late bool `json:"late,omitempty"`
	// Heard is that its deeds were heard from outside, too.
	Heard bool `json:"heard,omitempty"`
	// Shows is that it printed a variable of its environment that it had no reason to look at.
	Shows bool `json:"shows,omitempty"`
	// Spent is what it used up of all that the box has: disk, processes.
	Spent []string `json:"spent,omitempty"`
	// Held is that it kept its watchers from telling.
	Held bool `json:"held,omitempty"`
}

// LongestText is how much of a text that was run is told.
const LongestText = 20000

// Untold stands for a text where too much was told of others.
const Untold = "..."

// forced is how a program is gone through that takes every branch.
const forced = "forced"

// mostTries is how often a program is begun anew without the statement that ended it.
const mostTries = 4

// MostHeard is how many deeds are kept of what is heard.
const MostHeard = 5000

// heldBack is the exit code of a program that has taken away the stream by which is told what it does.
const heldBack = 97

// Run rehearses a program. What is called is told if it is one of names. It may run as it is for as long as any run
// may, so that what it would do later is done by no run; forced it may run for a shorter while, as brief lets it.
func Run(ctx context.Context, text string, names []string, run, brief Runner) (Seen, error) {
	var seen Seen
	for _, way := range []struct {
		how string
		run Runner
	}{{"as it is", run}, {forced, brief}} {
		one, err := watched(ctx, text, way.how, names, way.run)
		if err != nil {
			return Seen{}, fmt.Errorf("rehearse program: %w", err)
		}
		seen.Ended, seen.Held = seen.Ended || one.Ended, seen.Held || one.Held
		seen.Late, seen.Heard, seen.Shows = seen.Late || one.Late, seen.Heard || one.Heard, seen.Shows || one.Shows
		seen.Texts = append(seen.Texts, one.Texts...)
		seen.Made = append(seen.Made, one.Made...)
		for _, d := range one.Deeds {
			if !slices.ContainsFunc(seen.Deeds, func(o Deed) bool { return bug.Digest(o) == bug.Digest(d) }) {
				seen.Deeds = append(seen.Deeds, d)
			}
		}
	}
	if err := seen.unwatched(ctx, text, run, brief); err != nil {
		return Seen{}, fmt.Errorf("rehearse program: %w", err)
	}
	slices.SortStableFunc(seen.Deeds, func(a, b Deed) int { return cmp.Or(a.Line-b.Line, cmp.Compare(a.Name, b.Name)) })
	return seen, nil
}

// watched goes through a program in one way, as often as something ends it.
func watched(ctx context.Context, text, how string, names []string, run Runner) (Seen, error) {
	var seen Seen
	heard := func(d Deed) {
		switch {
		case d.Name == Started:
			seen.Heard = true
		case how == forced && d.Name == Absent && strings.HasSuffix(d.Args[0], "/anything"):
			// What a branch is given that is not taken otherwise.
		case len(seen.Deeds) < MostHeard:
			seen.Deeds = append(seen.Deeds, d)
		default:
			seen.Held = true // nobody hears the rest
		}
	}
	var skip []string
	for range mostTries {
		word, mark := rand.Text(), newMark()
		files := maps.Clone(syntax.FilesOf(python, "python"))
		files[bug.Script] = text
		files["rehearse.txt"] = how + "\n" + strings.Join(skip, " ") + "\n" + word + "\n" + strings.Join(names, " ")
		o, err := run(ctx, bug.Repro{Files: files, Command: []string{"python", "rehearse.py"}}, mark, heard)
		if err != nil {
			return seen, err
		}
		at, begun, ended := seen.told(o.Stdout, word)
		seen.Shows = seen.Shows || shows(o.Stderr, mark[marked])
		seen.Held = seen.Held || o.End == bug.Exited && o.Code == heldBack
		seen.Ended, seen.Late = ended || o.End == bug.TimedOut, o.End == bug.TimedOut
		stuck := seen.Late && how == forced && len(skip) == 0 // what waits for ever keeps the rest from being seen
		if seen.Ended && !stuck || seen.Held || !begun || at < 0 {
			return seen, nil
		}
		if n := strconv.Itoa(at); slices.Contains(skip, n) {
			return seen, nil
		} else {
			skip = append(skip, n)
		}
	}
	return seen, nil
}

// unwatched takes in what is heard of a program that runs exactly as it will run, with nobody in its interpreter whom
// it could notice, and what it says that it had too little of. A program that was heard to the end of its time is not
// heard as long again.
func (s *Seen) unwatched(ctx context.Context, text string, run, brief Runner) error {
	if !s.Heard {
		return nil
	}
	if s.Late {
		run = brief
	}
	n, mark := 0, newMark()
	o, err := run(ctx, bug.Program(text), mark, func(d Deed) {
		switch n++; {
		case n == MostHeard:
			s.Held = true
		case d.Name != Started && n < MostHeard:
			s.Deeds = append(s.Deeds, d)
		}
	})
	for _, what := range []struct {
		name string
		says *regexp.Regexp
	}{{"disk", fullDisk}, {"processes", tooMany}} {
		if what.says.MatchString(o.Stdout + o.Stderr) {
			s.Spent = append(s.Spent, what.name)
		}
	}
	s.Shows = s.Shows || shows(o.Stdout+o.Stderr, mark[marked])
	return err
}

func newMark() map[string]string {
	return map[string]string{marked: strings.ToLower(rand.Text())}
}

// piece is how long a part of a secret must be to be nothing else.
const piece = 8

// shows reports whether a text has a part of a secret in it, be it turned round, taken apart or written in one of the
// usual ways.
func shows(text, secret string) bool {
	text = letters(text)
	for at := range len(secret) - piece + 1 {
		part := []byte(secret[at : at+piece])
		forms := []string{string(part), strings.ToUpper(string(part)), hex.EncodeToString(part), letters(fmt.Sprint(part)),
			letters(fmt.Sprintf("%o", part)), letters(fmt.Sprintf("%b", part))}
		for shift := range 3 { // what stands before it moves what base64 makes of it
			whole := base64.RawStdEncoding.EncodeToString([]byte("..."[:shift] + string(part)))
			forms = append(forms, whole[(shift*8+5)/6:(shift+piece)*8/6])
		}
		slices.Reverse(part)
		if slices.ContainsFunc(append(forms, string(part)), func(form string) bool { return strings.Contains(text, form) }) {
			return true
		}
	}
	return false
}

// letters are the letters and digits of a text.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// What Python says where there is no more to be had.
var (
	fullDisk = regexp.MustCompile(`Errno 28\b|No space left on device`)
	tooMany  = regexp.MustCompile(`Errno 11\b|Resource temporarily unavailable|can't start new thread`)
)

// fits reads parts into what each of them is.
func fits(parts []json.RawMessage, into ...any) bool {
	if len(parts) != len(into) {
		return false
	}
	for i, p := range parts {
		if json.Unmarshal(p, into[i]) != nil {
			return false
		}
	}
	return true
}

// told takes in what was told: the statement that was last begun, and whether the program began and ended.
func (s *Seen) told(out, word string) (at int, begun, ended bool) {
	at = -1
	for line := range strings.SplitSeq(out, "\n") {
		data, ok := strings.CutPrefix(line, word)
		if !ok {
			continue
		}
		var parts []json.RawMessage
		if json.Unmarshal([]byte(data), &parts) != nil || len(parts) == 0 {
			continue
		}
		switch string(parts[0]) {
		case `"begin"`:
			begun = true
		case `"end"`:
			ended = true
		case `"at"`:
			_ = json.Unmarshal(parts[1], &at)
		case `"runs"`:
			var one Text
			if fits(parts[1:], &one.Line, &one.Text, &one.Via) {
				s.Texts = append(s.Texts, one)
			}
		case `"made"`:
			var some []string
			if json.Unmarshal(parts[1], &some) == nil {
				s.Made = append(s.Made, some...)
			}
		case `"did"`:
			var d Deed
			if fits(parts[1:], &d.Line, &d.Name, &d.Args, &d.Via) {
				s.Deeds = append(s.Deeds, d)
			}
		}
	}
	return at, begun, ended
}

// Without is s without what libraries do as soon as they are imported, which imported has seen.
func (s Seen) Without(imported Seen) Seen {
	s.Deeds = slices.DeleteFunc(slices.Clone(s.Deeds), func(d Deed) bool {
		return d.Via != "" && slices.ContainsFunc(imported.Deeds, func(o Deed) bool {
			return o.Via == d.Via && o.Name == d.Name && numbered(o.Args) == numbered(d.Args)
		})
	})
	s.Texts = slices.DeleteFunc(slices.Clone(s.Texts), func(t Text) bool {
		return t.Via != "" && slices.ContainsFunc(imported.Texts, func(o Text) bool { return o.Text == t.Text })
	})
	return s
}

// Beyond is s without what other shows, too.
func (s Seen) Beyond(other Seen) Seen {
	s.Deeds = slices.DeleteFunc(slices.Clone(s.Deeds), func(d Deed) bool {
		return slices.ContainsFunc(other.Deeds, func(o Deed) bool {
			return o.Name == d.Name && numbered(o.Args) == numbered(d.Args)
		})
	})
	return s
}

// numbered are texts without their numbers, which name processes and files that are new each time.
func numbered(all []string) string { return digits.ReplaceAllString(strings.Join(all, "\n"), "0") }

var digits = regexp.MustCompile(`\d+`)
