package session

import (
	"cmp"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"time"
)

// happened is a line of what Copilot CLI writes down.
type happened struct {
	Type      string
	Timestamp time.Time
	Data      struct {
		SessionID  string
		Context    struct{ Cwd, Branch, BaseCommit string }
		Content    string // of what a person says
		ToolCallID string
		ToolName   string
		Arguments  input
		Success    bool
		Result     struct {
			Content  string
			Contents []struct{ ExitCode int }
			Kind     string // of a permission
			Feedback string
		}
		Error struct{ Message, Code string }
	}
}

// exited is how a command ended.
var exited = regexp.MustCompile(`<exited with exit code ([1-9]\d*|-\d+)>\s*$`)

// Copilot reads a session of GitHub Copilot CLI.
func Copilot(r io.Reader) (Session, error) {
	s := Session{Agent: "Copilot CLI"}
	long, err := lines(r, func(number int, line []byte) {
		var h happened
		if json.Unmarshal(line, &h) != nil {
			s.Skipped++
			return
		}
		d := h.Data
		switch {
		case h.Type == "session.start" && s.ID == "":
			s.ID, s.Start = d.SessionID, h.Timestamp
			s.Folder, s.Branch, s.Base = d.Context.Cwd, d.Context.Branch, d.Context.BaseCommit
		case h.Type == "user.message":
			s.asked(d.Content)
		case h.Type == "tool.execution_start":
			s.call(d.ToolCallID, d.ToolName, d.Arguments, number)
		case h.Type == "permission.completed" && d.Result.Kind == "denied-interactively-by-user":
			s.refuse(d.ToolCallID, d.Result.Feedback)
		case h.Type == "tool.execution_complete" && (d.Error.Code == "rejected" || strings.HasPrefix(d.Error.Message,
			"The user rejected")):
			if at, ok := s.calls[d.ToolCallID]; ok && !s.Steps[at].Refused {
				s.refuse(d.ToolCallID, "")
			}
		case h.Type == "tool.execution_complete":
			failed := !d.Success || exited.MatchString(d.Result.Content)
			for _, c := range d.Result.Contents {
				failed = failed || c.ExitCode != 0
			}
			s.result(d.ToolCallID, d.Result.Content+d.Error.Message, failed)
		case h.Type == "abort":
			s.interrupt(number)
		}
	})
	s.Skipped += long
	return s, err
}

// export is a chat that VS Code's Copilot has written out.
type export struct {
	Requests []struct {
		Timestamp int64             // in milliseconds
		Response  []json.RawMessage // exported
	}
}

// exported is a part of an answer.
type exported struct {
	Kind             string
	ToolID           string
	ToolCallID       string
	IsConfirmed      json.RawMessage
	URI              struct{ Path, FsPath string }
	ToolSpecificData struct {
		CommandLine           struct{ Original string }
		TerminalCommandState  struct{ ExitCode *int }
		TerminalCommandOutput struct{ Text string }
	}
}

// denied is a call that a person did not agree to.
const denied = `{"type":0}`

// CopilotChat reads a chat that was exported from VS Code. Of tools other than the terminal it tells which files were
// changed and no more.
func CopilotChat(r io.Reader, dir string) (Session, error) {
	s := Session{Agent: "Copilot in VS Code", Folder: dir}
	err := s.records(r, func(number int, record []byte) {
		var e export
		if json.Unmarshal(record, &e) != nil {
			s.Skipped++
			return
		}
		for _, q := range e.Requests {
			if s.Start.IsZero() && q.Timestamp > 0 {
				s.Start = time.UnixMilli(q.Timestamp).UTC()
			}
			for i, raw := range q.Response[:min(len(q.Response), mostSteps)] {
				var p exported
				if json.Unmarshal(raw, &p) == nil {
					s.exported(number+i, p)
				}
			}
		}
	})
	return s, err
}

// exported adds a part of an answer.
func (s *Session) exported(number int, p exported) {
	data := p.ToolSpecificData
	switch {
	case p.Kind == "textEditGroup":
		s.call("", "edit", input{Path: cmp.Or(p.URI.FsPath, p.URI.Path)}, number)
	case p.Kind == "toolInvocationSerialized":
		s.call(p.ToolCallID, p.ToolID, input{Command: data.CommandLine.Original}, number)
		if strings.ReplaceAll(string(p.IsConfirmed), " ", "") == denied {
			s.refuse(p.ToolCallID, "")
		} else if code := data.TerminalCommandState.ExitCode; code != nil {
			s.result(p.ToolCallID, data.TerminalCommandOutput.Text, *code != 0)
		}
	}
}
