package session

import (
	"cmp"
	"encoding/json"
	"io"
	"strconv"
	"time"
)

// deed is an event of OpenHands: of the older form, where actions have arguments and observations a cause, or of the
// newer, where both have a kind and the id of a call.
type deed struct {
	ID          json.RawMessage
	Timestamp   string
	Trajectory  []json.RawMessage // the same
	Args        input
	Cause       *int
	Content     json.RawMessage
	Extras      struct{ Metadata outcome }
	Kind        string
	ToolName    string          `json:"tool_name"`
	ToolCallID  string          `json:"tool_call_id"`
	Action      json.RawMessage // a word, or an object
	Observation json.RawMessage
	Reason      string `json:"rejection_reason"`
	Source      string `json:"rejection_source"`
	Error       string
}

type outcome struct {
	ExitCode   int    `json:"exit_code"`
	WorkingDir string `json:"working_dir"`
}

type seen struct {
	Content  json.RawMessage
	IsError  bool `json:"is_error"`
	ExitCode int  `json:"exit_code"`
	Metadata outcome
}

// mostDeeds is how many events are read.
const mostDeeds = 50_000

// OpenHands reads a trajectory of OpenHands, or the events of a conversation, one after the other.
func OpenHands(r io.Reader) (Session, error) {
	s := Session{Agent: "OpenHands"}
	var all []deed
	err := s.records(r, func(_ int, record []byte) {
		var d deed
		if len(all) >= mostDeeds || json.Unmarshal(record, &d) != nil {
			s.Skipped++
			return
		}
		list := d.Trajectory
		d.Trajectory = nil
		all = append(all, d)
		for _, raw := range list[:min(len(list), mostDeeds)] {
			var one deed
			if json.Unmarshal(raw, &one) == nil {
				all = append(all, one)
			}
		}
	})
	for _, d := range all {
		var o seen
		_ = json.Unmarshal(d.Observation, &o)
		if s.Folder == "" {
			s.Folder = cmp.Or(d.Extras.Metadata.WorkingDir, o.Metadata.WorkingDir)
		}
		if s.Start.IsZero() {
			s.Start, _ = time.Parse("2006-01-02T15:04:05.999999", d.Timestamp)
		}
	}
	for i, d := range all {
		s.happened(i+1, d)
	}
	return s, err
}

// happened adds what an event tells.
func (s *Session) happened(number int, d deed) {
	var did, saw string // the words of the older form
	_ = json.Unmarshal(d.Action, &did)
	_ = json.Unmarshal(d.Observation, &saw)
	cause := ""
	if d.Cause != nil {
		cause = strconv.Itoa(*d.Cause)
	}
	switch {
	case d.Kind == "ActionEvent":
		var in input
		_ = json.Unmarshal(d.Action, &in)
		s.call(d.ToolCallID, d.ToolName, in, number)
	case d.Kind == "ObservationEvent":
		var o seen
		_ = json.Unmarshal(d.Observation, &o)
		s.result(d.ToolCallID, text(o.Content), o.IsError || o.ExitCode != 0)
	case d.Kind == "UserRejectObservation" && d.Source != "hook":
		s.refuse(d.ToolCallID, d.Reason)
	case d.Kind == "AgentErrorEvent":
		s.result(d.ToolCallID, d.Error, true)
	case d.Kind == "InterruptEvent" || d.Kind == "PauseEvent":
		s.interrupt(number)
	case did == "edit" && d.Args.Command != "":
		s.call(string(d.ID), "file_editor", d.Args, number)
	case kindOf(did) != Did:
		s.call(string(d.ID), did, d.Args, number)
	case saw == "user_rejected":
		s.refuse(cause, "")
	case saw != "":
		s.result(cause, text(d.Content), saw == "error" || d.Extras.Metadata.ExitCode != 0)
	}
}
