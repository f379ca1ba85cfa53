package desk

import (
	"context"
	"embed"
	"fmt"

	"scrub/internal/casefile"
	"scrub/internal/forge/issuefile"
)

//go:embed demo/*.md
var demoReports embed.FS

// Demo takes the reports that scrub brings along to their verdicts. Nothing is
// kept and nobody is asked: the programs are scrub's own.
func (d *Desk) Demo(ctx context.Context, pythons []string) ([]Case, error) {
	files, err := demoReports.ReadDir("demo")
	if err != nil {
		return nil, err
	}
	var all []Case
	for _, file := range files {
		text, err := demoReports.ReadFile("demo/" + file.Name())
		if err != nil {
			return nil, err
		}
		c, err := d.demo(ctx, text, pythons)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
		}
		all = append(all, answerCase(c))
	}
	return all, nil
}

func (d *Desk) demo(ctx context.Context, text []byte, pythons []string) (casefile.Case, error) {
	about, err := issuefile.Parse(text)
	if err != nil {
		return casefile.Case{}, err
	}
	// Half the runs of the flaky one fail: enough of them show both sides.
	r := IssueRequest{Source: Source{Report: &about, Offline: true}, Pythons: pythons, Runs: 12}
	p, err := d.pipeline(ctx, about, r)
	if err != nil {
		return casefile.Case{}, err
	}
	p.Decide = func(context.Context, casefile.Subject) (casefile.Consent, error) {
		return casefile.Consent{Said: casefile.Proceed, By: "scrub", Why: "the program is its own"}, nil
	}
	return p.Issue(ctx, about)
}
