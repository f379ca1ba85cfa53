package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/reduce"
	"github.com/scrub-dev/scrub/internal/runtimes"
)

// A sample is a program to make small, in a folder of its own.
type sample struct {
	Name        string `toml:"-"`
	Text        string `toml:"-"`
	Python      string `toml:"python"`
	Interpreter string `toml:"interpreter"` // "system": one that is here already and has the package
	Package     string `toml:"package"`
	Version     string `toml:"version"`
	Expect      string `toml:"expect"`
	Kind        string `toml:"kind"`
	About       string `toml:"about"`
	// a version of the package, or of Python if there is none, that does not have the bug
	PassesOn string `toml:"passes_on"`
}

// A shrunk is what a tool made of a sample.
type shrunk struct {
	tool string
	reduce.Size
	runs    int
	seconds float64
	cpu     float64 // seconds, of the runs
	ended   string
	program string
}

// measureMinimize makes every sample small, with scrub and with the peers
// that are named, and checks that nothing more can go.
func measureMinimize(args []string) error {
	if len(args) < 2 {
		return errors.New("want SAMPLES, ENVIRONMENTS, and perhaps interpreters and peers=NAME,NAME cap=DURATION " +
			"only=NAME,NAME")
	}
	ctx := context.Background()
	envs, err := environments(ctx, args[1])
	if err != nil {
		return err
	}
	p := peers{limit: 2 * time.Minute}
	var pythons []string
	only := ""
	for _, arg := range args[2:] {
		key, value, ok := strings.Cut(arg, "=")
		switch {
		case !ok:
			pythons = append(pythons, arg)
		case key == "peers":
			p.names = strings.Split(value, ",")
		case key == "times":
			if p.times, err = strconv.Atoi(value); err != nil {
				return err
			}
		case key == "warm":
			p.warm = value == "yes"
		case key == "only":
			only = "," + value + ","
		case key == "cap":
			if p.limit, err = time.ParseDuration(value); err != nil {
				return err
			}
		}
	}
	samples, err := readSamples(args[0])
	if err != nil {
		return err
	}
	fmt.Printf("%-16s %-10s %6s %7s %7s %6s %6s %8s  %s\n", "program", "tool", "runs", "seconds", "cpu", "lines",
		"tokens", "bytes", "")
	return measured(func(d *desk.Desk) error {
		for _, s := range samples {
			if only != "" && !strings.Contains(only, ","+s.Name+",") {
				continue
			}
			r, err := s.runtime(ctx, envs, pythons)
			if err != nil {
				fmt.Printf("%-16s cannot be tried: %v\n", s.Name, err)
				continue
			}
			if err := s.compare(ctx, d, envs, r, p); err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
		}
		return nil
	})
}

func readSamples(dir string) ([]sample, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "case.toml"))
	if err != nil {
		return nil, err
	}
	var all []sample
	for _, file := range files {
		s := sample{Name: filepath.Base(filepath.Dir(file))}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := toml.Unmarshal(data, &s); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		text, err := os.ReadFile(filepath.Join(filepath.Dir(file), "program.py"))
		if err != nil {
			return nil, err
		}
		s.Text = string(text)
		all = append(all, s)
	}
	return all, nil
}

// runtime finds or builds the interpreter that a sample is for.
func (s sample) runtime(ctx context.Context, envs *runtimes.Environments, pythons []string) (bug.Runtime, error) {
	if s.Package != "" && s.Interpreter == "" {
		return envs.Get(ctx, runtimes.Spec{Package: s.Package, Version: s.Version, Python: s.Python})
	}
	all := envs.Pythons
	for _, path := range pythons {
		r, err := envs.Places.Inspect(ctx, path, []string{s.Package})
		if err != nil {
			return r, err
		}
		all = append(all, r)
	}
	for _, r := range all {
		if strings.HasPrefix(r.Version, s.Python+".") &&
			(s.Package == "" || strings.HasPrefix(r.Packages[s.Package], s.Version)) {
			return r, nil
		}
	}
	return bug.Runtime{}, fmt.Errorf("no Python %s with %s %s was named", s.Python, s.Package, s.Version)
}

// compare prints a line for each tool, and for scrub what is left of the program.
func (s sample) compare(ctx context.Context, d *desk.Desk, envs *runtimes.Environments, r bug.Runtime, p peers) error {
	request := desk.MinimizeRequest{
		Files: []desk.File{{Name: bug.Script,
			Text: s.Text}}, Expect: s.Expect, Python: r.Path, Jobs: workers, Fresh: true,
	}
	if s.PassesOn != "" {
		other := s
		if other.Version = s.PassesOn; s.Package == "" {
			other.Python = s.PassesOn
		}
		good, err := other.runtime(ctx, envs, nil)
		if err != nil {
			return err
		}
		request.PassesOn = good.Path
	}
	small, err := d.Minimize(ctx, request)
	if err != nil {
		fmt.Printf("%-16s scrub failed: %v\n", s.Name, err)
		return nil
	}
	ended := fmt.Sprintf("minimal %v, confirmed cold %v, from %d lines", small.Minimal, small.Verified,
		small.Before.Lines)
	own := shrunk{tool: "scrub", Size: small.After, runs: small.Runs, seconds: small.Seconds, ended: ended,
		program: small.Program}
	for _, spent := range small.Spent {
		own.cpu += spent.CPU
	}
	own.print(s.Name)
	request.Files[0].Text = small.Program
	if err := prove(ctx, d, request); err != nil {
		return err
	}
	for _, name := range p.names {
		theirs, err := p.run(ctx, name, s, r, own.runs)
		if err != nil {
			return err
		}
		theirs.print(s.Name)
		fmt.Printf("%-16s scrub: %.1f times fewer runs, %.1f times less time, %.2f of the tokens\n",
			"", ratio(theirs.runs, own.runs), theirs.seconds/own.seconds, ratio(own.Tokens, theirs.Tokens))
	}
	fmt.Printf("%s\n", "    "+strings.ReplaceAll(strings.TrimSpace(small.Program), "\n", "\n    "))
	return nil
}

// prove takes away every statement and argument of a result, one by one, in
// cold runs and without remembering what the reduction saw.
func prove(ctx context.Context, d *desk.Desk, r desk.MinimizeRequest) error {
	needed, err := d.Prove(ctx, r)
	if err != nil {
		return err
	}
	var still []string
	for _, n := range needed {
		if n.Shows {
			still = append(still, n.Part)
		}
	}
	fmt.Printf("%-16s %d statements and arguments taken away one by one, cold: the bug is still there %d times %q\n",
		"", len(needed), len(still), still)
	return nil
}

func ratio(a, b int) float64 { return float64(a) / float64(max(1, b)) }

func (s shrunk) print(name string) {
	cpu := "-" // of other tools that is not counted
	if s.cpu > 0 {
		cpu = fmt.Sprintf("%.1f", s.cpu)
	}
	fmt.Printf("%-16s %-10s %6d %7.1f %7s %6d %6d %8d  %s\n", name, s.tool, s.runs, s.seconds, cpu, s.Lines, s.Tokens,
		s.Bytes, s.ended)
}
