// Package session reads what coding agents have written down of their work: one reader for each format, one
// type for all. Sessions are private and may be forged: nothing of them is taken for more than data, every
// reader is bounded, and paths outside of the project are not kept.
package session

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
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
	Skipped int            // records that could not be read
	kept    int            // bytes of texts
	calls   map[string]int // where the step of a call is
	// Marks are what commits name the session by, where somebody keeps book of that.
	Marks []string
	// Issues are those that people spoke of when it began.
	Issues []int
	asks   int // of people
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
	mostName  = 200
)

// keep is a text as it is kept, as long as there is room.
func (s *Session) keep(text string, most int) string {
	text = text[:min(len(text), most, max(0, mostKept-s.kept))]
	s.kept += len(text)
	return strings.Clone(text) // so that what it was cut from goes
}

// input is what tools are called with, by all the names that agents have for it.
type input struct {
	Command      string
	FilePath     string `json:"file_path"`
	AbsolutePath string `json:"absolute_path"`
	NotebookPath string `json:"notebook_path"`
	Path         string
	OldString    string `json:"old_string"`
	NewString    string `json:"new_string"`
	OldStr       string `json:"old_str"`
	NewStr       string `json:"new_str"`
	Content      string
	Contents     string
	FileText     string `json:"file_text"`
	Edits        []struct {
		OldString string `json:"old_string"`
		NewString string `json:"new_string"`
	}
}

// wrote is what an edit puts into a file, and in the place of what.
func (i input) wrote() (now, was string) {
	now, was = cmp.Or(i.NewString, i.NewStr, i.Content, i.Contents, i.FileText), cmp.Or(i.OldString, i.OldStr)
	if len(i.Edits) == 0 {
		return now, was
	}
	var all, before strings.Builder
	for _, e := range i.Edits[:min(len(i.Edits), mostEdits)] {
		all.WriteString("\n" + e.NewString)
		before.WriteString("\n" + e.OldString)
	}
	return now + all.String(), was + before.String()
}

// mostEdits is how many places of a file one call may change.
const mostEdits = 10_000

// tools are those of all agents, by what they are for.
var tools = map[Kind][]string{
	Ran: {"Bash", "run_shell_command", "bash", "powershell", "Shell", "shell", "terminal", "execute_bash", "run",
		"run_in_terminal"},
	Edited: {"Edit", "MultiEdit", "Write", "NotebookEdit", "replace", "write_file", "edit", "create",
		"str_replace", "insert",
		"write", "StrReplace"},
	Read:     {"Read", "read_file", "view", "read"},
	Searched: {"Grep", "Glob", "LS", "glob", "list_directory", "grep_search", "search_file_content", "grep", "rg"},
}

// editors are tools that read and write, as their command says.
var editors = []string{"str_replace_editor", "file_editor"}

// kindOf is what a tool is for.
func kindOf(tool string) Kind {
	for kind, names := range tools {
		if slices.Contains(names, tool) {
			return kind
		}
	}
	return Did
}

// call adds a call of a tool, unless it is on record.
func (s *Session) call(id, tool string, in input, line int) {
	if _, known := s.calls[id]; known && id != "" || len(s.Steps) >= mostSteps {
		return // a session may be written down again when it goes on
	}
	step := Step{Kind: kindOf(tool), Tool: s.keep(tool, mostName), Line: line, Ended: bug.Unknown,
		Path: s.inside(cmp.Or(in.FilePath, in.AbsolutePath, in.NotebookPath, in.Path))}
	switch {
	case slices.Contains(editors, tool) && in.Command == "view":
		step.Kind = Read
	case slices.Contains(editors, tool):
		step.Kind = Edited
	default:
		step.Command = s.keep(in.Command, mostWrote)
	}
	if step.Kind == Edited {
		now, was := in.wrote()
		step.Wrote, step.Was = s.keep(now, mostWrote), s.keep(was, mostWrote)
	}
	if s.calls == nil {
		s.calls = map[string]int{}
	}
	s.calls[id] = len(s.Steps)
	s.Steps = append(s.Steps, step)
}

// result notes what came back from a call, and whether it is said to have failed.
func (s *Session) result(id, said string, failed bool) {
	if at, ok := s.calls[id]; ok {
		step := &s.Steps[at]
		step.Ended, step.Said = ended(step.Command, failed, said), s.keep(said, mostSaid)
	}
}

// refuse notes that a person did not let a call happen, and what they said.
func (s *Session) refuse(id, reason string) {
	if at, ok := s.calls[id]; ok {
		s.Steps[at].Ended, s.Steps[at].Refused, s.Steps[at].Reason = bug.No, true, s.keep(strings.TrimSpace(reason), mostSaid)
	}
}

var issue = regexp.MustCompile(`(?:#|/issues/)([1-9]\d{0,6})\b`)

// mostAsks is how much of what people say belongs to the beginning.
const mostAsks = 2

// asked notes which issues a person spoke of, at the beginning.
func (s *Session) asked(text string) {
	if text == "" || s.asks >= mostAsks {
		return
	}
	s.asks++
	for _, m := range issue.FindAllStringSubmatch(text[:min(len(text), mostSaid)], 20) {
		if n, err := strconv.Atoi(m[1]); err == nil && !slices.Contains(s.Issues, n) {
			s.Issues = append(s.Issues, n)
		}
	}
}

// interrupt notes that a person stopped the agent.
func (s *Session) interrupt(line int) {
	if len(s.Steps) < mostSteps {
		s.Steps = append(s.Steps, Step{Kind: Interrupted, Line: line, Ended: bug.Unknown})
	}
}

// records gives f every JSON value of a stream: one on each line, or all of it, or each of a list.
func (s *Session) records(r io.Reader, f func(number int, record []byte)) error {
	all, err := io.ReadAll(io.LimitReader(r, mostFile))
	if err != nil {
		return err
	}
	var list []json.RawMessage
	switch {
	case json.Unmarshal(all, &list) == nil:
		for i, one := range list {
			f(i+1, one)
		}
	case json.Valid(all):
		f(1, all)
	default:
		long, err := lines(bytes.NewReader(all), f)
		s.Skipped += long
		return err
	}
	return nil
}

// mostFile is how large a file may be that is read as a whole.
const mostFile = 64 << 20

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
