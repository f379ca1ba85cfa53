package profile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestEmbeddedProfilesLoad(t *testing.T) {
	for _, name := range Names() {
		p, err := Load(name)
		if err != nil || p.Name != name || p.About == "" || p.Run.Times == 0 || p.Run.Timeout == 0 ||
			len(p.Triage) == 0 || len(p.Vet) == 0 {
			t.Errorf("Load(%s) = %+v, %v", name, p.Project, err)
		}
	}
}

func TestAChildSaysOnlyWhatIsDifferent(t *testing.T) {
	p, err := ForRepo("pytorch/pytorch")
	if err != nil || p.Package != "torch" {
		t.Fatalf("ForRepo = %+v, %v", p.Project, err)
	}
	if time.Duration(p.Run.Timeout) != 120*time.Second || p.Run.Memory != 8<<30 {
		t.Errorf("run = %+v: the timeout is the parent's, the memory its own", p.Run)
	}
	seen := map[string]int{}
	for _, r := range p.Triage {
		seen[r.Name]++
	}
	if p.Triage[0].Name != "operational" || seen["closed"] != 1 || seen["question"] != 1 {
		t.Errorf("triage rules = %v: own first, each name once, the parent's kept", seen)
	}
	if other, err := ForRepo("somebody/else"); err != nil || other.Name != Generic {
		t.Errorf("an unknown project has the profile %s, %v", other.Name, err)
	}
}

func TestErrorsNameFileAndLine(t *testing.T) {
	for _, tt := range []struct{ file, text, want string }{
		{"profile.toml", "name = \"x\"\nnmae = \"y\"\n", "profile.toml:2: no such key: nmae"},
		{"profile.toml", "name = \"x\"\n\n[run]\ntimeout = \"soon\"\n", "profile.toml:4: "},
		{"profile.toml", "name = \"x\"\n[run]\nmemory = \"4 lbs\"\n", "profile.toml:3: "},
		{"profile.toml", "about = \"x\"\n", "must say its name"},
		{"triage.toml", "[[rule]]\nname = \"a\"\nwhen = 'title =='\n", "triage.toml:3: "},
		{"symptoms.toml", "[[phrase]]\nmatch = '('\n", "symptoms.toml:2: "},
		{"vet.toml", "[[danger]\n", "vet.toml:1: "},
		{"tirage.toml", "", "no profile has such a file"},
	} {
		dir := t.TempDir()
		write := func(name, text string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("profile.toml", "name = \"x\"\n")
		write(tt.file, tt.text)
		if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s with %q: %v, want %q", tt.file, tt.text, err, tt.want)
		}
	}
}

func TestNoProfileExtendsItself(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "profile.toml"), []byte("name = \"x\"\nextends = '"+dir+"'\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "extends itself") {
		t.Errorf("Load = %v", err)
	}
}

// A rule of a child adds to the parent's of the same name: the parent's
// conditions, exceptions and labels still count, and the child's come first.
func TestChildRulesAddToTheParents(t *testing.T) {
	parent, err := Load("python")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(parent.Triage, func(k Triage) bool { return len(k.Any) > 0 && len(k.Unless) > 0 })
	was := parent.Triage[at]
	dir := t.TempDir()
	rule := "[[rule]]\nname = '" + was.Name +
		"'\nany = ['has(title, \"snail\")']\nunless = ['has(title, \"slug\")']\nadd = ['x']\n"
	for name, text := range map[string]string{"profile.toml": "name = 'x'\nextends = 'python'\n", "triage.toml": rule} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(p.Triage, func(k Triage) bool { return k.Name == was.Name })
	got := p.Triage[i]
	if len(got.Any) != len(was.Any)+1 || len(got.Unless) != len(was.Unless)+1 || got.Verdict != was.Verdict ||
		got.Reason != was.Reason || !slices.Contains(got.Add, "x") || got.Any[0].String() == was.Any[0].String() {
		t.Errorf("the child's rule is %+v, the parent's %+v", got, was)
	}
	if len(p.Triage) != len(parent.Triage) || i != at {
		t.Errorf("%d rules, this one at %d; the parent has %d, and it at %d", len(p.Triage), i, len(parent.Triage), at)
	}
}

// What would fail only when a report comes is refused when the profile is read.
func TestEntriesThatLackSomethingAreRefused(t *testing.T) {
	for _, tt := range []struct{ file, text, want string }{
		{"aspects.toml", "[[aspect]]\nname = 'x'\n", "aspect \"x\" lacks match"},
		{"mends.toml", "[[rewrite]]\nname = 'x'\nerror = 'y'\nto = 'z'\n", "rewrite \"x\" needs from"},
		{"mends.toml", "[[rewrite]]\nname = 'x'\nfrom = 'y'\nto = 'z'\n", "error or output"},
		{"symptoms.toml", "[[phrase]]\nmatch = 'x'\nkind = 'explodes'\n", "a phrase needs match"},
		{"phrases.toml", "[phrases.x]\n'a dog' = 'cat'\n", "\"a dog\" does not match its own pattern"},
		{"phrases.toml", "[phrases.x]\n'a dog' = 'a {pet}'\n", "there are no words {pet}"},
		{"phrases.toml", "[words]\npet = '{pet}'\n[phrases.x]\n'a dog' = 'a {pet}'\n", "there are no words {pet}"},
		{"phrases.toml", "[phrases.x]\n'a dog' = 'a (dog'\n", "missing closing"},
		{"vet.toml", "[[danger]]\nclass = 'x'\nseverity = 'awful'\n", "severity \"awful\""},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"profile.toml": "name = 'x'\nextends = 'python'\n", tt.file: tt.text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.file) {
			t.Errorf("%s: %v, want %q", tt.file, err, tt.want)
		}
	}
}

// A group of a child has the parent's phrases and words too, and whole words are meant.
func TestPhrases(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"profile.toml": "name = 'x'\nextends = 'python'\n",
		"phrases.toml": "[words]\npet = 'dog|cat'\n[phrases.revived]\n'the cat is back' = '{pet} is back'\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for said, want := range map[string]bool{"My Dog is back.": true, "still broken": true, "a hotdog is back": false,
		"the dog is backwards": false, "all is well": false} {
		if got := slices.ContainsFunc(p.Says["revived"], func(s Saying) bool { return s.MatchString(said) }); got != want {
			t.Errorf("%q: %v, want %v", said, got, want)
		}
	}
}
