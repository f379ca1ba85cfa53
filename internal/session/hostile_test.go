package session

import (
	"runtime"
	"strings"
	"testing"
)

// However a file is made, what is kept of it and what it takes to read it is bounded: lists of nothing, calls with very
// many edits, answers with very many parts, and large texts of which little is kept.
func TestHostileFiles(t *testing.T) {
	many := func(one string, n int) string { return strings.TrimSuffix(strings.Repeat(one+",", n), ",") }
	large := strings.Repeat("x", 8<<20)
	for name, text := range map[string]string{
		"empty blocks":    `{"message":{"content":[` + many(`{}`, 1<<20) + `]}}`,
		"edits":           `{"message":{"content":[{"type":"tool_use","id":"a","name":"MultiEdit","input":{"file_path":"a","edits":[` + many(`{"new_string":"xxxxx"}`, 200_000) + `]}}]}}`,
		"empty deeds":     `[{"source": "agent"},` + many(`{}`, 1<<20) + `]`,
		"parts of Gemini": `{"sessionId":"s","projectHash":"h","messages":[{"toolCalls":[{"id":"a","name":"x","status":"success","result":[` + many(`{"functionResponse":{"response":{"output":"xxxxxxxx"}}}`, 100_000) + `]}]}]}`,
		"actions":         `{"trajectory":[` + many(`{}`, 1<<20) + `]}`,
		"large answers": strings.Repeat(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","name":"Bash","input":{}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"`+large+`"}]}}
`, 8),
	} {
		s, err := From(strings.NewReader(text), "/w")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text = ""
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if m.HeapAlloc > 512<<20 {
			t.Errorf("%s: %d MB are held", name, m.HeapAlloc>>20)
		}
		runtime.KeepAlive(s)
	}
}
