// Package intake takes an issue thread apart: prose, programs, tracebacks,
// versions and pictures.
package intake

import (
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A Thread is a report taken apart.
type Thread struct {
	Programs   []Program `json:"programs"`
	Exceptions []Claim   `json:"exceptions,omitempty"`
	Images     int       `json:"images"`
	Links      []Link    `json:"links,omitempty"`
	Hidden     []string  `json:"hidden,omitempty"` // HTML comments, which no reader of the page sees
	Headings   []string  `json:"headings,omitempty"`
	Versions   []Version `json:"versions,omitempty"`
	Environment
	Prose  string   `json:"-"` // of the report itself, without its code
	Talk   []string `json:"-"` // the prose of each comment
	Output string   `json:"-"` // of the report: its blocks that are no programs
	Pieces []Piece  `json:"-"` // of the report, its title first
}

// A Program is a text in the thread that looks like it can be run.
type Program struct {
	Text     string `json:"text"`
	Post     int    `json:"post"` // 0 for the report, n for its nth comment
	Author   string `json:"author,omitempty"`
	Session  bool   `json:"session,omitempty"`  // it was typed at a >>> prompt
	Printed  string `json:"printed,omitempty"`  // what it printed last, as the thread shows it
	Earlier  string `json:"earlier,omitempty"`  // what it printed before that
	Remarked bool   `json:"remarked,omitempty"` // its author notes there that what it printed is wrong
	Wanted   string `json:"wanted,omitempty"`   // what it should have printed instead, as the thread says
	Raised   *Claim `json:"raised,omitempty"`   // the exception its session ended with
}

// A Claim is an exception that the thread shows.
type Claim struct {
	bug.Exception
	Post int  `json:"post"`
	Bare bool `json:"bare,omitempty"` // a line alone, without a traceback
}

// A Version is what the thread says of something's version.
type Version struct {
	Of   string `json:"of"`
	Is   string `json:"is"`
	Post int    `json:"post"`
}

// Lines counts the lines of a program that are not blank.
func (p Program) Lines() int {
	n := 0
	for line := range strings.Lines(p.Text) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

var importForms = regexp.MustCompile(`(?m)^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([A-Za-z_][\w., \t]*))`)

// Imports are the modules that a program names in its imports, as far as its
// text tells: dotted as written there, with a dot in front if relative.
func (p Program) Imports() []string {
	var all []string
	for _, m := range importForms.FindAllStringSubmatch(p.Text, -1) {
		for part := range strings.SplitSeq(m[1]+m[2], ",") {
			if name, _, _ := strings.Cut(strings.TrimSpace(part), " "); name != "" {
				all = append(all, name)
			}
		}
	}
	return all
}

// Read takes r apart.
func Read(r bug.Report) Thread {
	var t Thread
	t.add(0, r.Author, r.Title, r.Body)
	for i, c := range r.Comments {
		t.add(i+1, c.Author, "", c.Body)
	}
	t.Programs = join(t.Programs)
	known := knownNames(r.Ref.Repo, t.Programs)
	t.Versions = versions(r.Body, 0, known)
	for i, c := range r.Comments {
		t.Versions = append(t.Versions, versions(c.Body, i+1, known)...)
	}
	t.Environment = environment(r.Body)
	return t
}

// mailTail is what mail programs put under an answer: the mail it answers.
var mailTail = regexp.MustCompile(`(?s)(?:^|\n)(?:On [^\n]{5,120}(?:\n[^\n]{0,80})?wrote:|Excerpts from ` +
	`[^\n]*message of|[^\n]{0,100}<notifications@[^\n]*|Sent from my |You are receiving this because).*$`)

// add takes one post apart.
func (t *Thread) add(post int, author, title, text string) {
	p := parsePost(text)
	t.Images += p.images
	t.Hidden = append(t.Hidden, p.hidden...)
	for _, url := range p.links {
		if kind, ok := linkTo(url); ok {
			t.Links = append(t.Links, Link{URL: url, Kind: kind, Post: post})
		}
	}
	if post == 0 {
		t.Prose = p.prose
		t.Pieces = slices.Concat([]Piece{{Kind: Title, Text: title}}, shifted(p.pieces))
		t.Headings = p.headings
		if e, ok := bug.ToldException(title); ok {
			t.Exceptions = append(t.Exceptions, Claim{Exception: e, Bare: true})
		}
	} else {
		t.Talk = append(t.Talk, mailTail.ReplaceAllString(p.prose, ""))
	}
	t.addBare(post, p.prose+p.quoted) // a line that is set apart as code outweighs it
	for _, b := range p.blocks {
		t.addBlock(post, author, b)
	}
	if n := len(t.Programs); n > 0 && t.Programs[n-1].Post == post && t.Programs[n-1].Printed == "" {
		t.Programs[n-1].labelled(p.prose)
	}
	// What a sentence says should come is only worth something beside what came.
	if n := len(t.Programs); n > 0 && t.Programs[n-1].Post == post && t.Programs[n-1].Wanted == "" &&
		t.Programs[n-1].Printed != "" {
		t.Programs[n-1].Wanted = wantedInProse(p.prose)
	}
	// People also paste tracebacks without any fence around them.
	for _, e := range bug.Exceptions(p.prose) {
		t.Exceptions = append(t.Exceptions, Claim{Exception: e, Post: post})
	}
}

// strayTicks are left of a fence that somebody wanted to close in the last line.
var strayTicks = regexp.MustCompile("`{2,3}\\s*\\z")

func (t *Thread) addBlock(post int, author string, b block) {
	b.text = strayTicks.ReplaceAllString(b.text, "")
	kind, program, rest := classify(b)
	what := says(b.cue)
	if kind == script && what != nothing && !pythonLang.MatchString(b.lang) && !surely.MatchString(b.text) {
		kind, rest = other, b.text
	}
	switch kind {
	case session:
		p := readSession(program)
		if what == wanted && p.Raised == nil {
			p.Printed, p.Earlier, p.Wanted = "", "", p.Printed
		}
		p.Post, p.Author = post, author
		if p.Raised != nil {
			p.Raised.Post = post
			t.Exceptions = append(t.Exceptions, *p.Raised)
		}
		t.Programs = append(t.Programs, p)
	case script:
		t.Programs = append(t.Programs, Program{Text: program, Post: post, Author: author})
		for line := range strings.Lines(program) { // what came of it is often noted under it
			if note, ok := strings.CutPrefix(strings.TrimSpace(line), "#"); ok {
				t.addBare(post, note)
			}
		}
	}
	found := bug.Exceptions(rest)
	for _, e := range found {
		t.Exceptions = append(t.Exceptions, Claim{Exception: e, Post: post})
	}
	if len(found) > 0 {
		return
	}
	t.addBare(post, rest)
	if kind == other {
		t.addResult(post, what, rest)
	}
	if post == 0 {
		t.Output += rest + "\n"
	}
}

// addBare looks for lines such as "ValueError: no" that stand alone.
func (t *Thread) addBare(post int, text string) {
	for _, e := range bug.BareExceptions(text) {
		t.Exceptions = append(t.Exceptions, Claim{Exception: e, Post: post, Bare: true})
	}
}
