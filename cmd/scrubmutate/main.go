// Scrubmutate plants small faults in scrub's packages, one at a time, and counts
// how many of them the packages' own tests notice. It is for developers.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	n := flag.Int("n", 200, "how many faults to plant")
	seed := flag.Uint64("seed", 1, "which ones: the same number, the same faults")
	limit := flag.Duration("limit", 3*time.Minute, "time for the tests of one package")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: scrubmutate [-n N] [-seed N] [-limit TIME] PACKAGE…\n\nPACKAGE is what go "+
			"list takes.")
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *n, *seed, *limit, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "scrubmutate:", err)
		os.Exit(1)
	}
}

// A pkg is a package that has tests.
type pkg struct {
	ImportPath, Dir           string
	GoFiles                   []string
	TestGoFiles, XTestGoFiles []string
}

func run(ctx context.Context, n int, seed uint64, limit time.Duration, patterns []string) error {
	all, err := candidates(ctx, patterns)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "scrubmutate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	planted, noticed := 0, 0
	for _, m := range all {
		if planted == n || ctx.Err() != nil {
			break
		}
		switch found, err := m.noticed(ctx, dir, limit); {
		case err != nil:
			return err
		case found == unbuildable:
			continue
		case found == survived:
			planted++
			fmt.Printf("survived  %s:%d  %s\n", m.file, m.line, m.what)
		default:
			planted++
			noticed++
		}
	}
	if planted == 0 {
		return errors.New("nothing was planted")
	}
	fmt.Printf("%d of %d faults noticed by the packages' own tests: %.1f %%\n", noticed, planted,
		100*float64(noticed)/float64(planted))
	return nil
}

// candidates are all faults that could be planted in packages with tests.
func candidates(ctx context.Context, patterns []string) ([]mutant, error) {
	out, err := exec.CommandContext(ctx, "go", append([]string{"list", "-json"}, patterns...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []mutant
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p pkg
		if err := dec.Decode(&p); err != nil {
			return nil, err
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		for _, name := range p.GoFiles {
			found, err := mutants(p.ImportPath, filepath.Join(p.Dir, name))
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
	}
	return all, nil
}

type fate int

const (
	unbuildable fate = iota
	survived
	killed
)

// noticed runs the tests of the package with the fault in it, and the files as
// they are.
func (m mutant) noticed(ctx context.Context, dir string, limit time.Duration) (fate, error) {
	text, err := m.planted()
	if err != nil {
		return unbuildable, err
	}
	file, overlay := filepath.Join(dir, "planted.go"), filepath.Join(dir, "overlay.json")
	swap, err := json.Marshal(map[string]map[string]string{"Replace": {m.file: file}})
	if err != nil {
		return unbuildable, err
	}
	if err := errors.Join(os.WriteFile(file, text, 0o600), os.WriteFile(overlay, swap, 0o600)); err != nil {
		return unbuildable, err
	}
	if exec.CommandContext(ctx, "go", "vet", "-overlay", overlay, m.pkg).Run() != nil {
		return unbuildable, ctx.Err()
	}
	err = exec.CommandContext(ctx, "go", "test", "-overlay", overlay, "-failfast", "-count", "1",
		"-timeout", limit.String(), m.pkg).Run()
	if err == nil {
		return survived, nil
	}
	return killed, ctx.Err()
}
