package observe

import (
	"slices"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/syntax/syntaxtest"
)

func TestPython(t *testing.T) { syntaxtest.Unittest(t, "python") }

func watch(t *testing.T, texts ...string) (Session, Transcript) {
	t.Helper()
	var blocks []Block
	for i, text := range texts {
		blocks = append(blocks, Block{Piece: i, Text: text, Lang: "python"})
	}
	s, err := Read(t.Context(), blocks, syntaxtest.Bare(t))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Watch(t.Context(), s, Limits{time.Minute, time.Minute}, Ways{}, syntaxtest.Bare(t))
	if err != nil {
		t.Fatal(err)
	}
	return s, got
}

func kinds(tr Transcript) (all []Kind) {
	for _, s := range tr.Seen {
		all = append(all, s.Thing().Kind)
	}
	return all
}

// All blocks are one session, which goes on after errors.
func TestOneSession(t *testing.T) {
	s, got := watch(t, "a = 1\na", "b = c", "print(a)\nb\n{}['x']", "a + 1")
	want := []Kind{Set, Value, Exception, Printed, NotThere, Exception, Value}
	if !slices.Equal(kinds(got), want) {
		t.Errorf("%v, want %v of\n%s", kinds(got), want, s.Text())
	}
	if last := got.Seen[6].Thing(); last.Text() != "2" {
		t.Errorf("the last shows %+v", last)
	}
}

// What only defines things is called.
func TestWhatIsMeantToBeCalled(t *testing.T) {
	s, got := watch(t, "def repro():\n    raise ValueError('no')\n")
	if n := len(s.Statements); n != 2 || s.Statements[1].Piece != Added || got.Seen[1].Thing().Text() != "ValueError: no" {
		t.Errorf("%+v shows %+v", s.Statements, got.Seen)
	}
}

// A process that dies names the statement that it died of; what came before is known.
func TestDeath(t *testing.T) {
	_, got := watch(t, "1\nimport os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n2")
	if want := []Kind{Value, Silence, Death, NotRun}; !slices.Equal(kinds(got), want) {
		t.Errorf("%v, want %v", kinds(got), want)
	}
}

// A program cannot speak for its statements: it does not know the password.
func TestForgedAnswers(t *testing.T) {
	_, got := watch(t, "'true'\nimport os\nos.write(1, b'\\n{\"number\": 0, \"out\": \"forged\"}\\n')")
	if first := got.Seen[0].Thing(); first.Text() != "'true'" {
		t.Errorf("the first shows %+v", first)
	}
}

func TestCompare(t *testing.T) {
	value := func(s string) Seen { return Seen{Value: map[string]string{"repr": s}} }
	older := Transcript{[]Seen{value("1"), value("<a at 0x7f00aa>"), value("v1.4"), {Warned: []string{"W: x"}}, {Skipped: Budget},
		{Raised: []Raised{{Class: "E", Message: "in /usr/lib/a.py"}}}}}
	newer := Transcript{[]Seen{value("2"), value("<a at 0x7f11bb>"), value("v1.5"), {}, value("1"),
		{Raised: []Raised{{Class: "E", Message: "in /opt/lib/b.py"}}}}}
	var at []int
	for _, d := range Compare(older, newer, "1.4", "1.5") {
		at = append(at, d.Statement)
	}
	if want := []int{0, 3}; !slices.Equal(at, want) {
		t.Errorf("differences at %v, want %v", at, want)
	}
}

// Of an exception that had other names the one within decides.
func TestNamesThatChanged(t *testing.T) {
	names := func(string) []string { return []string{"Wrapper", "Wrapped"} }
	of := func(class, message, inner string) Transcript {
		return Transcript{[]Seen{{Raised: []Raised{{Class: class, Message: message}, {Class: "KeyError", Message: inner}}}}}
	}
	older := of("Wrapper", "backend raised: KeyError: 'a'", "'a'")
	if got := Compare(older.Known(names), of("Wrapped", "KeyError: 'a'", "'a'").Known(names)); len(got) != 0 {
		t.Errorf("another name is a difference: %+v", got)
	}
	if got := Compare(older.Known(names), of("Wrapped", "KeyError: 'a'", "'b'").Known(names)); len(got) != 1 {
		t.Errorf("another error under another name is none: %+v", got)
	}
}

// What differs between two runs of one version says nothing about versions.
func TestNoise(t *testing.T) {
	out := func(s string) Transcript { return Transcript{[]Seen{{Out: s}}} }
	noise := NoiseOf(out("a\n1 failed in 0.03s\n"), out("a\n1 failed in 0.12s\n"))
	differ := func(a, b string) int { return len(Compare(out(a).Without(noise), out(b).Without(noise))) }
	if differ("a\n1 failed in 0.3s\n", "a\n1 failed in 2s\n") != 0 {
		t.Error("times are a difference")
	}
	if differ("a\n1 failed in 0.3s\n", "b\n1 failed in 2s\n") != 1 {
		t.Error("the line that is steady differs, and is not seen to")
	}
	if _, got := watch(t, "import nothing_of_this_name"); !slices.Equal(got.Missing(), []string{"nothing_of_this_name"}) {
		t.Errorf("missing: %v", got.Missing())
	}
}

// A question shows from outside what the statement showed inside, on the side
// where it did, and is a program of its own.
func TestAsk(t *testing.T) {
	for _, tt := range []struct {
		name, text     string
		at             int
		older, newer   Thing
		shows, differs bug.Outcome
	}{
		{"value", "a = 1\na / 0\nprint('x')\na + 1", 3, Thing{Kind: Value, Texts: []string{"2"}},
			Thing{Kind: Value, Texts: []string{"3"}}, bug.Outcome{End: bug.Exited, Stdout: "2\n"},
			bug.Outcome{End: bug.Exited, Stdout: "3\n"}},
		{"assigned", "a = 1", 0, Thing{Kind: Set, Texts: []string{"1"}}, Thing{Kind: Set, Texts: []string{"3"}},
			bug.Outcome{End: bug.Exited, Stdout: "1\n"}, bug.Outcome{End: bug.Exited, Stdout: "3\n"}},
		{"nothing raised", "a = 1", 0, Thing{Kind: Silence}, Thing{Kind: Exception, Class: "E"},
			bug.Outcome{End: bug.Exited, Stdout: ended + "\n"}, bug.Outcome{End: bug.Exited, Code: 1}},
		{"a warning", "import warnings\nwarnings.warn('x')", 1, Thing{Kind: Warning, Texts: []string{"UserWarning: x"}},
			Thing{Kind: Silence}, bug.Outcome{End: bug.Exited, Stdout: "UserWarning: x\n" + ended + "\n"},
			bug.Outcome{End: bug.Exited, Stdout: ended + "\n"}},
	} {
		s, seen := watch(t, tt.text)
		q, ok := s.Ask(Difference{tt.at, tt.older, tt.newer}, seen, seen)
		if !ok || q.Symptom.In(tt.shows) != bug.Yes || q.Symptom.In(tt.differs) == bug.Yes {
			t.Errorf("%s: %v, %+v", tt.name, ok, q.Symptom)
		}
		repro := bug.Program(q.Text)
		repro.Command = []string{"python", bug.Script}
		o, err := syntaxtest.Bare(t)(t.Context(), repro)
		if err != nil || q.Symptom.In(o) != bug.Yes {
			t.Errorf("%s: it shows %q %q (%v):\n%s", tt.name, o.Stdout, o.Stderr, err, q.Text)
		}
	}
}
