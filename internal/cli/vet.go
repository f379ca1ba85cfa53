package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/console"
	"scrub/internal/pipeline"
	"scrub/internal/report"
	"scrub/internal/syntax"
	"scrub/internal/vet"
)

type vetFlags struct {
	forge, profile, python string
	sarif                  bool
	box                    console.BoxFlags
}

func (a *app) vet() *cobra.Command {
	var f vetFlags
	c := &cobra.Command{
		Use:   "vet FILE|SOURCE…",
		Short: "Read programs and say what a person must know before they run",
		Long: `Reads programs, in a box and without running them, and says what they would
do: reach for the network, for files that are not theirs, for a shell, load
what can run code, hide something, and so on. FILE is a Python file; any other
SOURCE is a report, whose best program is read.

The exit code is 0 if nothing was found that a person must agree to, and 4 if
something was. Notes are shown and count as nothing.`,
		Example: `  scrub vet repro.py
  scrub vet backlog/*.json --json | jq -r '.[] | select(.asks) | .source'
  scrub vet *.py --sarif > vet.sarif`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return console.Usage("%s wants at least one FILE or SOURCE", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return a.runVet(c.Context(), args, f) },
	}
	c.Flags().StringVar(&f.forge, "forge", "", "a folder to use as the forge")
	c.Flags().StringVar(&f.profile, "profile", "", "what is known about the project: a name or a folder (default: by the issue's repository)")
	c.Flags().StringVar(&f.python, "python", "", "interpreter whose parser reads it (default: the active environment's, or python3)")
	c.Flags().BoolVar(&f.sarif, "sarif", false, "print SARIF 2.1.0, for tools that scan code")
	f.box.Add(c)
	return c
}

// A vetted is what scrub vet says of one program.
type vetted struct {
	Source   string        `json:"source"`
	Program  string        `json:"program,omitempty"` // its digest; empty if there is none
	Asks     bool          `json:"asks"`              // a person must agree before it runs
	Findings []vet.Finding `json:"findings"`
	text     string
}

func (a *app) runVet(ctx context.Context, sources []string, f vetFlags) error {
	box, err := a.Box(f.box)
	if err != nil {
		return err
	}
	var named []string
	if f.python != "" {
		named = []string{f.python}
	}
	found, err := a.Pythons(ctx, f.box, named)
	if err != nil {
		return err
	}
	all, asks := []vetted{}, 0
	for _, source := range sources {
		v, err := a.vetOne(ctx, source, f, func(text string) (syntax.Reading, error) {
			return pipeline.ReadIn(ctx, box, text, found[0])
		})
		if err != nil {
			return fmt.Errorf("%s: %w", source, err)
		}
		if v.Asks {
			asks++
		}
		all = append(all, v)
	}
	if err := a.sayVet(all, f.sarif); err != nil {
		return err
	}
	if asks > 0 {
		return console.Ends(console.No, nil)
	}
	return nil
}

func (a *app) vetOne(ctx context.Context, source string, f vetFlags, read func(text string) (syntax.Reading, error)) (vetted, error) {
	v := vetted{Source: source, Findings: []vet.Finding{}}
	c, err := a.programOf(ctx, source, f)
	v.text = c.Repro.Files[bug.Script]
	if err != nil || v.text == "" {
		return v, err
	}
	prof, err := console.ProfileFor(f.profile, c.Report.Ref.Repo)
	if err != nil {
		return v, err
	}
	reading, err := read(v.text)
	if err != nil {
		return v, err
	}
	c.Reading = &reading
	v.Program = c.Repro.Digest()
	v.Findings = append(v.Findings, pipeline.Review(c, prof)...)
	v.Asks = vet.Asks(v.Findings)
	return v, nil
}

// programOf is a case with the program that source is or holds: of a report
// the one that would be tried, whatever else the report is.
func (a *app) programOf(ctx context.Context, source string, f vetFlags) (casefile.Case, error) {
	if filepath.Ext(source) == ".py" {
		text, err := console.ReadProgram(source)
		return casefile.Case{Repro: bug.Program(text)}, err
	}
	r, err := a.Read(ctx, source, console.Reading{Forge: f.forge})
	if err != nil {
		return casefile.Case{}, err
	}
	p, err := a.pipeline(r, issueFlags{profile: f.profile, despite: []string{"all"}})
	if err != nil {
		return casefile.Case{}, err
	}
	p.Tell = func(pipeline.Event) {}
	return p.Triage(r)
}

func (a *app) sayVet(all []vetted, sarif bool) error {
	switch {
	case sarif:
		return json.NewEncoder(a.Out).Encode(vetSARIF(all))
	case a.JSON:
		enc := json.NewEncoder(a.Out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(all)
	}
	var b strings.Builder
	for _, v := range all {
		b.WriteString(v.String())
	}
	return a.Answer(nil, "%s", report.Clean(b.String()))
}

func (v vetted) String() string {
	var b strings.Builder
	switch {
	case v.Program == "":
		fmt.Fprintf(&b, "%s: there is no program in it\n", v.Source)
	case len(v.Findings) == 0:
		fmt.Fprintf(&b, "%s: nothing that a person must know\n", v.Source)
	case v.Asks:
		fmt.Fprintf(&b, "%s: a person must agree before it runs\n", v.Source)
	default:
		fmt.Fprintf(&b, "%s: nothing that needs a word\n", v.Source)
	}
	lines, shown := strings.Split(v.text, "\n"), 0
	for _, f := range v.Findings {
		if f.Line != shown && f.Line > 0 && f.Line <= len(lines) {
			shown = f.Line
			fmt.Fprintf(&b, "%5d  %s\n", f.Line, bug.Short(lines[f.Line-1], 120))
		}
		fmt.Fprintf(&b, "       %s %s: %s (%s)\n", map[string]string{"note": "-", "warning": "!", "error": "!!"}[f.Severity], f.Class, f.Why, f.Name)
	}
	return b.String()
}

// SARIF is the part of that format which code-scanning tools need.
type sarif struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name  string      `json:"name"`
	Rules []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID string `json:"id"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

func vetSARIF(all []vetted) sarif {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "scrub", Rules: []sarifRule{}}}, Results: []sarifResult{}}
	seen := map[string]bool{}
	for _, v := range all {
		for _, f := range v.Findings {
			id := strings.ReplaceAll(f.Class, " ", "-")
			if !seen[id] {
				seen[id] = true
				run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{id})
			}
			run.Results = append(run.Results, sarifResult{
				RuleID: id, Level: f.Severity, Message: sarifText{fmt.Sprintf("%s (%s)", f.Why, f.Name)},
				Locations: []sarifLocation{{sarifPhysical{sarifArtifact{filepath.ToSlash(v.Source)}, sarifRegion{max(1, f.Line)}}}},
			})
		}
	}
	return sarif{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
}
