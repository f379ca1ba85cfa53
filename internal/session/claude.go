package session

import (
	"encoding/json"
	"io"
	"strings"
	"time"
)

// record is a line of a Claude Code transcript, as far as it matters.
type record struct {
	Type      string
	SessionID string
	Cwd       string
	GitBranch string
	Timestamp time.Time
	Message   struct{ Content json.RawMessage }
}

// block is a part of a message.
type block struct {
	Type      string
	ID        string
	Name      string
	Text      string
	Input     input
	ToolUseID string          `json:"tool_use_id"`
	IsError   bool            `json:"is_error"`
	Content   json.RawMessage // of a result: a text, or blocks
}

const (
	refusedText     = "The user doesn't want to proceed with this tool use"
	reasonText      = "the user said:"
	interruptedText = "[Request interrupted by user"
)

// Claude reads a transcript of Claude Code.
func Claude(r io.Reader) (Session, error) {
	s := Session{Agent: "Claude Code"}
	long, err := lines(r, func(number int, line []byte) {
		var rec record
		if json.Unmarshal(line, &rec) != nil {
			s.Skipped++
			return
		}
		if s.ID == "" {
			s.ID = rec.SessionID
		}
		if s.Folder == "" {
			s.Folder, s.Branch = rec.Cwd, rec.GitBranch
		}
		if s.Start.IsZero() {
			s.Start = rec.Timestamp
		}
		for _, b := range blocks(rec.Message.Content) {
			s.take(number, rec.Type, b)
		}
	})
	s.Skipped += long
	return s, err
}

// mostParts is how many parts a message may have, or a call an answer; a short message cannot have too many.
const (
	mostParts    = 1000
	shortMessage = 256 << 10
)

// blocks are the parts of a message, which may also be one text.
func blocks(raw json.RawMessage) []block {
	var direct []block
	if len(raw) < shortMessage && json.Unmarshal(raw, &direct) == nil {
		return direct
	}
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) == nil {
		var all []block
		for _, part := range parts[:min(len(parts), mostParts)] {
			var b block
			if json.Unmarshal(part, &b) == nil {
				all = append(all, b)
			}
		}
		return all
	}
	return []block{{Type: "text", Text: text(raw)}}
}

// text is what a message says.
func text(raw json.RawMessage) string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return one
	}
	var parts []struct{ Text string }
	_ = json.Unmarshal(raw, &parts)
	var all []string
	for _, p := range parts {
		all = append(all, p.Text)
	}
	return strings.Join(all, "\n")
}

// take adds what a part of a message tells.
func (s *Session) take(number int, from string, b block) {
	switch said := text(b.Content); {
	case b.Type == "tool_use":
		s.call(b.ID, b.Name, b.Input, number)
	case b.Type == "tool_result" && b.IsError && strings.HasPrefix(said, refusedText):
		_, reason, _ := strings.Cut(said, reasonText)
		s.result(b.ToolUseID, said, true)
		s.refuse(b.ToolUseID, reason)
	case b.Type == "tool_result":
		s.result(b.ToolUseID, said, b.IsError)
	case b.Type == "text" && from == "user" && strings.HasPrefix(b.Text, interruptedText):
		s.interrupt(number)
	case b.Type == "text" && from == "user":
		s.asked(b.Text)
	}
}
