package main

import (
	"context"
	"errors"
	"fmt"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk"
	"strings"
)

// The bugs that are buried under more and more code: a call that fails, and a
// result that is wrong.
var buried = []struct{ name, text string }{
	{"a failing call", `import datetime
class Reader:
    def __init__(self, form):
        self.form = form
    def read(self, text):
        return datetime.datetime.strptime(text, self.form)
Reader("%Y-%m-%d").read("2024-01-02 and more")
`},
	{"a wrong result", `class Account:
    def __init__(self):
        self.amounts = []
    def add(self, amount):
        self.amounts.append(amount)
    def total(self):
        return round(sum(self.amounts))
account = Account()
for amount in (0.5, 1.5, 0.5):
    account.add(amount)
assert account.total() == 3
`},
}

// padding is code that runs and has nothing to do with the bug.
const padding = `class Stage%[1]d:
    """Keeps a window of values and their sum."""
    def __init__(self, width=%[2]d):
        self.width = width
        self.window = []
    def push(self, value):
        self.window.append(value)
        if len(self.window) > self.width:
            self.window.pop(0)
        return sum(self.window)
def run%[1]d(values, log):
    stage = Stage%[1]d()
    for value in values:
        if value %% 2:
            log.append(("odd", value, stage.push(value)))
        else:
            log.append(("even", value, 0))
    return len(log)
log%[1]d = []
count%[1]d = run%[1]d(range(%[2]d), log%[1]d)
if count%[1]d > 100:
    print("many", count%[1]d)
`

// measureGrowth shows how runs and time grow with what can go.
func measureGrowth(args []string) error {
	if len(args) != 1 {
		return errors.New("want a folder for environments")
	}
	ctx := context.Background()
	envs, err := environments(ctx, args[0])
	if err != nil {
		return err
	}
	python := envs.Pythons[len(envs.Pythons)-1].Path
	fmt.Printf("%-16s %6s %6s %8s %6s\n", "bug", "lines", "runs", "seconds", "left")
	return measured(func(d *desk.Desk) error {
		for _, b := range buried {
			for _, lines := range []int{50, 100, 200, 400, 800} {
				file := desk.File{Name: bug.Script, Text: padded(b.text, lines)}
				r := desk.MinimizeRequest{Files: []desk.File{file}, Python: python, Jobs: workers, Fresh: true}
				small, err := d.Minimize(ctx, r)
				if err != nil {
					return err
				}
				bar := strings.Repeat("#", small.Runs/4)
				fmt.Printf("%-16s %6d %6d %8.1f %6d  %s\n", b.name, small.Before.Lines, small.Runs, small.Seconds,
					small.After.Lines, bar)
			}
		}
		return nil
	})
}

// padded puts code above and below the first line of a program until it has so many lines.
func padded(text string, lines int) string {
	var b strings.Builder
	for i := 0; strings.Count(b.String(), "\n")+strings.Count(text, "\n") < lines; i++ {
		fmt.Fprintf(&b, padding, i, 3+i%7)
	}
	return b.String() + text
}
