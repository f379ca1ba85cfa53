package bug

import "testing"

func TestCompareVersions(t *testing.T) {
	inOrder := []string{"nightly", "0.9", "1.0.dev1", "1.0rc1", "1.0", "1.0.post1", "1.9", "1.10", "2022.3.0"}
	for i, a := range inOrder {
		for j, b := range inOrder {
			if got := CompareVersions(a, b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("CompareVersions(%q, %q) = %d", a, b, got)
			}
		}
	}
	if CompareVersions("1.0", "1") != 0 || CompareVersions("closed", "closed") != 0 {
		t.Error("what is the same is not")
	}
}

func TestShort(t *testing.T) {
	for s, want := range map[string]string{"": "", "é∑👍": "é∑👍", "abcd": "ab…"} {
		if got := Short(s, 3); got != want {
			t.Errorf("Short(%q, 3) = %q, want %q", s, got, want)
		}
	}
}

func TestQuoted(t *testing.T) {
	for s, want := range map[string]string{"a b": `"a b"`, `f("x")`: `“f("x")”`, `C:\d "e"`: `“C:\d "e"”`,
		"one\ntwo": `"one\ntwo"`, "\x1b[2J\"": `“\x1b[2J"”`} {
		if got := Quoted(s); got != want {
			t.Errorf("Quoted(%q) = %s, want %s", s, got, want)
		}
	}
}
