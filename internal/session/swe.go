package session

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"scrub/internal/bug"
)

// SWE reads a trajectory of SWE-agent.
func SWE(r io.Reader) (Session, error) {
	s := Session{Agent: "SWE-agent", Folder: "/"}
	var file struct {
		Trajectory []struct{ Action, Observation string }
	}
	dec := json.NewDecoder(io.LimitReader(r, mostFile))
	if err := dec.Decode(&file); err != nil {
		return s, fmt.Errorf("not a trajectory of SWE-agent: %w", err)
	}
	for i, t := range file.Trajectory[:min(len(file.Trajectory), mostSteps)] {
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
		if step.Said = t.Observation[:min(len(t.Observation), mostSaid)]; failing.MatchString(t.Observation) {
			step.Ended = bug.No
		}
		s.Steps = append(s.Steps, step)
	}
	return s, nil
}
