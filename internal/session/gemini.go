package session

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"time"
)

// chat is a file of Gemini CLI, a line of one, or what a line says anew.
type chat struct {
	SessionID   string
	ProjectHash string
	StartTime   time.Time
	Type        string
	Content     json.RawMessage
	ToolCalls   []json.RawMessage // geminiCall
	Messages    []json.RawMessage // chat
	Set         *chat             `json:"$set"`
}

type geminiCall struct {
	ID     string
	Name   string
	Args   input
	Status string
	Result []struct {
		FunctionResponse struct {
			Response struct{ Output, Error string }
		}
	}
}

// exitCode is how a command ended, which the status of a call does not tell.
var exitCode = regexp.MustCompile(`(?m)^Exit Code: ([1-9]\d*|-\d+)$`)

// Gemini reads a session of Gemini CLI. It says where the agent worked only by a digest, so that dir is taken for the
// place if it has that digest.
func Gemini(r io.Reader, dir string) (Session, error) {
	s := Session{Agent: "Gemini CLI"}
	sum := sha256.Sum256([]byte(dir))
	err := s.records(r, func(number int, record []byte) {
		var c chat
		if json.Unmarshal(record, &c) != nil {
			s.Skipped++
			return
		}
		if c.SessionID != "" && s.ID == "" {
			s.ID, s.Start = c.SessionID, c.StartTime
			if c.ProjectHash == hex.EncodeToString(sum[:]) {
				s.Folder = dir
			}
		}
		if c.Type == "user" {
			s.asked(text(c.Content))
		}
		s.gemini(number, c)
		if c.Set != nil {
			s.gemini(number, *c.Set)
		}
	})
	return s, err
}

// gemini adds the calls of a record. The same call may be told again, with what has become of it.
func (s *Session) gemini(number int, c chat) {
	for i, raw := range c.Messages[:min(len(c.Messages), mostSteps)] {
		var m chat
		if json.Unmarshal(raw, &m) == nil {
			s.gemini(number+i, chat{ToolCalls: m.ToolCalls})
		}
	}
	for _, raw := range c.ToolCalls[:min(len(c.ToolCalls), mostParts)] {
		var call geminiCall
		if json.Unmarshal(raw, &call) != nil {
			s.Skipped++
			continue
		}
		s.call(call.ID, call.Name, call.Args, number)
		said, failed := "", call.Status == "error"
		for _, part := range call.Result[:min(len(call.Result), 10)] {
			said += part.FunctionResponse.Response.Output
			if wrong := part.FunctionResponse.Response.Error; wrong != "" {
				said, failed = said+wrong, true
			}
		}
		switch {
		case call.Status == "cancelled" && strings.Contains(said, "Reason: User"):
			s.refuse(call.ID, "")
		case call.Status == "cancelled":
			s.interrupt(number)
		case call.Status == "success" || call.Status == "error":
			s.result(call.ID, said, failed || exitCode.MatchString(said))
		}
	}
}
