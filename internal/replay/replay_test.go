package replay

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/cochange"
)

func TestCompare(t *testing.T) {
	agent := `diff --git a/src/a.py b/src/a.py
--- a/src/a.py
+++ b/src/a.py
@@ -1 +1,3 @@
--- gone
+ same
+++ b/tests/test_z.py
+other
diff --git a/src/only.py b/src/only.py
new file mode 100644
--- /dev/null
+++ b/src/only.py
@@ -0,0 +1 @@
+x
diff --git a/src/run.sh b/src/run.sh
old mode 100644
new mode 100755
`
	people := `diff --git a/src/a.py b/src/a.py
--- a/src/a.py
+++ b/src/a.py
@@ -1,0 +2 @@
+same
diff --git a/tests/test_a.py b/tests/test_a.py
--- a/tests/test_a.py
+++ b/tests/test_a.py
@@ -2 +1,0 @@
-old
`
	c := Compare(agent, people)
	if c.Files[cochange.Source] != (Overlap{1, 2, 0}) || c.Files[cochange.Test] != (Overlap{0, 0, 1}) ||
		c.Agent != (Size{4, 1}) || c.People != (Size{1, 1}) || c.Same != (cochange.Count{Followed: 1, Of: 4}) {
		t.Errorf("%+v", c)
	}
	sum := Sum{Files: map[cochange.Role]Overlap{}}
	sum.Add(Result{Compared: c, End: "exited"})
	sum.Add(Result{Compared: Compare("", ""), End: "timed-out"})
	if sum.Ended != 1 || sum.AnyTest != (cochange.Count{Followed: 0, Of: 1}) || sum.Files[cochange.Source].Agent != 2 {
		t.Errorf("%+v", sum)
	}
}

// Only the hosts that were named are reached, by their very names and at one port.
func TestGate(t *testing.T) {
	g := gate{"api.example.org"}
	for _, one := range []struct{ method, host string }{
		{"CONNECT", "example.org:443"}, {"CONNECT", "api.example.org:80"}, {"CONNECT", "api.example.org"},
		{"CONNECT", "api.example.org.evil.example:443"}, {"CONNECT", "127.0.0.1:443"}, {"GET", "api.example.org:443"},
		{"CONNECT", "evil.example@api.example.org:443"}, {"CONNECT", ""},
	} {
		r := httptest.NewRequest(one.method, "http://x/", nil)
		r.Host = one.host
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if w.Code != http.StatusForbidden {
			t.Errorf("%v: %d", one, w.Code)
		}
	}
}

func TestPass(t *testing.T) {
	near, in := net.Pipe()
	far, out := net.Pipe()
	ended := make(chan bool)
	go func() { pass(in, in, out); close(ended) }()
	go func() { _, _ = io.WriteString(near, "ask") }()
	got := make([]byte, 3)
	if _, err := io.ReadFull(far, got); err != nil || string(got) != "ask" {
		t.Fatalf("%q, %v", got, err)
	}
	go func() { _, _ = io.WriteString(far, "yes"); _ = far.Close() }()
	if all, err := io.ReadAll(near); err != nil || string(all) != "yes" {
		t.Errorf("%q, %v", all, err)
	}
	<-ended
}

func TestSecrets(t *testing.T) {
	a := Agent{Secrets: map[string]string{"KEY": "sk-1234", "EMPTY": ""}}
	if got := a.without("+key = 'sk-1234'"); got != "+key = '[secret]'" {
		t.Error(got)
	}
	a = Agent{Secrets: map[string]string{"A": "tok", "B": "tok-SUPER", "C": "first \"line\"\nsecond line"}}
	for _, text := range []string{"tok-SUPER", "dG9rLVNVUEVS", `first \"line\"\nsecond line`, "+second line", "first+%22line%22%0Asecond+line"} {
		if got := strings.TrimPrefix(a.without(text), "+"); got != "[secret]" {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// A session is looked for in the agent's home and nowhere else, wherever its links lead.
func TestTold(t *testing.T) {
	home, outside := t.TempDir(), t.TempDir()
	line := `{"type":"assistant","sessionId":"s","message":{"content":[{"type":"tool_use","id":"%","name":"Bash","input":{"command":"ls"}}]}}` + "\n"
	write := func(dir, name string, n int) {
		var all string
		for i := range n {
			all += strings.ReplaceAll(line, "%", string(rune('a'+i)))
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(all), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(outside, "ours.jsonl", 9)
	write(home, "a.jsonl", 2)
	write(home, "b.jsonl", 3)
	for name, to := range map[string]string{"c.jsonl": filepath.Join(outside, "ours.jsonl"), "d": outside} {
		if err := os.Symlink(to, filepath.Join(home, name)); err != nil {
			t.Fatal(err)
		}
	}
	if s, _ := told(t.Context(), home, line, "/w"); len(s.Steps) != 3 {
		t.Errorf("%d steps", len(s.Steps))
	}
	if s, text := told(t.Context(), t.TempDir(), line, "/w"); len(s.Steps) != 1 || text != line {
		t.Errorf("%d steps of what was printed", len(s.Steps))
	}
}
