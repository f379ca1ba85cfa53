package session

import (
	"cmp"
	"encoding/json"
	"io"
	"strings"
	"time"

	"scrub/internal/bug"
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

// input is what tools are called with.
type input struct {
	Command      string
	FilePath     string `json:"file_path"`
	NotebookPath string `json:"notebook_path"`
	Path         string
	Pattern      string
	OldString    string `json:"old_string"`
	NewString    string `json:"new_string"`
	Content      string
	Edits        []struct {
		OldString string `json:"old_string"`
		NewString string `json:"new_string"`
	}
}

// wrote is what an edit puts into a file, and in the place of what.
func (i input) wrote() (now, was string) {
	now, was = cmp.Or(i.NewString, i.Content), i.OldString
	for _, e := range i.Edits {
		now += "\n" + e.NewString
		was += "\n" + e.OldString
	}
	return now, was
}

var claudeTools = map[string]Kind{"Bash": Ran, "Edit": Edited, "MultiEdit": Edited, "Write": Edited,
	"NotebookEdit": Edited,
	"Read":         Read, "Grep": Searched, "Glob": Searched, "LS": Searched}

const (
	refusedText     = "The user doesn't want to proceed with this tool use"
	reasonText      = "the user said:"
	interruptedText = "[Request interrupted by user"
)

// Claude reads a transcript of Claude Code.
func Claude(r io.Reader) (Session, error) {
	s := Session{Agent: "Claude Code"}
	calls := map[string]int{} // where the step of a call is
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
			s.take(number, rec.Type, b, calls)
		}
	})
	s.Skipped += long
	return s, err
}

// blocks are the parts of a message, which may also be one text.
func blocks(raw json.RawMessage) []block {
	var all []block
	if json.Unmarshal(raw, &all) == nil {
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
func (s *Session) take(number int, from string, b block, calls map[string]int) {
	switch {
	case len(s.Steps) >= mostSteps:
	case b.Type == "tool_use":
		if _, known := calls[b.ID]; known {
			return // a transcript may be written down again when a session goes on
		}
		kind, ok := claudeTools[b.Name]
		if !ok {
			kind = Did
		}
		calls[b.ID] = len(s.Steps)
		var wrote, was string
		if kind == Edited {
			wrote, was = b.Input.wrote()
			wrote, was = s.keep(wrote, mostWrote), s.keep(was, mostWrote)
		}
		file := cmp.Or(b.Input.FilePath, b.Input.NotebookPath, b.Input.Path)
		s.Steps = append(s.Steps, Step{Kind: kind, Tool: b.Name, Path: s.inside(file), Command: b.Input.Command,
			Wrote: wrote, Was: was, Ended: bug.Unknown, Line: number})
	case b.Type == "tool_result":
		at, ok := calls[b.ToolUseID]
		if !ok {
			return
		}
		s.answer(&s.Steps[at], text(b.Content), b.IsError)
	case b.Type == "text" && from == "user" && strings.HasPrefix(b.Text, interruptedText):
		s.Steps = append(s.Steps, Step{Kind: Interrupted, Line: number, Ended: bug.Unknown})
	}
}

// answer notes how a step ended.
func (s *Session) answer(step *Step, said string, failed bool) {
	step.Ended = ended(step.Command, failed, said)
	step.Said = s.keep(said, mostSaid)
	if failed && strings.HasPrefix(said, refusedText) {
		step.Refused = true
		if _, reason, ok := strings.Cut(said, reasonText); ok {
			step.Reason = strings.TrimSpace(reason)
		}
	}
}
