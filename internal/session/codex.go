package session

import (
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
)

// rollout is a line of what Codex writes down.
type rollout struct {
	Timestamp time.Time
	Type      string
	Payload   struct {
		ID        string
		Cwd       string
		Git       struct{ Branch string }
		Type      string
		Role      string
		Content   json.RawMessage
		Name      string
		Arguments string
		Input     string // of a patch
		CallID    string `json:"call_id"`
		Output    json.RawMessage
	}
}

// Codex reads a rollout of Codex.
func Codex(r io.Reader) (Session, error) {
	s := Session{Agent: "Codex"}
	s.calls = map[string]int{}
	long, err := lines(r, func(number int, line []byte) {
		var rec rollout
		if json.Unmarshal(line, &rec) != nil {
			s.Skipped++
			return
		}
		p := rec.Payload
		switch {
		case rec.Type == "session_meta":
			s.ID, s.Folder, s.Branch, s.Start = p.ID, p.Cwd, p.Git.Branch, rec.Timestamp
		case p.Type == "message" && p.Role == "user":
			s.asked(text(p.Content))
		case len(s.Steps) >= mostSteps:
		case p.Type == "function_call" || p.Type == "custom_tool_call":
			s.calls[p.CallID] = len(s.Steps)
			s.Steps = append(s.Steps, s.codexStep(p.Name, p.Arguments, p.Input, number))
		case p.Type == "function_call_output" || p.Type == "custom_tool_call_output":
			said, failed := codexAnswer(p.Output)
			s.result(p.CallID, said, failed)
		case p.Type == "turn_aborted":
			s.interrupt(number)
		}
	})
	s.Skipped += long
	return s, err
}

// codexStep is a call of a tool: a command, which may be a list of words or a text, or a patch.
func (s Session) codexStep(tool, arguments, patch string, number int) Step {
	step := Step{Kind: Did, Tool: tool, Ended: bug.Unknown, Line: number}
	var with struct {
		Command json.RawMessage
		Cmd     string
	}
	_ = json.Unmarshal([]byte(arguments), &with)
	var words []string
	switch {
	case tool == "apply_patch":
		step.Kind = Edited
		if _, rest, ok := strings.Cut(patch, " File: "); ok {
			file, _, _ := strings.Cut(rest, "\n")
			step.Path = s.inside(strings.TrimSpace(file))
		}
	case json.Unmarshal(with.Command, &words) == nil && len(words) > 0:
		step.Kind, step.Command = Ran, words[len(words)-1]
		if words[0] != "bash" && words[0] != "sh" && words[0] != "zsh" {
			step.Command = strings.Join(words, " ")
		}
	case with.Cmd != "" || len(with.Command) > 0:
		step.Kind, step.Command = Ran, with.Cmd
		if with.Cmd == "" {
			_ = json.Unmarshal(with.Command, &step.Command)
		}
	}
	return step
}

// codexAnswer is what came back, and whether it says that it failed.
func codexAnswer(raw json.RawMessage) (string, bool) {
	said := text(raw)
	var with struct {
		Output   string
		Metadata struct {
			ExitCode int `json:"exit_code"`
		}
	}
	if json.Unmarshal([]byte(said), &with) == nil {
		return with.Output, with.Metadata.ExitCode != 0
	}
	_, code, ok := strings.Cut(said, "exited with code ")
	return said, ok && !strings.HasPrefix(code, "0")
}
