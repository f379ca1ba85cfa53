package observe

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A Question is a program of its own that shows what one statement of a
// session shows, and how to recognize that.
type Question struct {
	Text    string
	Symptom bug.Symptom
	Shows   string // what was added so that it can be seen from outside; empty if nothing was
}

const ended = "the statement above has ended"

var (
	target  = regexp.MustCompile(`^\s*([A-Za-z_]\w*)\s*[-+*/%|&^@]*=`)
	printer = regexp.MustCompile(`^print\s*\(`)
)

// Ask makes a question of a difference: what an older version shows is what
// is looked for. There is none if it cannot be seen from outside.
func (s Session) Ask(d Difference, older, newer Transcript) (Question, bool) {
	var b strings.Builder
	for i, st := range s.Statements[:d.Statement] {
		// What fails only on the newer version may be how it is put right.
		if printer.MatchString(st.Text) || fails(older.Seen[i]) {
			continue
		}
		b.WriteString(mended(older.Seen[i], newer.Seen[i]) + st.Text + "\n")
	}
	b.WriteString(mended(older.Seen[d.Statement], newer.Seen[d.Statement]))
	var q Question
	text := strings.TrimRight(strings.TrimSpace(s.Statements[d.Statement].Text), ";")
	switch {
	case d.Older.Kind == NotThere || d.Newer.Kind == NotThere:
		return q, false
	case d.Older.Kind == Warning || d.Newer.Kind == Warning:
		b.WriteString("import warnings\nwarnings.simplefilter(\"always\")\nwarnings.showwarning = lambda message, category, " +
			"*_, **__: print(category.__name__ + \": \" + str(message).strip())\n")
		q.Shows = "warnings are printed"
		text += "\nprint(\"" + ended + "\")"
	case d.Older.Kind == Value || d.Newer.Kind == Value:
		text = "print(repr(\n" + text + "\n))"
		q.Shows = "the value is printed"
	case d.Older.Kind == Set || d.Newer.Kind == Set:
		m := target.FindStringSubmatch(text)
		if m == nil {
			return q, false
		}
		text += "\nprint(repr(" + m[1] + "))"
		q.Shows = "the value is printed"
	case d.Older.Kind == Silence:
		text += "\nprint(\"" + ended + "\")"
		q.Shows = "it says when it has ended"
	}
	q.Text = b.String() + text + "\n"
	q.Symptom = symptom(d)
	return q, true
}

// mended is what had to be run before a statement.
func mended(older, newer Seen) string {
	if line := cmp.Or(older.Mended, newer.Mended); line != "" {
		return line + "\n"
	}
	return ""
}

// symptom is what only the older side shows.
func symptom(d Difference) bug.Symptom {
	switch d.Older.Kind {
	case Exception:
		s := bug.SymptomOf(bug.Exception{Class: d.Older.Class, Message: d.Older.Message})
		s.Also = strings.Join(d.Older.Also, " ")
		return s
	case TooSlow:
		return bug.Symptom{Kind: bug.Hangs}
	case Death:
		if d.Older.Class == string(bug.TimedOut) {
			return bug.Symptom{Kind: bug.Hangs}
		}
		return bug.Symptom{Kind: bug.Crashes}
	case Silence:
		if d.Newer.Kind == Exception || d.Newer.Kind == TooSlow || d.Newer.Kind == Death {
			return bug.Symptom{Kind: bug.Prints, Output: ended}
		}
		return bug.Symptom{Kind: bug.Lacks, Wanted: strings.TrimSpace(d.Newer.Text())}
	}
	return bug.Symptom{Kind: bug.Prints, Output: strings.TrimSpace(onlyIn(d.Older.Text(), d.Newer.Text()))}
}

// most lines of an output that is looked for as a whole
const most = 6

// onlyIn is what to look for of a text: all of it, or if it is long the first
// lines that another lacks.
func onlyIn(text, other string) string {
	if strings.Count(text, "\n") < most {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		switch lacks := !strings.Contains(other, strings.TrimSpace(line)); {
		case lacks:
			b.WriteString(line)
		case b.Len() > 0:
			return b.String()
		}
	}
	return cmp.Or(b.String(), text)
}

// fails reports whether a statement did not come to its end.
func fails(s Seen) bool {
	return s.Skipped != "" || s.Died != "" || s.Slow > 0 || len(s.Raised) > 0
}
