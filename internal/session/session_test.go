package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
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

const geminiLines = `{"sessionId":"g1","projectHash":"HASH","startTime":"2026-05-04T09:00:00.000Z","kind":"main"}
{"id":"u1","type":"user","content":[{"text":"run the tests"}]}
{"$set":{"lastUpdated":"2026-05-04T09:00:05.000Z"}}
{"id":"m1","type":"gemini","content":"","toolCalls":[{"id":"t1","name":"run_shell_command","args":{"command":"make test"},"status":"executing"}]}
{"id":"m1","type":"gemini","content":"","toolCalls":[{"id":"t1","name":"run_shell_command","args":{"command":"make test"},"result":[{"functionResponse":{"response":{"output":"Output: 1 bad\nExit Code: 2\n"}}}],"status":"success"}]}
{"id":"m2","type":"gemini","toolCalls":[{"id":"t2","name":"replace","args":{"file_path":"/w/snail/a.py","old_string":"x","new_string":"y"},"result":[{"functionResponse":{"response":{"error":"[Operation Cancelled] Reason: User denied execution."}}}],"status":"cancelled"}]}
{"$set":{"messages":[{"id":"m3","type":"gemini","toolCalls":[{"id":"t3","name":"read_file","args":{"file_path":"/etc/x"},"result":[{"functionResponse":{"response":{"error":"File not found"}}}],"status":"error"},{"id":"t4","name":"glob","args":{},"result":[{"functionResponse":{"response":{"error":"[Operation Cancelled] User cancelled tool execution."}}}],"status":"cancelled"}]}]}}
`

// brief is what a session did, a word or two for each step.
func brief(s Session) string {
	var all []string
	for _, step := range s.Steps {
		one := fmt.Sprintf("%s %s%s %v", step.Kind, step.Path, step.Command, step.Ended)
		if step.Refused {
			one += " refused " + step.Reason
		}
		all = append(all, strings.TrimSpace(strings.Join(strings.Fields(one), " ")))
	}
	return strings.Join(all, "; ")
}

func TestFrom(t *testing.T) {
	sum := sha256.Sum256([]byte("/w/snail"))
	hashed := strings.ReplaceAll(geminiLines, "HASH", hex.EncodeToString(sum[:]))
	for name, one := range map[string]struct{ agent, text, want string }{
		"claude": {"Claude Code", claude, ""}, "codex": {"Codex", codex, ""},
		"swe": {"SWE-agent", `{"trajectory":[{"action":"ls","observation":""}]}`, "ran ls unknown"},
		"gemini": {"Gemini CLI", hashed,
			"ran make test no; edited a.py no refused; read no; searched unknown; interrupted unknown"},
		"gemini elsewhere": {"Gemini CLI", geminiLines,
			"ran make test no; edited no refused; read no; searched unknown; interrupted unknown"},
		"gemini before": {"Gemini CLI", `{
  "sessionId": "g1", "projectHash": "x",
  "messages": [{"id":"1","type":"gemini","toolCalls":[{"id":"t","name":"run_shell_command","args":{"command":"ls"},"result":[{"functionResponse":{"response":{"output":"Exit Code: 0"}}}],"status":"success"}]}]
}`, "ran ls yes"},
		"copilot": {"Copilot CLI", `{"type":"session.start","data":{"sessionId":"p1","context":{"cwd":"/w/snail","branch":"fix","baseCommit":"abc"}},"id":"1"}
{"type":"tool.execution_start","data":{"toolCallId":"a","toolName":"bash","arguments":{"command":"make test"}}}
{"type":"tool.execution_complete","data":{"toolCallId":"a","success":true,"result":{"content":"1 bad\n<exited with exit code 2>"}}}
{"type":"tool.execution_start","data":{"toolCallId":"b","toolName":"edit","arguments":{"path":"/w/snail/a.py","old_str":"x","new_str":"y"}}}
{"type":"permission.completed","data":{"toolCallId":"b","result":{"kind":"denied-interactively-by-user","feedback":"not that"}}}
{"type":"tool.execution_complete","data":{"toolCallId":"b","success":false,"error":{"message":"The user rejected this tool call.","code":"rejected"}}}
{"type":"tool.execution_start","data":{"toolCallId":"c","toolName":"str_replace_editor","arguments":{"command":"view","path":"/w/snail/b.py"}}}
{"type":"tool.execution_complete","data":{"toolCallId":"c","success":false,"error":{"message":"no such file"}}}
{"type":"abort","data":{"reason":"user_abort"}}
`, "ran make test no; edited a.py no refused not that; read b.py no; interrupted unknown"},
		"copilot chat": {"Copilot in VS Code", `{"requesterUsername":"jo","requests":[{"timestamp":1770000000000,"response":[{"value":"hi"},
{"kind":"toolInvocationSerialized","toolId":"run_in_terminal","toolCallId":"a","isConfirmed":{"type":4},"toolSpecificData":{"kind":"terminal","commandLine":{"original":"make test"},"terminalCommandState":{"exitCode":1},"terminalCommandOutput":{"text":"bad"}}},
{"kind":"toolInvocationSerialized","toolId":"run_in_terminal","toolCallId":"b","isConfirmed":{"type": 0},"toolSpecificData":{"commandLine":{"original":"git push"}}},
{"kind":"textEditGroup","uri":{"path":"/w/snail/a.py"}}]}]}`, "ran make test no; ran git push no refused; edited a.py unknown"},
		"cursor": {"Cursor", `{"type":"system","subtype":"init","apiKeySource":"login","cwd":"/w/snail","session_id":"s","permissionMode":"default"}
{"type":"tool_call","subtype":"started","call_id":"a","tool_call":{"shellToolCall":{"args":{"command":"make test"}},"toolCallId":"a"}}
{"type":"tool_call","subtype":"completed","call_id":"a","tool_call":{"shellToolCall":{"result":{"failure":{"exitCode":2,"stdout":"bad","aborted":false}}}}}
{"type":"tool_call","subtype":"started","call_id":"b","tool_call":{"editToolCall":{"args":{"path":"/w/snail/a.py"}}}}
{"type":"tool_call","subtype":"completed","call_id":"b","tool_call":{"editToolCall":{"result":{"success":{"beforeFullFileContent":"x","afterFullFileContent":"y"}}}}}
{"type":"tool_call","subtype":"completed","call_id":"c","tool_call":{"shellToolCall":{"args":{"command":"git push"},"result":{"rejected":{"reason":"no"}}}}}
`, "ran make test no; edited a.py yes; ran git push no refused no"},
		"cursor transcript": {"Cursor", `{"role":"user","message":{"content":[{"type":"text","text":"fix"}]}}
{"role":"assistant","message":{"content":[{"type":"tool_use","name":"StrReplace","input":{"path":"/w/snail/a.py","old_string":"x","new_string":"y"}},{"type":"tool_use","name":"Shell","input":{"command":"make"}}]}}
{"type":"turn_ended","status":"aborted"}
`, "edited a.py unknown; ran make unknown; interrupted unknown"},
		"openhands": {"OpenHands", `[{"id":3,"timestamp":"2025-08-01T10:00:01.000000","source":"agent","action":"run","args":{"command":"make test"}},
{"id":4,"source":"agent","cause":3,"observation":"run","content":"1 bad","extras":{"metadata":{"exit_code":2,"working_dir":"/w/snail"}}},
{"id":5,"source":"agent","action":"edit","args":{"path":"/w/snail/a.py","command":"str_replace","old_str":"x","new_str":"y"}},
{"id":6,"source":"environment","cause":5,"observation":"user_rejected","content":"Action has been rejected","extras":{}}]`,
			"ran make test no; edited a.py no refused"},
		"openhands events": {"OpenHands", `{"id":"a1","source":"agent","action":{"command":"make test","kind":"TerminalAction"},"tool_name":"terminal","tool_call_id":"1","kind":"ActionEvent"}
{"id":"o1","source":"environment","tool_call_id":"1","observation":{"content":[{"type":"text","text":"bad"}],"is_error":false,"exit_code":2,"metadata":{"working_dir":"/w/snail"}},"kind":"ObservationEvent"}
{"id":"a2","source":"agent","action":{"command":"create","path":"/w/snail/b.py","file_text":"z"},"tool_name":"file_editor","tool_call_id":"2","kind":"ActionEvent"}
{"id":"r1","source":"environment","tool_call_id":"2","rejection_reason":"not that file","rejection_source":"user","kind":"UserRejectObservation"}
{"id":"i","source":"user","kind":"InterruptEvent"}
`, "ran make test no; edited b.py no refused not that file; interrupted unknown"},
		"nothing": {"Claude Code", `{"name":"package"}`, ""},
	} {
		s, err := From(strings.NewReader(one.text), "/w/snail")
		if got := brief(s); err != nil || s.Agent != one.agent || one.want != "" && got != one.want {
			t.Errorf("%s: %s: %s, want %s, %v", name, s.Agent, got, one.want, err)
		}
		for _, step := range s.Steps {
			if name != "claude" && name != "codex" && step.Kind == Edited && step.Path != "" && step.Wrote == "" && name != "copilot chat" {
				t.Errorf("%s: what was written is missing: %+v", name, step)
			}
		}
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
	f.Add([]byte(geminiLines))
	f.Add([]byte(`{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Write","input":{"path":"/w/../../etc/x"}}]}}`))
	f.Add([]byte(`[{"id":5,"source":"agent","action":"edit","args":{"path":"../a.py","command":"create"}}]`))
	f.Add([]byte(`{"type":"session.start","data":{"context":{"cwd":"/"}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		read := []func(io.Reader) (Session, error){Claude, Codex, SWE, Copilot, OpenHands}
		for _, of := range []func(io.Reader, string) (Session, error){Gemini, CopilotChat, Cursor, From} {
			read = append(read, func(r io.Reader) (Session, error) { return of(r, "/w/snail") })
		}
		for _, one := range read {
			s, err := one(bytes.NewReader(data))
			if err != nil {
				continue
			}
			for _, step := range s.Steps {
				if strings.HasPrefix(step.Path, "/") || step.Path == ".." || strings.HasPrefix(step.Path, "../") {
					t.Errorf("%q is kept", step.Path)
				}
			}
		}
	})
}
