// Scrubeval measures scrub on labelled reports. It is for developers.
package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/classify"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/eval"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/project"
	"github.com/scrub-dev/scrub/internal/runtimes"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/syntax"
	"github.com/scrub-dev/scrub/internal/vet"
)

const usage = `usage: scrubeval intake|pick|triage|classify|routes DATA.jsonl [LABELS.tsv]
       scrubeval vet DATA…
       scrubeval reproduce DATA.jsonl ENVIRONMENTS [batch=N] [pair=adjacent|later|users] [workers=N] [runs=N]
                 [keep=FILE] [state=FILE] [profile=DIR]
       scrubeval fit KEPT.jsonl… [sure=0.6] [out=MODEL.json]
       scrubeval bisect DATA.jsonl ENVIRONMENTS [clones=DIR] [tiers=gold,silver]
       scrubeval culprit DATA.jsonl CLONES
       scrubeval minimize SAMPLES ENVIRONMENTS [PYTHON…] [peers=cvise,shrinkray,pysource] [cap=2m] [warm=yes] [times=10] [only=NAME,…]
       scrubeval slips DATA.jsonl ENVIRONMENTS [batches=2,3] [peers=pysource,shrinkray] [cap=2m] [state=FILE]
       scrubeval growth ENVIRONMENTS
       scrubeval ablate PROGRAMS PYTHON
       scrubeval issues REPORTS learn|look OLDER-PYTHON NEWER-PYTHON [NUMBER…]
       scrubeval tokens REPORTS PYTHON…
       scrubeval regress DATA.jsonl ENVIRONMENTS [tiers=gold] [out=DIR]
       scrubeval guide CLONE…
       scrubeval request NAME STATE < REQUEST.json

  intake  compare what scrub reads in reports with what another extractor read
          ("weak" in each row), list every difference, and count them by field and
          by who is right, as far as labels/intake.tsv says
  pick    count in how many reports the program that scrub would try holds the
          statement that is known to show the bug ("symptom" in each row)
  triage  classify issues and compare with LABELS: a table of number, class,
          second class, repro and words; without it, with the tables in labels/
  classify
          name kind and component of what was pasted into issues, and compare with
          labels/classify.tsv
  routes  compare the labels that reports speak for with those that people gave
  vet     find dangers: in folders of samples, where there are some in every
          file that labels/vet-out.txt does not name, and in the programs of
          reports, where there are none
  reproduce
          the verdict on the last release with the bug and on the first without;
          environments are built in the folder ENVIRONMENTS and kept; with pair=later on
          the first without and the newest, where "fixed" is always wrong; with pair=users
          on the reported and the newest; what was run is remembered in state;
          with profile=DIR all reports are read with that profile, not with their projects' own
  fit     fit the weights of what was observed and mentioned to what reproduce kept, and
          show how they do on each project when fitted on all others
  bisect  the release that fixed each report, searched from the newest of its day
          on, and with a clone in DIR/PACKAGE the pull request
  culprit the same pull requests by evidence alone: nothing is run
  minimize
          make programs small, each in a folder SAMPLES/NAME with a case.toml, and
          compare with other reducers, which run as long as cap allows, cold as their
          users run them or with a warm interpreter to answer them, and only as many times as often as
          scrub asked itself
  slips   make the programs of reports small with only the last release known that has the
          bug, and count those that fail on the first without it just the same
  ablate  turn the knobs of programs, each of which says in its first line what kind of
          failure it is and in which component
  issues  verdict, component and labels of real reports on two interpreters, each alone,
          against what REPORTS/truth.tsv says that careful readers expect
  tokens  what an agent is told of reports beside the thread and all that the runs printed
  regress write regression tests, and count those that fail on the last release with the
          bug and pass on the first without
  guide   how often what goes together in older history does so in the newest, and how
          often sessions that the clone keeps are paired rightly with pull requests
  growth  make programs small that are ever longer: what it costs must grow with
          what stays, not with what goes
`

//go:embed labels
var labels embed.FS

// The measures, by name. Each takes what comes behind its name.
var measures = map[string]func(args []string) error{
	"intake": onFile(measureIntake), "pick": onFile(measurePick), "triage": onFile(measureTriage), "vet": measureVet,
	"reproduce": onFile(measureReproduce),
	"bisect":    onFile(measureBisect), "culprit": onFile(measureCulprit), "minimize": measureMinimize, "ask": ask,
	"request": request,
	"growth":  measureGrowth, "classify": onFile(measureClassify), "routes": onFile(measureRoutes), "ablate": measureAblate,
	"issues":  measureIssues,
	"tokens":  measureTokens,
	"regress": onFile(measureRegress), "fit": measureFit, "guide": measureGuide, "slips": onFile(measureSlips),
}

func main() {
	sandbox.Main()
	if len(os.Args) < 3 || measures[os.Args[1]] == nil {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	if err := measures[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "scrubeval: %v\n", err)
		os.Exit(1)
	}
}

// onFile opens the first argument for a measure.
func onFile(measure func(data io.ReadSeeker, rest []string) error) func([]string) error {
	return func(args []string) error {
		f, err := os.Open(args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		if err := measure(f, args[1:]); err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		return nil
	}
}

func measureIntake(data io.ReadSeeker, _ []string) error {
	parses, err := parser(context.Background())
	if err != nil {
		return err
	}
	f, err := labels.Open("labels/intake.tsv")
	if err != nil {
		return err
	}
	defer f.Close()
	scores, err := eval.ReadScores(f)
	if err != nil {
		return err
	}
	t, err := eval.Intake(data, scores, parses, os.Stdout)
	if err != nil {
		return err
	}
	fmt.Printf("\n%d reports, %d with nothing that scrub read wrongly (%.1f %%)\n", t.Reports, t.Reports-len(t.Wrong),
		100-100*float64(len(t.Wrong))/float64(t.Reports))
	fmt.Printf("%-10s %6s %6s   of these right: %6s %6s %6s %8s %9s\n", "", "agree", "differ", "scrub", "other", "both",
		"neither", "unscored")
	for _, name := range slices.Sorted(maps.Keys(t.Agree)) {
		r := t.Right[name]
		fmt.Printf("%-10s %6d %6d %24d %6d %6d %8d %9d\n", name, t.Agree[name], t.Differ[name], r["scrub"], r["other"],
			r["both"], r["neither"], r["unscored"])
	}
	return nil
}

func measurePick(data io.ReadSeeker, _ []string) error {
	t, err := eval.Picks(data, []string{"gold", "silver"}, os.Stdout)
	return errors.Join(err, show(t))
}

func show(t eval.Tally) error {
	fmt.Printf("\n%d reports\n%-10s %6s %6s\n", t.Reports, "", "agree", "differ")
	for _, name := range slices.Sorted(maps.Keys(t.Agree)) {
		fmt.Printf("%-10s %6d %6d\n", name, t.Agree[name], t.Differ[name])
	}
	return nil
}

func measureTriage(data io.ReadSeeker, tables []string) error {
	open := func(name string) (io.ReadCloser, error) { return os.Open(name) }
	if len(tables) == 0 {
		tables = []string{"labels/first.tsv", "labels/second.tsv", "labels/third.tsv"}
		open = func(name string) (io.ReadCloser, error) { return labels.Open(name) }
	}
	for _, name := range tables {
		f, err := open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		table, err := eval.Labels(f)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := data.Seek(0, io.SeekStart); err != nil {
			return err
		}
		err = measured(func(d *desk.Desk) error {
			score, err := eval.Triage(data, table, func(r bug.Report) (casefile.Case, error) {
				t, err := d.Triage(context.Background(), desk.TriageRequest{Source: desk.Source{Report: &r}})
				return t.Case, err
			}, os.Stdout)
			fmt.Printf("\n%s\n%s\n", name, score)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func measureClassify(data io.ReadSeeker, _ []string) error {
	f, err := labels.Open("labels/classify.tsv")
	if err != nil {
		return err
	}
	defer f.Close()
	table, err := eval.Kinds(f)
	if err != nil {
		return err
	}
	return measured(func(d *desk.Desk) error {
		score, err := eval.Classify(data, table, func(log, profile string) (classify.Class, error) {
			c, err := d.Classify(context.Background(), desk.ClassifyRequest{Log: log, Profile: profile})
			return c.Class, err
		}, os.Stdout)
		fmt.Print(score)
		return err
	})
}

func measureRoutes(data io.ReadSeeker, _ []string) error {
	return eval.Routes(data, func(repo string) (profile.Profile, error) { return project.For("", repo) }, os.Stdout)
}

// measureVet takes folders for samples of dangerous code, and files for
// reports with harmless programs.
func measureVet(args []string) error {
	list, err := labels.ReadFile("labels/vet-out.txt")
	if err != nil {
		return err
	}
	out := map[string]bool{}
	for _, name := range strings.Fields(string(list)) {
		out[name] = true
	}
	return measured(func(d *desk.Desk) error {
		vets := func(text string, p profile.Profile) ([]vet.Finding, error) {
			v, err := d.Vet(context.Background(), desk.VetRequest{Program: &desk.File{Text: text}, Profile: p.Name})
			return v.Findings, err
		}
		c := eval.NewCaught()
		for _, name := range args {
			if err := vetOne(c, name, out, vets); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		fmt.Printf("\n%s", c)
		return nil
	})
}

func vetOne(c *eval.Caught, name string, out map[string]bool, vets eval.Vets) error {
	st, err := os.Stat(name)
	if err != nil {
		return err
	}
	if st.IsDir() {
		return c.Samples(os.DirFS(name), out, vets, os.Stdout)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return c.Harmless(f, vets, os.Stdout)
}

// parser asks the first Python of this machine, in the box.
func parser(ctx context.Context) (eval.Parses, error) {
	found, err := runtimes.Places{}.Find(ctx, nil)
	if err != nil {
		return nil, err
	}
	run := sandbox.Tool(sandbox.Native{}, found[0])
	return func(text string) (bool, error) {
		r, err := syntax.Read(ctx, text, run)
		return err == nil && r.Broken == nil, err
	}, nil
}
