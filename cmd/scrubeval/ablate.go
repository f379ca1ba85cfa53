package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/journal"
	"scrub/internal/pipeline"
	"scrub/internal/profile"
	"scrub/internal/runtimes"
	"scrub/internal/sandbox"
)

// wanted is what the first line of a planted bug says of it.
var wanted = regexp.MustCompile(`^# want: (\S+) in (.+)\n`)

// measureAblate turns the knobs of planted bugs, and compares kind and
// component with what each says of itself in its first line.
func measureAblate(args []string) error {
	if len(args) != 2 {
		return errors.New("want a folder of programs and a Python")
	}
	ctx := context.Background()
	found, err := runtimes.Places{Named: args[1:]}.Find(ctx, nil)
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(args[0], "*.py"))
	if err != nil {
		return err
	}
	right := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		want := wanted.FindStringSubmatch(string(text))
		if want == nil {
			return fmt.Errorf("%s: its first line must say what is wanted: # want: KIND in COMPONENT", file)
		}
		began := time.Now()
		why, err := ablateOne(ctx, string(text), found[0])
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		grade := "WRONG"
		if why.Class.Category == want[1] && why.Component == want[2] {
			grade = "right"
			right++
		}
		fmt.Printf("%s\t%s\twant %s in %s\tgot %s in %s\t%.0f s\t%s\n", grade, filepath.Base(file), want[1], want[2], why.Class.Category, why.Component,
			time.Since(began).Seconds(), deepest(why))
	}
	fmt.Printf("%d of %d right\n", right, len(files))
	return nil
}

func ablateOne(ctx context.Context, text string, r bug.Runtime) (casefile.Why, error) {
	prof, err := profile.ForText(text)
	if err != nil {
		return casefile.Why{}, err
	}
	reading, err := pipeline.ReadIn(ctx, sandbox.Native{}, text, r)
	if err != nil {
		return casefile.Why{}, err
	}
	warm := new(sandbox.Warm)
	defer warm.Close()
	a := pipeline.Ablation{Box: sandbox.Native{}, Warm: warm, Preload: append(pipeline.Preload(reading), prof.Knobs.Preload...), Log: new(journal.Mem), Profile: prof,
		Repro: bug.Program(text), Runtime: r, Limits: sandbox.Limits{Memory: int64(prof.Run.Memory)}, Workers: runtime.NumCPU(), Deeper: true, Tell: func(pipeline.Event) {}}
	return a.Run(ctx)
}

func deepest(why casefile.Why) string {
	if why.Ablation == nil {
		return "skipped: " + why.Class.Means
	}
	all := []string{fmt.Sprintf("%d cells", len(why.Ablation.Cells))}
	if why.Ablation.Stage != nil {
		all = append(all, "first at "+why.Ablation.Stage.Value)
	}
	if why.Depth != nil {
		all = append(all, why.Depth.String())
	}
	return strings.Join(append(all, why.Means...), "; ")
}
