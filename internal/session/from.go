package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path"
	"regexp"
	"slices"
)

// head is how much of a file tells whose it is.
const head = 4 << 10

var (
	openHands = regexp.MustCompile(`"source":\s*"(agent|user|environment|hook)"`)
	dotted    = regexp.MustCompile(`^\{"type":\s*"[a-z]+\.[a-z_.]+",\s*"data":`)
)

// MayBe reports whether a file of that name may hold a session.
func MayBe(name string) bool {
	return slices.Contains([]string{".jsonl", ".json", ".traj"}, path.Ext(name))
}

// From reads a session in whichever format it is; dir is the project that is asked about, for formats that do not
// say where the agent worked. What is no session has no steps.
func From(r io.Reader, dir string) (Session, error) {
	begins := make([]byte, head)
	n, err := io.ReadFull(r, begins)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return Session{}, err
	}
	begins = begins[:n]
	all := io.MultiReader(bytes.NewReader(begins), r)
	first, _, _ := bytes.Cut(begins, []byte("\n"))
	has := func(words ...string) bool {
		for _, w := range words {
			if !bytes.Contains(begins, []byte(w)) {
				return false
			}
		}
		return true
	}
	switch {
	case bytes.Contains(first, []byte(`"session_meta"`)):
		return Codex(all)
	case has(`"sessionId"`, `"projectHash"`):
		return Gemini(all, dir)
	case dotted.Match(first):
		return Copilot(all)
	case has(`"requests"`, `"requesterUsername"`) || has(`"requests"`, `"responderUsername"`):
		return CopilotChat(all, dir)
	case has(`"permissionMode"`, `"apiKeySource"`) && !has(`"tools"`), has(`"type":"tool_call"`), transcript(first):
		return Cursor(all, dir)
	case openHands.Match(begins):
		return OpenHands(all)
	case has(`"trajectory"`):
		return SWE(all)
	}
	return Claude(all)
}

// transcript reports whether a line is one of a transcript of Cursor's: it has a role and none of what others have.
func transcript(line []byte) bool {
	var l struct {
		Role, Type, UUID, SessionID string
	}
	return json.Unmarshal(line, &l) == nil && l.Role != "" && l.Type == "" && l.UUID == "" && l.SessionID == ""
}
