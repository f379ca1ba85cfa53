package history

import (
	"fmt"
	"testing"
)

// A change is what was merged at once, whatever a file is called.
func TestChanges(t *testing.T) {
	c := clone(t, history+`
git rm -q docs/x.rst; printf '' > "$(printf 'a\nb \001c')"; commit "Odd"
`)
	all, err := c.Changes(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, one := range all {
		text := ""
		for _, f := range one.Touched {
			text += fmt.Sprintf("%c %q ", f.How, f.Path)
		}
		got = append(got, text)
	}
	want := []string{`A "snail/a.py" `, `A "docs/x.rst" M "snail/a.py" `, `A "snail/b.py" `, `A "a\nb \x01c" D "docs/x.rst" `}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q, want %q", got, want)
	}
	if last, err := c.Changes(t.Context(), 1); err != nil || len(last) != 1 || last[0].ID != all[3].ID ||
		last[0].When.IsZero() {
		t.Errorf("%+v, %v", last, err)
	}
	c = clone(t, history+"\nprintf 1 > x; git add x; git commit -qm Bump --author 'tidy[bot] <t@example.org>'\n")
	if all, err = c.Changes(t.Context(), 10); err != nil || len(all) != 4 || !all[3].Machine || all[2].Machine {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestFiles(t *testing.T) {
	c := clone(t, history+`
git rm -q docs/x.rst; printf '' > "$(printf 'a\nb \001c')"; commit "Odd"
`)
	files, err := c.Files(t.Context())
	if err != nil || fmt.Sprintf("%q", files) != `["a\nb \x01c" "snail/a.py" "snail/b.py"]` {
		t.Errorf("%q, %v", files, err)
	}
	gone, err := c.Deleted(t.Context())
	if err != nil || len(gone) != 2 || len(gone["docs/x.rst"]) != 40 || gone["docs"] != gone["docs/x.rst"] {
		t.Errorf("%v, %v", gone, err)
	}
	if text, err := c.Text(t.Context(), "snail/b.py"); err != nil || text != "4\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// Lines of a file may look like git's own.
func TestPatches(t *testing.T) {
	c := clone(t, `commit() { git add -A; git commit -qm "$1"; }
printf -- '-- a/other\n@@ -1,9 +1,9 @@\nold\n' > a.py; printf 1 > 'b"c'; commit one
printf -- '++ b/other\n\001x\ndiff --git a/z b/z\n' > a.py; printf 2 > 'b"c'; printf 'é\r\n' > ü.py; commit two
git rm -q a.py; commit three
`)
	var got []string
	err := c.Patches(t.Context(), 2, func(_, path string, line []byte) { got = append(got, path+" "+string(line)) })
	want := []string{"a.py -++ b/other", "a.py -\x01x", "a.py -diff --git a/z b/z",
		"a.py --- a/other", "a.py -@@ -1,9 +1,9 @@", "a.py -old", "a.py +++ b/other", "a.py +\x01x",
		"a.py +diff --git a/z b/z",
		"ü.py +é"}
	if err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("%q, want %q, %v", got, want, err)
	}
	long := clone(t, `python3 -c 'print("x" * 300000)' > a.py; echo y >> a.py; git add a.py; git commit -qm one`)
	got = nil
	err = long.Patches(t.Context(), 1, func(_, _ string, line []byte) { got = append(got, string(line[:2])) })
	if err != nil || fmt.Sprint(got) != "[+x +y]" {
		t.Errorf("%q, %v", got, err)
	}
}
