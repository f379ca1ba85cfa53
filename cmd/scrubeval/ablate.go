package main

import (
	"context"
	"errors"
	"fmt"
	"github.com/scrub-dev/scrub/internal/ablate"
	"github.com/scrub-dev/scrub/internal/desk"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
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
	files, err := filepath.Glob(filepath.Join(args[0], "*.py"))
	if err != nil {
		return err
	}
	return measured(func(d *desk.Desk) error { return ablateAll(ctx, d, files, args[1]) })
}

func ablateAll(ctx context.Context, d *desk.Desk, files []string, python string) error {
	right, none := 0, 0
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
		why, err := d.Ablate(ctx, desk.AblateRequest{Program: desk.Program{Text: string(text), Python: python}})
		if err != nil { // one that does not fail here, or needs what is not here, says nothing of the others
			fmt.Printf("none\t%s\twant %s in %s\t%v\n", filepath.Base(file), want[1], want[2], err)
			none++
			continue
		}
		grade := "WRONG"
		if why.Class.Category == want[1] && why.Component == want[2] {
			grade = "right"
			right++
		}
		fmt.Printf("%s\t%s\twant %s in %s\tgot %s in %s\t%.0f s\t%s\n", grade, filepath.Base(file), want[1], want[2],
			why.Class.Category, why.Component,
			time.Since(began).Seconds(), deepest(why.Why))
	}
	fmt.Printf("%d of %d right; %d say nothing here\n", right, len(files)-none, none)
	return nil
}

func deepest(why ablate.Why) string {
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
