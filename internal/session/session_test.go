package session

import (
	"bytes"
	"strings"
	"testing"

	"scrub/internal/bug"
)

const claude = `{"type":"user","sessionId":"s1","cwd":"/home/jo/snail","gitBranch":"fix","timestamp":"2026-01-02T03:04:05Z","message":{"content":"do it"}}
not json
{"type":"assistant","message":{"content":[{"type":"text","text":"ok"},{"type":"tool_use","id":"a","name":"Bash","input":{"command":"go test ./... | tail -5"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"FAIL snail\n"}]}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"b","name":"Read","input":{"file_path":"/home/jo/snail/a/x.go"}},{"type":"tool_use","id":"c","name":"Read","input":{"file_path":"/home/jo/.ssh/id"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"b","is_error":true,"content":"File does not exist."},{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"x"}]}]}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"d","name":"Bash","input":{"command":"git push"}},{"type":"tool_use","id":"e","name":"Edit","input":{"file_path":"b.go"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"d","is_error":true,"content":"The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nnot on main"}]}}
{"type":"user","message":{"content":[{"type":"text","text":"[Request interrupted by user for tool use]"}]}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","name":"Bash","input":{"command":"again"}}]}}
`

func TestClaude(t *testing.T) {
	s, err := Claude(strings.NewReader(claude))
	if err != nil || s.ID != "s1" || s.Branch != "fix" || s.Start.IsZero() || s.Skipped != 1 || len(s.Steps) != 6 {
		t.Fatalf("%+v, %v", s, err)
	}
	want := []Step{
		{Kind: Ran, Ended: bug.Unknown, Line: 3}, {Kind: Read, Path: "a/x.go", Ended: bug.No, Line: 5},
		{Kind: Read, Ended: bug.Yes, Line: 5}, {Kind: Ran, Ended: bug.No, Refused: true, Reason: "not on main", Line: 7},
		{Kind: Edited, Path: "b.go", Ended: bug.Unknown, Line: 7}, {Kind: Interrupted, Ended: bug.Unknown, Line: 9},
	}
	for i, w := range want {
		g := s.Steps[i]
		g.Tool, g.Command, g.Said = "", "", ""
		if g != w {
			t.Errorf("step %d: %+v, want %+v", i, g, w)
		}
	}
}

const codex = `{"timestamp":"2026-01-02T03:04:05Z","type":"session_meta","payload":{"id":"c1","cwd":"/w/snail","git":{"branch":"fix"}}}
{"type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"pytest -q\"]}","call_id":"1"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"1","output":"{\"output\":\"1 failed\",\"metadata\":{\"exit_code\":1}}"}}
{"type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch\n*** Update File: a/x.py\n","call_id":"2"}}
{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"2","output":"{\"output\":\"Success\",\"metadata\":{\"exit_code\":0}}"}}
{"type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"ls\"}","call_id":"3"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"3","output":"Process exited with code 2\nno"}}
{"type":"event_msg","payload":{"type":"turn_aborted"}}
`

func TestCodex(t *testing.T) {
	s, err := Codex(strings.NewReader(codex))
	if err != nil || s.ID != "c1" || s.Branch != "fix" || len(s.Steps) != 4 {
		t.Fatalf("%+v, %v", s, err)
	}
	if a := s.Steps[0]; a.Command != "pytest -q" || a.Ended != bug.No || a.Kind != Ran {
		t.Errorf("%+v", a)
	}
	if a := s.Steps[1]; a.Path != "a/x.py" || a.Ended != bug.Yes || a.Kind != Edited {
		t.Errorf("%+v", a)
	}
	if a := s.Steps[2]; a.Command != "ls" || a.Ended != bug.No || s.Steps[3].Kind != Interrupted {
		t.Errorf("%+v, %+v", a, s.Steps[3])
	}
}

func TestSWE(t *testing.T) {
	s, err := SWE(strings.NewReader(`{"trajectory":[{"action":"search_dir x","observation":"none"},{"action":"python r.py\n","observation":"Traceback (most recent call last)\n"}]}`))
	if err != nil || len(s.Steps) != 2 || s.Steps[0].Kind != Searched || s.Steps[1].Ended != bug.No ||
		s.Steps[1].Command != "python r.py" {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := SWE(strings.NewReader("no")); err == nil {
		t.Error("it was read")
	}
}

// A record that is too long costs that record.
func TestLongLine(t *testing.T) {
	long := append(bytes.Repeat([]byte("x"), mostLine+1), '\n')
	var got []int
	n, err := lines(bytes.NewReader(append(append([]byte("a\n"), long...), "b\nc"...)), func(number int,
		_ []byte) {
		got = append(got, number)
	})
	if err != nil || n != 1 || len(got) != 3 || got[1] != 3 || got[2] != 4 {
		t.Errorf("%d too long, read %v, %v", n, got, err)
	}
}

// However much an agent wrote, only so much of it is kept.
func TestKeep(t *testing.T) {
	s := Session{kept: mostKept - 3}
	if got := s.keep("abcdef", 5) + s.keep("g", 5); got != "abc" {
		t.Error(got)
	}
}

// Whatever is in a file, it is read or refused, and no path outside of the project is kept.
func FuzzRead(f *testing.F) {
	f.Add([]byte(claude))
	f.Add([]byte(codex))
	f.Add([]byte(`{"trajectory":[{"action":"","observation":null}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, read := range []func() (Session, error){
			func() (Session, error) { return Claude(bytes.NewReader(data)) },
			func() (Session, error) { return Codex(bytes.NewReader(data)) },
			func() (Session, error) { return SWE(bytes.NewReader(data)) },
		} {
			s, err := read()
			if err != nil {
				continue
			}
			for _, step := range s.Steps {
				if strings.HasPrefix(step.Path, "/") || strings.HasPrefix(step.Path, "..") {
					t.Errorf("%q is kept", step.Path)
				}
			}
		}
	})
}
