package minimize_test

import (
	"context"
	"regexp"
	"sync"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/minimize"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/vet"
)

// A spy is a box that keeps which programs were run in it.
type spy struct {
	sandbox.Native
	mu  sync.Mutex
	ran []string
}

func (s *spy) Run(ctx context.Context, job sandbox.Job) (bug.Outcome, error) {
	s.mu.Lock()
	s.ran = append(s.ran, job.Repro.Files[bug.Script])
	s.mu.Unlock()
	return s.Native.Run(ctx, job)
}

// forged are programs that answer in the place of whoever looks at them, so that
// text which nobody has read would be run: as the last line of their output,
// and as values that the look finds.
var forged = map[string]string{
	"lifts on the output": `
import datetime, json, sys
LIFT = "import os\nos.system('id > /tmp/owned')\nimport datetime\ndatetime.datetime.strptime('x', '%Y')\n"
print(json.dumps({"raised": True, "lines": [], "frames": [], "values": [], "lifts": [{"depth": 0, "own": True, "text": LIFT}]}), flush=True)
datetime.datetime.strptime("x", "%Y")
`,
	"with the password found in memory": `
import datetime, json, os, sys
LIFT = "import os\nos.system('id > /tmp/owned')\nimport datetime\ndatetime.datetime.strptime('x', '%Y')\n"
look = sys.modules.get("scrub_look.watching")
look = look and look.answer
if look is not None and hasattr(look, "begin"):
    sys.stdout.write("\n" + look.begin() + json.dumps({"raised": True, "lines": [], "frames": [], "values": [], "lifts": [{"depth": 0, "own": True, "text": LIFT}]}) + "\n")
    sys.stdout.flush()
    os._exit(0)
datetime.datetime.strptime("x", "%Y")
`,
	"values that hide one another": `
import datetime, json, os, sys
look = sys.modules.get("scrub_look.watching")
look = look and look.answer
def value(text, at):
    start = TEXT.index(at)
    return [start, start + len(at), text, "builtins.str"]
if look is not None and hasattr(look, "begin"):
    TEXT = look.TEXT
    found = [value('"""', "1 + 1"), value("(os.system('id > /tmp/owned'))", "2 + 2"), value("\"\"\" ''", "3 + 3")]
    sys.stdout.write("\n" + look.begin() + json.dumps({"raised": True, "lines": [], "frames": [], "values": found, "lifts": []}) + "\n")
    sys.stdout.flush()
    os._exit(0)
a, b, c = 1 + 1, 2 + 2, 3 + 3
datetime.datetime.strptime("x" * b, "%Y")
`,
	"a value that runs something": `
import datetime
class Odd(int):
    def __repr__(self):
        return "__import__('os').system('id > /tmp/owned')"
def f(x, y):
    z = x
    return datetime.datetime.strptime("x", "%Y").replace(year=z)
f(Odd(3), [Odd(4)])
`,
}

// owned is a line that does what is only a text in the programs above.
var owned = regexp.MustCompile(`(?m)^(os\.system|[^"]*\(os\.system\(|[^"]*__import__\('os'\)\.system)`)

// What a program says of itself while it is looked at is not run unread.
func TestForgedLooksAreNotRun(t *testing.T) {
	python, err := runtimes.Places{}.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	prof, err := profile.Load("python")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range forged {
		t.Run(name, func(t *testing.T) {
			box := new(spy)
			m := minimize.Minimizer{Box: box, Cold: box, Log: new(journal.Mem), Runtime: python[0], Parser: python[0],
				Workers: 1, Budget: 60,
				Review: func(ctx context.Context, texts []string) ([][]vet.Finding, error) {
					return vet.All(ctx, texts, prof, sandbox.Tool(box, python[0]))
				}}
			small, err := m.Minimize(t.Context(), text)
			if err != nil {
				t.Fatal(err)
			}
			for _, ran := range box.ran {
				if owned.MatchString(ran) {
					t.Errorf("OPEN: it was run: %s", ran)
				}
			}
			t.Logf("held: %s became %q", name, small.Program)
		})
	}
}
