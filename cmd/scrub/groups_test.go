//go:build unix

package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/runtimes/runtimestest"
)

// ladder is a package of thirty releases with bugs that go one after the other.
func ladder(t testing.TB, bugs int) *runtimestest.Shelf {
	var versions []string
	for i := range 30 {
		versions = append(versions, fmt.Sprintf("1.%02d", i))
	}
	shelf := runtimestest.NewShelf(versions...)
	t.Cleanup(shelf.CloseClientConnections)
	var shell strings.Builder
	shell.WriteString("import snail\n")
	for b := range bugs {
		fmt.Fprintf(&shell, "def turn%d(x):\n    if snail.speed < 1.%02d:\n        raise ValueError('it cannot turn %s')\n"+
			"    return x\n", b, 3+7*b%25, strings.Repeat("left ", b%3)+string(rune('a'+b)))
	}
	shelf.Plant = map[string]string{"shell.py": shell.String()}
	return shelf
}

// planted writes reports of some bugs of the ladder.
func planted(t testing.TB, reports, bugs int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range reports {
		b := i % bugs
		text := fmt.Sprintf("---\nrepo: octo/snail\nnumber: %d\ntitle: it does not turn, %[1]d\nauthor: ann\n---\nWith snail "+
			"1.0:\n\n```python\n%s```\n\n```\nValueError: it cannot turn %s\n```\n", i+1, program30(i, b),
			strings.Repeat("left ", b%3)+string(rune('a'+b)))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// program30 is a program of thirty lines or so, as people write them, that gets to a
// bug in a way of its own.
func program30(i, b int) string {
	var more strings.Builder
	for k := range 3 + i%4 {
		fmt.Fprintf(&more, "    table%d = {str(j): j * %d for j in range(%d)}\n    total += len(table%[1]d)\n", k, i+k, 5+k)
	}
	return fmt.Sprintf(`import math
import random
import shell
import snail

SIZE = %d
random.seed(SIZE)


class Garden:
    def __init__(self, rows, name="garden"):
        self.rows = rows
        self.name = name
        self.walks = []

    def plan(self, steps):
        for step in range(steps):
            self.walks.append(math.sqrt(step + SIZE))
        return self.walks

    def walk(self, at):
        if at >= len(self.rows):
            return None
        return shell.turn%d(self.rows[at])


def fill(n):
    rows = []
    for k in range(n):
        rows.append(k * SIZE + random.randint(0, 3))
    return rows


def main():
    total = 0
%s    garden = Garden(fill(4), name="garden of " + str(total))
    print(garden.name, len(garden.plan(3)))
    print(garden.walk(1))


main()
`, i+2, b, more.String())
}

// asked counts the questions on record for which a program was run.
func asked(t testing.TB, state string) int {
	t.Helper()
	db, err := sql.Open("sqlite", state)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var n int
	err = db.QueryRow(`SELECT COUNT(*) FROM journal WHERE key LIKE 'run/%' OR key LIKE 'minimize/%' OR key LIKE 'look/%' OR key LIKE 'replay/%' OR key LIKE 'kin/%'
		OR key LIKE 'stuck/%' OR key LIKE 'watch/%'`).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// groups sweeps planted groups, with groups and without, and returns what both
// asked and how all cases ended.
func groups(t testing.TB, reports, bugs int) (with, without int) {
	shelf := ladder(t, bugs)
	dir, home := planted(t, reports, bugs), t.TempDir()
	env := append(os.Environ(), "HOME="+home, "USER=ann", "GH_TOKEN=", "GITHUB_TOKEN=", "PIP_INDEX_URL="+shelf.Index(),
		"UV_INDEX_URL=")
	command := scrub(t)
	var verdicts [2]map[string]string
	var counts [2]int
	for i, more := range [][]string{nil, {"--no-groups"}} {
		state := filepath.Join(t.TempDir(), "scrub.db")
		args := append([]string{"sweep", dir, "--approve-clean", "--on", "reported,newest", "--package", "snail", "--steps",
			"small", "--json", "--state", state}, more...)
		output(t, env, nil, command, args...)
		counts[i], verdicts[i] = asked(t, state), map[string]string{}
		var rows []struct{ Case, Ref, Verdict string }
		if err := json.Unmarshal(output(t, env, nil, command, "cases", "--json", "--state", state), &rows); err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			var c struct {
				When struct {
					Versions []string
					Result   struct{ Found struct{ From, To int } }
				}
				Minimized struct{ Program string }
			}
			text := output(t, env, nil, command, "show", r.Case, "--json", "--state", state)
			if err := json.Unmarshal(text, &c); err != nil {
				t.Fatal(err)
			}
			fixed := "never"
			if len(c.When.Versions) > 0 {
				fixed = c.When.Versions[c.When.Result.Found.To]
			}
			verdicts[i][r.Ref] = fmt.Sprintf("%s since %s, %d lines", r.Verdict, fixed,
				strings.Count(c.Minimized.Program, "\n"))
		}
	}
	if len(verdicts[0]) != reports {
		t.Errorf("%d cases", len(verdicts[0]))
	}
	for ref, v := range verdicts[1] {
		if verdicts[0][ref] != v {
			t.Errorf("%s: %s with groups, %s without", ref, verdicts[0][ref], v)
		}
	}
	return counts[0], counts[1]
}

// What is found out about one report of a group is tried on the others first: the
// same answers for less.
func TestGroupsAskLess(t *testing.T) {
	reports := 9
	if testing.Short() {
		reports = 5
	}
	with, without := groups(t, reports, 2)
	t.Logf("%d questions with groups, %d without", with, without)
	if with >= without {
		t.Error("groups spare nothing")
	}
}
