package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
)

func sample(t testing.TB, name string) string {
	text, err := os.ReadFile(filepath.Join("testdata", "samples", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestClaude(t *testing.T) {
	s, err := Claude(strings.NewReader(sample(t, "claude.jsonl")))
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

func TestCodex(t *testing.T) {
	s, err := Codex(strings.NewReader(sample(t, "codex.jsonl")))
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
	for name, one := range map[string]struct{ agent, file, want string }{
		"claude": {"Claude Code", "claude.jsonl", ""}, "codex": {"Codex", "codex.jsonl", ""},
		"swe": {"SWE-agent", "swe.traj", "ran ls unknown"},
		"gemini": {"Gemini CLI", "gemini.jsonl",
			"ran make test no; edited a.py no refused; read no; searched unknown; interrupted unknown"},
		"gemini elsewhere": {"Gemini CLI", "gemini.jsonl",
			"ran make test no; edited no refused; read no; searched unknown; interrupted unknown"},
		"gemini before": {"Gemini CLI", "gemini-before.json", "ran ls yes"},
		"copilot": {"Copilot CLI", "copilot.jsonl",
			"ran make test no; edited a.py no refused not that; read b.py no; interrupted unknown"},
		"copilot chat": {"Copilot in VS Code", "copilot-chat.json",
			"ran make test no; ran git push no refused; edited a.py unknown"},
		"cursor": {"Cursor", "cursor.jsonl", "ran make test no; edited a.py yes; ran git push no refused no"},
		"cursor transcript": {"Cursor", "cursor-transcript.jsonl",
			"edited a.py unknown; ran make unknown; interrupted unknown"},
		"openhands": {"OpenHands", "openhands.json",
			"ran make test no; edited a.py no refused"},
		"openhands events": {"OpenHands", "openhands-events.jsonl",
			"ran make test no; edited b.py no refused not that file; interrupted unknown"},
		"nothing": {"Claude Code", "nothing.json", ""},
	} {
		text := sample(t, one.file)
		if name == "gemini" {
			text = strings.ReplaceAll(text, "HASH", hex.EncodeToString(sum[:]))
		}
		s, err := From(strings.NewReader(text), "/w/snail")
		if got := brief(s); err != nil || s.Agent != one.agent || one.want != "" && got != one.want {
			t.Errorf("%s: %s: %s, want %s, %v", name, s.Agent, got, one.want, err)
		}
		for _, step := range s.Steps {
			if name != "claude" && name != "codex" && step.Kind == Edited && step.Path != "" && step.Wrote == "" &&
				name != "copilot chat" {
				t.Errorf("%s: what was written is missing: %+v", name, step)
			}
		}
	}
}

// Which issue a session is about is told by how it begins.
func TestAsked(t *testing.T) {
	var s Session
	for _, text := range []string{"", "fix #12, see https://example.org/a/b/issues/7 and #12", "not 5", "#99"} {
		s.asked(text)
	}
	if fmt.Sprint(s.Issues) != "[12 7]" {
		t.Error(s.Issues)
	}
	line := `{"type":"user","sessionId":"s","message":{"content":"please fix #31"}}`
	if s, err := Claude(strings.NewReader(line)); err != nil || fmt.Sprint(s.Issues) != "[31]" {
		t.Errorf("%v, %v", s.Issues, err)
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
	names, err := filepath.Glob("testdata/samples/*")
	if err != nil || len(names) == 0 {
		f.Fatal("no samples", err)
	}
	for _, name := range names {
		f.Add([]byte(sample(f, filepath.Base(name))))
	}
	f.Add([]byte(`{"trajectory":[{"action":"","observation":null}]}`))
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
