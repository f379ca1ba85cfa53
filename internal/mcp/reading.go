package mcp

import (
	"context"

	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/duplicated"
	"github.com/scrub-dev/scrub/internal/desk/guided"
	"github.com/scrub-dev/scrub/internal/guide"
	"github.com/scrub-dev/scrub/internal/refusal"
)

// These tools run nothing of strangers'.

func (s *Server) triageTool() tool[source] {
	return tool[source]{name: "triage", title: "Take a report apart",
		about: "What is in a bug report: its programs, the claimed failure, versions, labels that its text speaks " +
			"for, and whether it can be acted on. Runs nothing.",
		do: func(ctx context.Context, d *desk.Desk, in source) (answer, error) {
			from, err := s.source(in)
			if err != nil {
				return answer{}, err
			}
			name, err := named(in.Profile)
			if err != nil {
				return answer{}, err
			}
			got, err := d.Triage(ctx, desk.TriageRequest{Source: from, Profile: name})
			return triaged(got), err
		}}
}

func (s *Server) readTool() tool[readRequest] {
	return tool[readRequest]{name: "read", title: "Read the thread",
		about: "What people wrote: the report and every comment, as marked data, a page at a time. Runs nothing.",
		do: func(ctx context.Context, d *desk.Desk, in readRequest) (answer, error) {
			from, err := s.source(in.source)
			if err != nil {
				return answer{}, err
			}
			if in.From < 0 {
				return answer{}, refusal.Bad("from: 0 or what an answer said")
			}
			r, err := d.Read(ctx, from)
			return paged(r, in.From), err
		}}
}

func (s *Server) vetTool() tool[vetRequest] {
	return tool[vetRequest]{name: "vet", title: "Read a program",
		about: "What a person must know of a program before it runs: network, files, shell, code that is not " +
			"there to read, each at its line. Runs nothing.",
		do: func(ctx context.Context, d *desk.Desk, in vetRequest) (answer, error) {
			r := desk.VetRequest{Box: s.Issue.Box}
			var err error
			if r.Profile, err = named(in.Profile); err != nil {
				return answer{}, err
			}
			if in.Program != "" {
				r.Program = &desk.File{Name: "program", Text: in.Program}
			} else if r.Source, err = s.source(in.source); err != nil {
				return answer{}, err
			}
			got, err := d.Vet(ctx, r)
			return vetted(got), err
		}}
}

func (s *Server) classifyTool() tool[classifyRequest] {
	return tool[classifyRequest]{name: "classify", title: "Kind and component of a failure",
		about: "Kind, phase and component of a failure, by what was printed. Runs nothing; ablate measures it.",
		do: func(ctx context.Context, d *desk.Desk, in classifyRequest) (answer, error) {
			name, err := named(in.Profile)
			if err != nil {
				return answer{}, err
			}
			got, err := d.Classify(ctx, desk.ClassifyRequest{Log: in.Log, Profile: name})
			return classified(got), err
		}}
}

func (s *Server) caseTool() tool[caseRequest] {
	return tool[caseRequest]{name: "case", title: "What was found out",
		about: "What is on record about a report: verdict, runs, versions, smallest program, component, proposals.",
		do: func(ctx context.Context, d *desk.Desk, in caseRequest) (answer, error) {
			c, err := d.Case(ctx, in.Case)
			if err != nil {
				return answer{}, refusal.Bad("%w", err)
			}
			return caseOf(c), nil
		}}
}

func (s *Server) casesTool() tool[casesRequest] {
	return tool[casesRequest]{name: "cases", title: "Cases on record", about: "The reports looked at, the last first.",
		do: func(ctx context.Context, d *desk.Desk, in casesRequest) (answer, error) {
			all, err := d.Cases(ctx)
			return listed(all, in.Words), err
		}}
}

func (s *Server) similarTool() tool[caseRequest] {
	return tool[caseRequest]{name: "similar", title: "Reports of the same bug",
		about: "Cases whose programs showed the same failure: duplicates that nobody has linked, with the evidence.",
		do: func(ctx context.Context, d *desk.Desk, in caseRequest) (answer, error) {
			got, err := duplicated.Desk{Desk: d}.Find(ctx, duplicated.Request{Of: in.Case, Forge: s.Forge})
			if err != nil {
				return answer{}, refusal.Bad("%w", err)
			}
			return similar(got), nil
		}}
}

func (s *Server) hintTool() tool[hintRequest] {
	return tool[hintRequest]{name: "hint", title: "What goes with these files",
		about: "Which other files are usually changed together with some, as counted in a project's history; only habits " +
			"that its newest changes bear out. Runs nothing.",
		do: func(ctx context.Context, d *desk.Desk, in hintRequest) (answer, error) {
			at, err := s.folder(in.Folder)
			if err != nil {
				return answer{}, err
			}
			if len(in.Files) == 0 || len(in.Files) > 200 {
				return answer{}, refusal.Bad("files: from 1 to 200 of them")
			}
			all, err := guided.Desk{Desk: d}.Hints(ctx, guide.Request{Dir: at}, in.Files)
			return hinted(all), err
		}}
}

func (s *Server) proposalsTool() tool[actionsRequest] {
	return tool[actionsRequest]{name: "proposals", title: "What is proposed in public",
		about: "Comments, labels and closings that scrub proposes, and what became of them. A person agrees to " +
			"them; no tool does.",
		do: func(ctx context.Context, d *desk.Desk, in actionsRequest) (answer, error) {
			all, err := d.Actions(ctx, desk.ActionsRequest{On: in.On})
			return proposals(all), err
		}}
}
