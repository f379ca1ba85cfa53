package syntax

import (
	"context"
	_ "embed"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A Frame is a function that was running.
type Frame struct {
	Own  bool   // it is the program's
	Func string // of a library with the name of its file, as in "zipfile.namelist"
	Line int
}

// Frames are functions that were running at one moment, the outermost first, from the
// program's own on.
type Frames []Frame

var (
	thread    = regexp.MustCompile(`^(?:Current thread|Thread) 0x0*([0-9a-f]+)`)
	stackLine = regexp.MustCompile(`^  File "(.*)", line (\d+) in (.*)$`)
)

// Crashed reads the stack that Python writes down when it dies, of the thread that died.
func Crashed(stderr, script string) Frames {
	_, stack, _ := cutLast(stderr, "Current thread 0x")
	return read(strings.Split(stack, "\n"), script)
}

// read reads a stack, as far as it goes, which begins with the innermost function.
func read(lines []string, script string) Frames {
	var all Frames
	for i, line := range lines {
		m := stackLine.FindStringSubmatch(line)
		if m == nil && i > 0 {
			break
		}
		if m == nil {
			continue
		}
		at, _ := strconv.Atoi(m[2])
		f := Frame{Own: m[1] == script, Func: m[3], Line: at}
		if !f.Own {
			f.Func = moduleOf(m[1]) + "." + f.Func
		}
		all = append(all, f)
	}
	slices.Reverse(all)
	first := slices.IndexFunc(all, func(f Frame) bool { return f.Own })
	if first < 0 {
		return nil
	}
	return all[first:]
}

// moduleOf is what a file of a library is called: a package by its folder.
func moduleOf(file string) string {
	name := strings.TrimSuffix(path.Base(file), ".py")
	if name == "__init__" {
		name = path.Base(path.Dir(file))
	}
	return name
}

// Sampled is where a program was while it ran, moment by moment.
type Sampled struct {
	Outcome bug.Outcome
	Stacks  []Frames
	Began   time.Duration // the CPU that was used up before the program began
}

//go:embed python/sample.py
var sampler string

// Sample runs a program and has its interpreter write down where it is, every few
// milliseconds of CPU and now and then while it waits. It changes nothing in the program.
func Sample(ctx context.Context, text string, run bug.Runner) (Sampled, error) {
	repro := bug.Program(sampler)
	repro.Files["subject.py"] = text
	out, err := run(ctx, repro)
	s := Sampled{Outcome: out}
	if err != nil {
		return s, err
	}
	begin, rest, _ := strings.Cut(out.Stdout, "\n")
	words := strings.Fields(begin)
	if len(words) != 2 {
		return s, nil
	}
	seconds, _ := strconv.ParseFloat(words[1], 64)
	s.Began = time.Duration(seconds * float64(time.Second))
	lines := strings.Split(rest, "\n")
	for i, line := range lines {
		if m := thread.FindStringSubmatch(line); m != nil && m[1] == words[0] {
			if found := read(lines[i:], "/box/subject.py"); len(found) > 0 {
				s.Stacks = append(s.Stacks, found)
			}
		}
	}
	return s, nil
}
