package session

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

// SWE reads a trajectory of SWE-agent.
func SWE(r io.Reader) (Session, error) {
	s := Session{Agent: "SWE-agent", Folder: "/"}
	var file struct {
		Trajectory []json.RawMessage
	}
	dec := json.NewDecoder(io.LimitReader(r, mostFile))
	if err := dec.Decode(&file); err != nil {
		return s, fmt.Errorf("not a trajectory of SWE-agent: %w", err)
	}
	for i, raw := range file.Trajectory[:min(len(file.Trajectory), mostSteps)] {
		var t struct{ Action, Observation string }
		if json.Unmarshal(raw, &t) != nil {
			s.Skipped++
			continue
		}
		first, _, _ := strings.Cut(strings.TrimSpace(t.Action), " ")
		step := Step{Kind: Ran, Tool: first, Command: strings.TrimSpace(t.Action), Line: i + 1, Ended: bug.Unknown}
		switch first {
		case "edit", "create", "str_replace_editor":
			step.Kind = Edited
		case "open", "goto", "scroll_down", "scroll_up":
			step.Kind = Read
		case "search_dir", "search_file", "find_file":
			step.Kind = Searched
		}
		// It keeps no status, so that only what was printed tells.
		if step.Said = s.keep(t.Observation, mostSaid); failing.MatchString(t.Observation) {
			step.Ended = bug.No
		}
		s.Steps = append(s.Steps, step)
	}
	return s, nil
}
