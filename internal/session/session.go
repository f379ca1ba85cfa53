// Package session reads what coding agents have written down of their work: one reader for each format, one
// type for all. Sessions are private and may be forged: nothing of them is taken for more than data, every
// reader is bounded, and paths outside of the project are not kept.
package session

import (
	"bufio"
	"errors"
	"io"
	"path"
	"regexp"
	"strings"
	"time"

	"scrub/internal/bug"
)

// A Session is what an agent did, step by step.
type Session struct {
	ID      string
	Agent   string // whose format it is
	Branch  string
	Base    string // the commit it began at, where somebody keeps book of that
	Folder  string // where the agent worked; paths are relative to it
	Start   time.Time
	Steps   []Step
	Skipped int // records that could not be read
	kept    int // bytes of texts
	// Marks are what commits name the session by, where somebody keeps book of that.
	Marks []string
}

// A Kind is what a step was for.
type Kind string

// The kinds of steps.
const (
	Ran         Kind = "ran"
	Edited      Kind = "edited"
	Read        Kind = "read"
	Searched    Kind = "searched"
	Did         Kind = "did" // anything else
	Interrupted Kind = "interrupted"
)

// A Step is one thing that an agent did, or a person who stopped it.
type Step struct {
	Kind    Kind
	Tool    string     // as the agent calls it
	Path    string     // of a file of the project
	Command string     // that was run
	Ended   bug.Answer // well: yes, no, or unknown, where status and text disagree
	Said    string     // what came back, shortened
	Refused bool       // a person did not let it
	Reason  string     // what they said, if anything
	Wrote   string     // what it put into a file
	Was     string     // and in the place of what, if it says so
	Line    int        // of the file
}

// Bounds of what is read.
const (
	mostLine  = 32 << 20 // bytes of a record
	mostSaid  = 4 << 10  // bytes that are kept of an answer
	mostWrote = 1 << 20  // and of what was written
	mostKept  = 64 << 20 // and of all texts of a session
	mostSteps = 200_000
)

// keep is a text as it is kept, as long as there is room.
func (s *Session) keep(text string, most int) string {
	text = text[:min(len(text), most, max(0, mostKept-s.kept))]
	s.kept += len(text)
	return text
}

// lines gives f every line of a stream, numbered, as long as it is not too long. It returns how many were.
func lines(r io.Reader, f func(number int, line []byte)) (long int, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	var line []byte
	over := false
	for number := 1; ; {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > mostLine {
			over, line = true, line[:0]
		}
		if !over {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if over {
			long++
		} else if len(line) > 0 {
			f(number, line)
		}
		over, line = false, line[:0]
		number++
		if errors.Is(err, io.EOF) {
			return long, nil
		}
		if err != nil {
			return long, err
		}
	}
}

// inside is a path relative to the folder of the session, or nothing for one that is not in it.
func (s Session) inside(name string) string {
	if name == "" || len(name) > 1000 {
		return ""
	}
	name = path.Clean(name)
	if path.IsAbs(name) {
		rest, ok := strings.CutPrefix(name, strings.TrimSuffix(path.Clean(s.Folder), "/")+"/")
		if !ok || s.Folder == "" {
			return ""
		}
		name = rest
	}
	if name == "." || name == ".." || strings.HasPrefix(name, "../") {
		return ""
	}
	return name
}

// failing is what tests, linters and programs print when something is wrong.
var failing = regexp.MustCompile(`(?m)^(--- FAIL|FAIL|FAILED|ERROR|Traceback \(most recent call last\)|panic:|error(\[E\d+\])?:)|` +
	`\b[1-9]\d* (failed|failures?|errors?)\b`)

// masks is a pipe, behind which an exit status is that of another program.
var masks = regexp.MustCompile(`\|\s*(tail|head|grep|tee|cat|less|sed|awk|wc|sort)\b|\|\|\s*(true|echo|:)`)

// ended says how a command ended: by its status, unless what it printed says otherwise and a pipe may have hidden that.
func ended(command string, failed bool, said string) bug.Answer {
	switch {
	case failed:
		return bug.No
	case masks.MatchString(command) && failing.MatchString(said):
		return bug.Unknown
	}
	return bug.Yes
}
