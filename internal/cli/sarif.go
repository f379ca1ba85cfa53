package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/scrub-dev/scrub/internal/desk"
)

// A sarif is the part of that format which code-scanning tools need.
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
	Flows     []sarifFlow     `json:"codeFlows,omitempty"`
}

// A sarifFlow is the way that what a finding is about has come.
type sarifFlow struct {
	Threads []sarifThread `json:"threadFlows"`
}

type sarifThread struct {
	Places []sarifPlace `json:"locations"`
}

type sarifPlace struct {
	Location sarifLocation `json:"location"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
	Message  *sarifText    `json:"message,omitempty"`
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

// vetSARIF is what was found in programs, for tools that scan code.
func vetSARIF(all []desk.Vetted) sarif {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "scrub", Rules: []sarifRule{}}}, Results: []sarifResult{}}
	seen := map[string]bool{}
	for _, v := range all {
		for _, f := range v.Findings {
			id := strings.ReplaceAll(f.Class, " ", "-")
			if !seen[id] {
				seen[id] = true
				run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{id})
			}
			at := func(line int, what string) sarifLocation {
				l := sarifLocation{Physical: sarifPhysical{sarifArtifact{filepath.ToSlash(v.Source)}, sarifRegion{max(1, line)}}}
				if what != "" {
					l.Message = &sarifText{what}
				}
				return l
			}
			one := sarifResult{RuleID: id, Level: string(f.Severity),
				Message: sarifText{fmt.Sprintf("%s (%s)", f.Says(), f.Name)}, Locations: []sarifLocation{at(f.Line, "")}}
			var way []sarifPlace
			for _, s := range f.Path {
				way = append(way, sarifPlace{at(s.Line, s.What)})
			}
			if len(way) > 0 {
				way = append(way, sarifPlace{at(f.Line, f.Name)})
				one.Flows = []sarifFlow{{[]sarifThread{{way}}}}
			}
			run.Results = append(run.Results, one)
		}
	}
	return sarif{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
}
