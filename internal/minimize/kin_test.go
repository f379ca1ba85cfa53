package minimize_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/minimize"
	"github.com/scrub-dev/scrub/internal/minimize/poverty"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// slips are programs that once became others with the same error: what must
// still be there, and what must not.
var slips = []struct {
	name, expect, program string
	has, lacks            []string
	since                 string // the Python that it needs
}{
	{"an object of the program's own", "", `
import graphlib
class Version:
    def __init__(self, text):
        self.text = text
    def __eq__(self, other):
        return self.text.strip(".0") == other.text.strip(".0")
    def __hash__(self):
        return hash(self.text)
sorter = graphlib.TopologicalSorter({Version("2.0"): [], Version("3"): []})
sorter.prepare()
for v in sorter.get_ready():
    sorter.done(Version(v.text + ".0"))
`, []string{"class Version", "__hash__", "__eq__", ".done(Version("}, nil, "3.9"},
	{"a number that a library passes on to who refuses it", "", `
import fractions
import statistics
sigma = fractions.Fraction(-0.001)
print(statistics.NormalDist(0.5, sigma).mean)
`, []string{"0.001", "statistics.NormalDist("}, nil, "3.8"},
	{"a thing that may be refused for how it was made", "", `
import queue
jobs = queue.Queue(maxsize=3)
for name in ["a", "b"]:
    jobs.put(name)
for _ in range(3):
    print(jobs.get_nowait())
`, []string{"queue.Queue(maxsize=", ".get_nowait("}, nil, "3.8"},
	{"a copy without its attributes", "", `
import copy
class Settings:
    def __init__(self, values):
        self.values = values
    def __getattr__(self, name):
        if name in self.values:
            return self.values[name]
        raise AttributeError(name)
def fork(settings):
    return copy.copy(settings)
first = Settings({"color": "red"})
print(fork(first).color)
`, []string{"copy.copy(", "def __getattr__"}, nil, "3.8"},
	{"an error within a group", "", `
import asyncio
class Closed(Exception):
    pass
class Pool:
    def __init__(self):
        self.closed = False
    async def put(self, item):
        if self.closed:
            raise Closed("the pool is closed")
        self.closed = item > 1
async def feed(pool):
    for i in range(5):
        await pool.put(i)
async def main():
    async with asyncio.TaskGroup() as tg:
        tg.create_task(feed(Pool()))
asyncio.run(main())
`, []string{"class Closed", "raise Closed"}, nil, "3.11"},
	{"a registry", "", `
REGISTRY = {}
def register(name):
    def wrap(f):
        REGISTRY[name] = f
        return f
    return wrap
@register("units")
def units(x):
    return x
def find(name):
    return REGISTRY[name]
print(find("unit")("3 kg"))
`, []string{"def find", "find("}, []string{"{}["}, "3.8"},
	{"a result that is printed", "prints: False", `
import fractions
def rows():
    for a, b in [(1, 3), (2, 6)]:
        yield fractions.Fraction(a, b)
def same(x, y):
    return x == y
print("first:", list(rows())[0])
print(same(list(rows())[0], 1 / 3))
`, []string{"Fraction(", "=="}, []string{"print(False)", "print('False')"}, "3.8"},
	{"a text with values in it", "prints: total => 0.3", `
import decimal
def total():
    return decimal.Decimal("0.1") + decimal.Decimal("0.2")
print(f'total => {total()}')
`, []string{"Decimal(", "+"}, []string{"print('total"}, "3.8"},
	{"a function of the library's own", "", `
import textwrap
class Formatter:
    def __init__(self, width):
        self.width = width
    def block(self, text):
        return textwrap.wrap(text, self.width)
print(Formatter(0).block("hello there"))
`, []string{"textwrap.wrap("}, []string{"_wrap_chunks"}, "3.8"},
	{"a hang in a library", "hang", `
import re
import time
def words(text):
    return text.split()
def check(rows):
    for row in rows:
        if re.match(r"(\w+\s?)+$", row):
            print("fine", row)
def wait_for(x):
    while x:
        time.sleep(0.1)
print(words("a b"))
check(["short", "a" * 40 + "!"])
wait_for(True)
`, []string{"re.match("}, []string{"while", "sleep"}, "3.8"},
	{"a hang that waits", "hang", `
import queue
import threading
class Worker(threading.Thread):
    def __init__(self, jobs):
        super().__init__(daemon=True)
        self.jobs = jobs
    def run(self):
        while True:
            if self.jobs.get() == "stop":
                self.jobs.task_done()
jobs = queue.Queue()
Worker(jobs).start()
for word in ["a", "b", "stop"]:
    jobs.put(word)
jobs.join()
`, []string{".put(", ".join()"}, []string{"while True:\n            pass"}, "3.8"},
	{"a crash in a library", "SIGSEGV", `
import ctypes
import os
import signal
def read(address):
    return ctypes.string_at(address)
def give_up():
    os.kill(os.getpid(), signal.SIGSEGV)
print("reading")
read(8)
give_up()
`, []string{"string_at("}, []string{"kill"}, "3.8"},
	{"an argument without effect", "prints: 0.5", `
import statistics
def middle(values, weights):
    return statistics.median(values)
def share(a, b, digits):
    return round(statistics.fmean([a, b]), ndigits=digits)
print(middle([1, 2, 3], None))
print(share(0.25, 0.75, 3))
`, []string{"fmean([0.25, 0.75])"}, nil, "3.8"},
	{"data that is read", "", `
with open("prices.csv", "w") as f: f.write("name,price\na,1\nc,x3\nd,4\n")
import csv
with open("prices.csv") as f:
    rows = list(csv.DictReader(f))
total = 0
for r in rows:
    total += float(r["price"])
`, []string{"csv.DictReader(", `price\nx3`}, []string{"a,1", "d,4"}, "3.8"},
}

func TestTheSameBug(t *testing.T) {
	found, err := runtimes.Places{}.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	python := found[0]
	warm := &sandbox.Warm{Tools: syntax.Tools()}
	defer warm.Close()
	for i, tt := range slips {
		t.Run(tt.name, func(t *testing.T) {
			if testing.Short() && i%3 == 2 { // make long makes them all small
				t.Skip("every third")
			}
			if bug.CompareVersions(python.Version, tt.since) < 0 {
				t.Skipf("needs Python %s", tt.since)
			}
			m := minimize.Minimizer{Box: warm, Cold: sandbox.Native{}, Log: new(journal.Mem), Runtime: python, Parser: python,
				Workers: 2}
			if tt.expect != "" {
				if m.Symptom, err = bug.ParseSymptom(tt.expect); err != nil {
					t.Fatal(err)
				}
			}
			small, err := m.Minimize(t.Context(), tt.program)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.ReplaceAll(small.Program, `"`, "'")
			for _, want := range tt.has {
				if !strings.Contains(got, strings.ReplaceAll(want, `"`, "'")) {
					t.Errorf("it has no %q:\n%s", want, small.Program)
				}
			}
			for _, never := range tt.lacks {
				if strings.Contains(got, strings.ReplaceAll(never, `"`, "'")) {
					t.Errorf("it has %q:\n%s", never, small.Program)
				}
			}
			if !small.Verified || !small.Minimal || len(small.Held) == 0 {
				t.Errorf("verified %v, minimal %v, held %q", small.Verified, small.Minimal, small.Held)
			}
		})
	}
}

// A program that fails for what the sandbox lacks is not cut down to that.
func TestPoverty(t *testing.T) {
	python, err := runtimes.Places{}.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for program, lacks := range map[string]string{
		"open('a.csv')\n1/0\n":                             "the file a.csv",
		"import sys, json\njson.loads(sys.stdin.read())\n": "its standard input",
		"import argparse\np = argparse.ArgumentParser()\np.add_argument('x')\np.parse_args()\n": "its arguments",
		"import sys\nprint(sys.argv[1])\n":                                      "its arguments",
		"import urllib.request\nurllib.request.urlopen('http://example.org')\n": "a network",
	} {
		m := minimize.Minimizer{Box: sandbox.Native{}, Cold: sandbox.Native{}, Log: new(journal.Mem), Runtime: python[0],
			Parser: python[0], Workers: 1}
		_, err := m.Minimize(t.Context(), program)
		var poor poverty.Error
		if !errors.As(err, &poor) || !strings.Contains(poor.Lacks, lacks) {
			t.Errorf("%s: %v, want it to lack %s", program, err, lacks)
		}
	}
}
