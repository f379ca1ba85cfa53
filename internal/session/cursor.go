package session

import (
	"encoding/json"
	"io"
	"strings"
)

// said is a line of what Cursor's agent prints or keeps.
type said struct {
	Type, Subtype string
	SessionID     string `json:"session_id"`
	Cwd           string
	CallID        string                     `json:"call_id"`
	ToolCall      map[string]json.RawMessage `json:"tool_call"`
	Message       struct{ Content json.RawMessage }
	Status        string
}

// cursorCall is what a call of a tool was asked, and how it ended: one of these is there.
type cursorCall struct {
	Args   input
	Result struct {
		Success          *cursorEnd
		Failure          *cursorEnd
		Error            *cursorEnd
		PermissionDenied *cursorEnd
		Rejected         *struct{ Reason string }
	}
}

type cursorEnd struct {
	ExitCode                                    int
	Stdout, Stderr, Content                     string
	Error, ErrorMessage                         string
	BeforeFullFileContent, AfterFullFileContent string
	Aborted                                     bool
}

// cursorTools are the names that the other tools go by.
var cursorTools = map[string]string{"shell": "Shell", "read": "Read", "write": "Write", "edit": "StrReplace",
	"glob": "Glob",
	"grep": "Grep", "ls": "LS"}

// Cursor reads what Cursor's agent prints as stream-json, or keeps as a transcript. A transcript says neither where the
// agent worked, for which dir is taken, nor how anything ended.
func Cursor(r io.Reader, dir string) (Session, error) {
	s := Session{Agent: "Cursor", Folder: dir}
	long, err := lines(r, func(number int, line []byte) {
		var l said
		if json.Unmarshal(line, &l) != nil {
			s.Skipped++
			return
		}
		switch {
		case l.Type == "system" && l.Cwd != "":
			s.ID, s.Folder = l.SessionID, l.Cwd
		case l.Type == "turn_ended" && l.Status == "aborted":
			s.interrupt(number)
		case l.Type == "tool_call":
			for name, raw := range l.ToolCall {
				if tool, ok := strings.CutSuffix(name, "ToolCall"); ok {
					s.cursor(number, l.CallID, tool, raw)
				}
			}
		case l.Type == "":
			for _, b := range blocks(l.Message.Content) {
				if b.Type == "tool_use" {
					s.call("", b.Name, b.Input, number)
				}
			}
		}
	})
	s.Skipped += long
	return s, err
}

// cursor adds a call, or how one ended.
func (s *Session) cursor(number int, id, tool string, raw json.RawMessage) {
	var c cursorCall
	if json.Unmarshal(raw, &c) != nil {
		s.Skipped++
		return
	}
	if name := cursorTools[tool]; name != "" {
		tool = name
	}
	s.call(id, tool, c.Args, number)
	switch end := c.Result; {
	case end.Rejected != nil:
		s.refuse(id, end.Rejected.Reason)
	case end.Failure != nil && end.Failure.Aborted:
		s.interrupt(number)
	case end.Success != nil:
		if at, ok := s.calls[id]; ok && s.Steps[at].Wrote == "" && s.Steps[at].Kind == Edited {
			s.Steps[at].Wrote = s.keep(end.Success.AfterFullFileContent, mostWrote)
			s.Steps[at].Was = s.keep(end.Success.BeforeFullFileContent, mostWrote)
		}
		s.result(id, end.Success.words(), end.Success.ExitCode != 0)
	default:
		for _, bad := range []*cursorEnd{end.Failure, end.Error, end.PermissionDenied} {
			if bad != nil {
				s.result(id, bad.words(), true)
			}
		}
	}
}

func (e cursorEnd) words() string {
	return strings.Join([]string{e.Stdout, e.Stderr, e.Content, e.Error, e.ErrorMessage}, "\n")
}
