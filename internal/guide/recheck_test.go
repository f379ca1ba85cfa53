package guide

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/guide/guidetest"
)

// What a guide has written is read back as it was meant.
func TestRulesReadBack(t *testing.T) {
	var same []Line
	for _, does := range []cochange.Deed{"", cochange.NewFile, cochange.NewClass, cochange.NewFunction,
		cochange.NoFunction} {
		for _, from := range []string{"src/", "src/api.py"} {
			for _, to := range []cochange.Part{{Path: "docs/x.md"}, {Path: "docs/"}, {Path: "news/", Does: cochange.NewFile}} {
				r := cochange.Rule{When: cochange.Part{Path: from, Does: does}, Then: to,
					Newest: cochange.Count{Followed: 3, Of: 4}}
				got := rules("- " + Sentence(r))
				if len(got) != 1 || got[0].When != r.When || got[0].Then != r.Then {
					t.Errorf("%s: %+v", Sentence(r), got)
				}
				if to.Path == "docs/" {
					same = append(same, Line{Rule: &r, Say: Sentence(r)})
				}
			}
		}
	}
	all := sentences(same)
	got := rules(all[0].text)
	if len(all) != 1 || len(got) != len(same) {
		t.Fatalf("%s: %+v", all[0].text, got)
	}
	for i, r := range got {
		if r.When != same[i].Rule.When || r.Then != same[i].Rule.Then {
			t.Errorf("%+v, want %+v", r, same[i].Rule)
		}
	}
	for _, other := range []string{"", "- x", "Changes to `a` usually come with changes to `b`.",
		"- usually come with `b`"} {
		if got := rules(other); len(got) != 0 {
			t.Errorf("%s: %+v", other, got)
		}
	}
}

// A rule that people no longer follow is stale; what is gone costs the sessions that look for it.
func TestRecheck(t *testing.T) {
	rule := "- Changes to `src/api.py` usually come with changes to `tests/test_api.py` (6 of the 6 newest)."
	r := world(t, busy+`cat > AGENTS.md <<'X'
`+begin+`
`+rule+`
`+end+`

- Changes to `+"`src/api.py` usually come with changes to `checks.py`"+`.
- Code: `+"`src/old.py`"+`
X
echo 1 > src/old.py; commit agents; git rm -q src/old.py; commit gone`)
	verdicts := func() map[string]Claim {
		got, err := Check(t.Context(), r, nil)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]Claim{}
		for _, c := range got.Claims {
			all[c.Text] = c
		}
		return all
	}
	const text = "changes to `src/api.py` with changes to `tests/test_api.py`"
	if all := verdicts(); all[text].Verdict != Holds || all["src/old.py"].Verdict != Stale || len(all) != 5 {
		t.Errorf("%+v", all)
	}
	var lines []string
	for _, step := range []string{`{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"src/old.py"}}`,
		`{"type":"tool_use","id":"b","name":"Bash","input":{"command":"cat src/old.py.txt"}}`} {
		lines = append(lines, `{"type":"assistant","sessionId":"s","message":{"content":[`+step+`]}}`)
	}
	lines = append(lines, `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","is_error":true,"content":"no"},`+
		`{"type":"tool_result","tool_use_id":"b","is_error":true,"content":"no"}]}}`)
	dir := t.TempDir()
	for name, text := range map[string]string{"one.jsonl": strings.Join(lines, "\n"),
		"two.jsonl": strings.Join([]string{lines[1], lines[2]}, "\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r.Sessions = []string{dir}
	if c := verdicts()["src/old.py"]; c.Cost != 1 {
		data, _ := json.Marshal(c)
		t.Errorf("%s", data)
	}
	guidetest.More(t, r.Dir, `for i in $(seq 45); do echo x$i > src/api.py; commit "alone $i"; done`)
	if c := verdicts()[text]; c.Verdict != Stale || !strings.HasPrefix(c.Why, "followed in only ") {
		t.Errorf("%+v", c)
	}
}
