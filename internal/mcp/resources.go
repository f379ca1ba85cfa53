package mcp

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/report"
)

// mostResource is how much of a resource is given.
const mostResource = 400_000

// addResources has p offer what is on record.
func (s *Server) addResources(p *mcp.Server) {
	p.AddResource(&mcp.Resource{Name: "cases", Description: "the reports that were looked at, the last first",
		URI: "scrub://cases"}, s.cases)
	for name, about := range map[string]string{"answer": "all of an answer, where a tool gave a part",
		"file/{n}": "a file that the project's own diagnostics wrote, by its number"} {
		p.AddResourceTemplate(&mcp.ResourceTemplate{Name: "task-" + strings.TrimSuffix(name, "/{n}"), Description: about,
			URITemplate: "scrub://task/{id}/" + name}, s.rest)
	}
	for name, about := range map[string]string{"report": "all that was found out about a report, as Markdown",
		"json": "all that was found out about a report, as JSON", "program": "the program of a report",
		"log": "all that the runs of a report's program printed"} {
		p.AddResourceTemplate(&mcp.ResourceTemplate{Name: "case-" + name, Description: about,
			URITemplate: "scrub://case/{id}/" + name}, s.resource)
	}
}

// cases is the list of them.
func (s *Server) cases(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	d := s.Desk(nil)
	all, err := d.Cases(ctx)
	if err = errors.Join(err, d.Close()); err != nil {
		return nil, err
	}
	return plainly(r, s.whole(listed(all, "")))
}

func plainly(r *mcp.ReadResourceRequest, text string) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: "text/plain",
		Text: text}}}, nil
}

// resource is one of them. It is full of strangers' words, so all of it is marked.
func (s *Server) resource(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	rest, ok := strings.CutPrefix(r.Params.URI, "scrub://case/")
	id, form, _ := strings.Cut(rest, "/")
	if !ok || !plain.MatchString(id) {
		return nil, mcp.ResourceNotFoundError("scrub")
	}
	d := s.Desk(nil)
	c, err := d.Case(ctx, id)
	if err = errors.Join(err, d.Close()); err != nil {
		return nil, mcp.ResourceNotFoundError("scrub") // what it was called is the agent's word, and may be a stranger's
	}
	text := ""
	switch form {
	case "report":
		text = report.Markdown(c.Case)
	case "program":
		text = c.Repro.Files[bug.Script]
	case "log":
		text = logOf(c)
	case "json":
		data, err := desk.JSON(c)
		if err != nil {
			return nil, err
		}
		text = string(data)
	default:
		return nil, mcp.ResourceNotFoundError("scrub")
	}
	return plainly(r, s.data("a case, with what strangers wrote", clip(report.Clean(report.Homeless(text)), mostResource)))
}

// rest is what a task gave besides what its answer had room for.
func (s *Server) rest(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri, _ := strings.CutPrefix(r.Params.URI, "scrub://task/")
	id, what, _ := strings.Cut(uri, "/")
	one, err := s.found(ctx, id)
	if err != nil {
		return nil, mcp.ResourceNotFoundError("scrub")
	}
	select {
	case <-one.over:
	case <-time.After(s.Patience):
	case <-ctx.Done():
	}
	if !one.ended() || one.err != nil {
		return nil, mcp.ResourceNotFoundError("scrub")
	}
	text := s.whole(one.got)
	if name, ok := strings.CutPrefix(what, "file/"); ok {
		n, err := strconv.Atoi(name)
		if err != nil || n < 1 || n > len(one.got.files) {
			return nil, mcp.ResourceNotFoundError("scrub")
		}
		text = s.data("a file", clip(report.Clean(report.Homeless(one.got.files[n-1].text)), mostResource))
	}
	return plainly(r, text)
}

// logOf is what all runs of a case have printed.
func logOf(c desk.Case) string {
	var b strings.Builder
	for _, a := range c.Asked {
		for i, o := range a.Tally.Outcomes {
			fmt.Fprintf(&b, "== %s, run %d: it %s\n%s%s\n", c.Where(a), i+1, o.Words(), o.Stdout, o.Stderr)
		}
	}
	return b.String()
}

// addPrompts has p offer the skills: how to go about something with these tools.
func (s *Server) addPrompts(p *mcp.Server) {
	for _, one := range s.Skills {
		p.AddPrompt(&mcp.Prompt{Name: one.Name, Description: one.About, Arguments: []*mcp.PromptArgument{
			{Name: "about", Description: "the issue, file or folder that it is about", Required: false}}},
			func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				text := one.Text
				if about := r.Params.Arguments["about"]; about != "" {
					text += "\n" + s.data("what it is about, as it was given", clip(report.Clean(about), 2000))
				}
				return &mcp.GetPromptResult{Description: one.About, Messages: []*mcp.PromptMessage{{Role: "user",
					Content: &mcp.TextContent{Text: text}}}}, nil
			})
	}
}
