// Package nearby finds tests of a project that are about the same things as a
// program, by the names that both use, and runs them.
package nearby

import (
	"cmp"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A Test is a test of a project.
type Test struct {
	File string `json:"file"`
	Name string `json:"name"`
}

// A shared is a test and what it has in common with a program.
type shared struct {
	Test
	names  []string
	length int // how many names it has
}

const (
	testSize = 4 << 20 // more than any file of tests has
	most     = 8       // tests that are run
)

// syntax is what is a word of the language and no name.
var syntax = strings.Fields("and assert async await break class continue def del elif else except False finally for from " +
	"global import lambda None nonlocal not pass raise return self True try while with yield")

var (
	name  = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]{2,}`)
	begin = regexp.MustCompile(`(?m)^[ \t]*(?:async )?def (test\w*)`)
)

// Find finds the tests below a folder that have most in common with a program. What
// nearly every test says counts for nothing, what few say for much.
func Find(tree fs.FS, program string) ([]Test, error) {
	words := map[string]bool{}
	for _, w := range name.FindAllString(program, -1) {
		words[w] = !slices.Contains(syntax, w)
	}
	var all []shared
	err := fs.WalkDir(tree, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.Type().IsRegular() || !isTest(d.Name()):
			return nil
		}
		if info, err := d.Info(); err != nil || info.Size() > testSize {
			return err
		}
		text, err := fs.ReadFile(tree, file)
		all = append(all, in(file, string(text), words)...)
		return err
	})
	return nearest(all), err
}

func isTest(base string) bool {
	return path.Ext(base) == ".py" && (strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test.py"))
}

// in are the tests of a file.
func in(file, text string, words map[string]bool) []shared {
	var all []shared
	found := begin.FindAllStringSubmatchIndex(text, -1)
	for i, at := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		t := shared{Test: Test{File: file, Name: text[at[2]:at[3]]}}
		seen := map[string]bool{}
		for _, w := range name.FindAllString(text[at[1]:end], -1) {
			if !seen[w] && words[w] {
				t.names = append(t.names, w)
			}
			seen[w] = true
		}
		t.length = len(seen)
		all = append(all, t)
	}
	return all
}

// nearest are those that have most in common with the program, the nearest first.
func nearest(all []shared) []Test {
	in := map[string]int{}
	for _, t := range all {
		for _, w := range t.names {
			in[w]++
		}
	}
	near := func(t shared) float64 {
		sum := 0.0
		for _, w := range t.names {
			sum += math.Log(float64(len(all)+1) / float64(in[w]))
		}
		return sum / math.Sqrt(float64(t.length+1))
	}
	best := 0.0
	for _, t := range all {
		best = max(best, near(t))
	}
	all = slices.DeleteFunc(all, func(t shared) bool { return len(t.names) == 0 || near(t) < best/3 })
	slices.SortStableFunc(all, func(a, b shared) int { return cmp.Compare(near(b), near(a)) })
	var tests []Test
	for _, t := range all[:min(most, len(all))] {
		tests = append(tests, t.Test)
	}
	return tests
}
