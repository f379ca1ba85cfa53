package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/eval"
)

// measureIssues takes real reports of a batch through all steps on two interpreters,
// an older and a newer, each alone, and compares with what readers expected. The word
// verdicts leaves out what takes longest, turning knobs; numbers choose reports.
func measureIssues(args []string) error {
	if len(args) < 4 {
		return errors.New("want a folder with truth.tsv, a batch in it, and two interpreters")
	}
	table, err := os.ReadFile(filepath.Join(args[0], "truth.tsv"))
	if err != nil {
		return err
	}
	lives, err := eval.Lives(string(table))
	if err != nil {
		return err
	}
	only := slices.DeleteFunc(slices.Clone(args[4:]), func(a string) bool { return a == "verdicts" })
	why := len(only) == len(args[4:])
	lives = slices.DeleteFunc(lives, func(l eval.Live) bool {
		return l.Batch != args[1] || len(only) > 0 && !slices.Contains(only, l.Number)
	})
	var score eval.Standing
	err = measured(func(d *desk.Desk) error {
		for _, l := range lives {
			if err := live(context.Background(), d, l, filepath.Join(args[0], l.Batch), args[2:4], why, &score); err != nil {
				fmt.Printf("%s\tERROR\t%v\n", l.Number, err)
			}
		}
		return nil
	})
	return errors.Join(err, score.Print(os.Stdout))
}

func live(ctx context.Context, d *desk.Desk, l eval.Live, folder string, pythons []string, why bool,
	score *eval.Standing) error {
	file, err := os.Open(filepath.Join(folder, l.Number+".md"))
	if err != nil {
		return err
	}
	defer file.Close()
	report, err := desk.Parse(l.Number, file)
	if err != nil {
		return err
	}
	source := desk.Source{Report: &report, Name: l.Number, Offline: true}
	triaged, err := d.Triage(ctx, desk.TriageRequest{Source: source})
	if err != nil {
		return err
	}
	var labels []string
	for _, r := range triaged.Routes {
		labels = append(labels, r.Label)
	}
	var shown casefile.Case
	for i, python := range pythons {
		c, err := issue(ctx, d, desk.IssueRequest{Source: source, Pythons: []string{python}, ApproveClean: true, Why: why})
		if err != nil {
			return err
		}
		verdict, reason := c.Verdict()
		want := strings.Join(l.Verdicts[i], " or ")
		fmt.Printf("%s\t%s\t%s on %d\twant %s\t%s\n", l.Number, score.Add(l, i, c), verdict, i, want,
			bug.Short(bug.Squeeze(reason), 300))
		if c.Why != nil {
			shown = c
		}
	}
	if shown.Why != nil {
		labels = append(labels, shown.Why.Labels...)
		fmt.Printf("%s\tcomponent %s, want %s\n", l.Number, shown.Why.Component, strings.Join(l.Components, " or "))
	}
	slices.Sort(labels)
	labels = slices.Compact(labels)
	fmt.Printf("%s\tlabels %s; people gave %s\n", l.Number, strings.Join(labels, ", "), strings.Join(l.Labels, ", "))
	score.Routed(l, shown, labels)
	return nil
}
