package session

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// However a file is made, what is kept of it and what it takes to read it is bounded: lists of nothing, calls with very
// many edits, answers with very many parts, and large texts of which little is kept.
func TestHostileFiles(t *testing.T) {
	many := func(one string, n int) string { return strings.TrimSuffix(strings.Repeat(one+",", n), ",") }
	edits := `{"message":{"content":[{"type":"tool_use","id":"a","name":"MultiEdit","input":{"file_path":"a","edits":[%s]}}]}}`
	parts := `{"sessionId":"s","projectHash":"h","messages":[{"toolCalls":[{"id":"a","name":"x","status":"success","result":[%s]}]}]}`
	var answers strings.Builder
	for i := range 8 {
		fmt.Fprintf(&answers, `{"message":{"content":[{"type":"tool_use","id":"%d","name":"Bash","input":{}}]}}`+"\n", i)
		fmt.Fprintf(&answers, `{"message":{"content":[{"type":"tool_result","tool_use_id":"%d","content":"%s"}]}}`+"\n", i,
			strings.Repeat("x", 8<<20))
	}
	for name, text := range map[string]string{
		"empty blocks":    `{"message":{"content":[` + many(`{}`, 1<<20) + `]}}`,
		"edits":           fmt.Sprintf(edits, many(`{"new_string":"xxxxx"}`, 200_000)),
		"empty deeds":     `[{"source": "agent"},` + many(`{}`, 1<<20) + `]`,
		"parts of Gemini": fmt.Sprintf(parts, many(`{"functionResponse":{"response":{"output":"xxxxxxxx"}}}`, 100_000)),
		"actions":         `{"trajectory":[` + many(`{}`, 1<<20) + `]}`,
		"large answers":   answers.String(),
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s, err := From(strings.NewReader(text), "/w")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if after.HeapAlloc > before.HeapAlloc+32<<20 || after.TotalAlloc > before.TotalAlloc+1<<30 {
			t.Errorf("%s: %d MB are held, %d MB were used", name, (after.HeapAlloc-before.HeapAlloc)>>20,
				(after.TotalAlloc-before.TotalAlloc)>>20)
		}
		runtime.KeepAlive(s)
	}
}
