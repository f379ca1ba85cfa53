package mcp

import (
	"path/filepath"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/refusal"
)

// A source is a report.
type source struct {
	Issue   string `json:"issue,omitempty"   jsonschema:"OWNER/REPO#N or its address; give this or report"`
	Report  string `json:"report,omitempty"  jsonschema:"the report itself: Markdown, or what gh issue view --json prints"`
	Profile string `json:"profile,omitempty" jsonschema:"the project's profile by name; else the repository's"`
}

func (s *Server) source(in source) (desk.Source, error) {
	switch {
	case in.Issue != "" && in.Report != "":
		return desk.Source{}, refusal.Bad("give issue or report, not both")
	case in.Issue != "":
		// Nobody may have scrub call on a server of their choice.
		if ref, err := bug.ParseRef(in.Issue); err == nil && ref.Host != "" && s.Forge == "" && !s.Knows(ref.Host) {
			return desk.Source{}, refusal.Bad("issues are read from github.com and servers that the person is logged in to")
		}
		return desk.Source{Issue: in.Issue, Forge: s.Forge}, nil
	case in.Report == "":
		return desk.Source{}, refusal.Bad("give issue (OWNER/REPO#N) or report (its text)")
	}
	r, err := desk.Parse("the report", strings.NewReader(in.Report))
	if err != nil {
		return desk.Source{}, refusal.Bad("%w", err)
	}
	return desk.Source{Report: &r, Name: "the report"}, nil
}

// named is a profile by name: a folder is nothing that an agent may name.
func named(name string) (string, error) {
	if name != "" && !plain.MatchString(name) || strings.ContainsAny(name, `/\`) {
		return "", refusal.Bad("a profile is named by one word")
	}
	return name, nil
}

// A program is one that an agent brings.
type program struct {
	Program string `json:"program"           jsonschema:"the text of a Python program"`
	Expect  string `json:"expect,omitempty"  jsonschema:"what goes wrong: 'ValueError: text', SIGSEGV, crash, hang, 'prints: TEXT', 'lacks: TEXT'"`
	Profile string `json:"profile,omitempty" jsonschema:"the project's profile by name"`
	Runs    int    `json:"runs,omitempty"    jsonschema:"how often to run it"`
}

func (p program) text() string { return p.Program }

func (s *Server) program(p program) (desk.Program, error) {
	name, err := named(p.Profile)
	if p.Runs < 0 || p.Runs > 100 {
		err = refusal.Bad("runs: from 1 to 100")
	}
	python := ""
	if len(s.Issue.Pythons) > 0 {
		python = s.Issue.Pythons[0]
	}
	return desk.Program{Text: p.Program, Expect: p.Expect, Profile: name, Runs: max(p.Runs, 1), Python: python,
		Timeout: s.Issue.Timeout, Box: s.Issue.Box}, err
}

// An issueRequest is what to find out about a report.
type issueRequest struct {
	source
	On       []string `json:"on,omitempty"       jsonschema:"versions to run it on, as in 2.6, reported, newest, nightly"`
	Minimize bool     `json:"minimize,omitempty" jsonschema:"also make the program small"`
	Why      bool     `json:"why,omitempty"      jsonschema:"also find out what it depends on"`
	Since    bool     `json:"since,omitempty"    jsonschema:"also find the release that brought it"`
	Test     bool     `json:"test,omitempty"     jsonschema:"also write a regression test"`
	Fresh    bool     `json:"fresh,omitempty"    jsonschema:"measure anew in place of what is on record"`
	Ignore   []string `json:"ignore,omitempty"   jsonschema:"triage rules that are not to stop it, by the names that an answer gave"`
}

func (s *Server) issueOf(in issueRequest) (desk.IssueRequest, error) {
	r := s.Issue
	var err error
	if r.Source, err = s.source(in.source); err != nil {
		return r, err
	}
	if r.Profile, err = named(in.Profile); err != nil {
		return r, err
	}
	for _, v := range in.On {
		if !plain.MatchString(v) || strings.Contains(v, "/") {
			return r, refusal.Bad("on: want versions, as in 2.6 or newest")
		}
	}
	if len(in.On) > 0 {
		r.Versions.On, r.Pythons = in.On, nil
	}
	r.Ignore, r.ApproveClean = in.Ignore, true
	r.Minimize, r.Why, r.Since, r.Test, r.Fresh = in.Minimize, in.Why, in.Since, in.Test, in.Fresh
	return r, nil
}

// folder is a folder that tools may look into.
func (s *Server) folder(name string) (string, error) {
	at, err := filepath.Abs(name)
	if err == nil {
		at, err = filepath.EvalSymlinks(at)
	}
	if err == nil {
		for _, one := range s.Folders {
			if real, err := filepath.EvalSymlinks(one); err == nil && (at == real || strings.HasPrefix(at, real+"/")) {
				return at, nil
			}
		}
	}
	return "", refusal.Bad("this folder may not be looked into: a person can allow it with scrub mcp --folder DIR")
}

type minimizeRequest struct {
	program
	Enough  int `json:"good_enough,omitempty" jsonschema:"stop at so many lines"`
	Minutes int `json:"minutes,omitempty"     jsonschema:"stop after so many minutes with what there is then; 10"`
}

type bisectRequest struct {
	program
	Package string `json:"package"            jsonschema:"the package whose releases are searched"`
	Good    string `json:"good,omitempty"     jsonschema:"a release that does not show it"`
	Bad     string `json:"bad,omitempty"      jsonschema:"a release that shows it"`
	Within  string `json:"versions,omitempty" jsonschema:"only these, as in 2.1..2.6"`
}

type logsRequest struct {
	program
	For string `json:"for" jsonschema:"a topic of the profile, as in frames or crash; any other word is answered with all of them"`
}

type classifyRequest struct {
	Log     string `json:"log"               jsonschema:"what a program printed, with its traceback"`
	Profile string `json:"profile,omitempty" jsonschema:"the project's profile by name"`
}

// A testRequest is a report of which a test is wanted.
type testRequest struct {
	issueRequest
	Expect string `json:"expect,omitempty" jsonschema:"what goes wrong, if the report does not say"`
}

type fixRequest struct {
	testRequest
	Checkout string `json:"checkout" jsonschema:"a work tree of the project with the change in it, below a folder that a person allowed"`
}

// A guessRequest is what an agent made up for a report.
type guessRequest struct {
	source
	Quote     string            `json:"quote"               jsonschema:"the report's own words that it rests on, to the letter"`
	Program   string            `json:"program,omitempty"   jsonschema:"a program, if the report has none; needs expect"`
	Expect    string            `json:"expect,omitempty"    jsonschema:"what goes wrong: 'ValueError: text', SIGSEGV, crash, hang, 'prints: TEXT', 'lacks: TEXT'"`
	Files     map[string]string `json:"files,omitempty"     jsonschema:"files that the program reads, by name, as in data.csv"`
	Version   string            `json:"version,omitempty"   jsonschema:"the version that the report is about"`
	Statement string            `json:"statement,omitempty" jsonschema:"which of the observed differences is meant: its statement"`
	On        []string          `json:"on,omitempty"        jsonschema:"versions to measure it on: one with the bug and one without, as in [reported,newest]"`
	By        string            `json:"by,omitempty"        jsonschema:"leave it out: the server says who you are"`
}

// from says who has made it up: no agent says that of itself.
func (g *guessRequest) from(client, user string) {
	g.By = "an agent of " + user
	if plain.MatchString(client) {
		g.By = client + " for " + user
	}
}

type hintRequest struct {
	Folder string   `json:"folder" jsonschema:"a clone of the project, below a folder that a person allowed"`
	Files  []string `json:"files"  jsonschema:"files that you have touched or are about to, as they are named in it"`
}

// A readRequest is which part of a thread to read.
type readRequest struct {
	source
	From int `json:"from,omitempty" jsonschema:"where to go on, as the answer before said"`
}

type vetRequest struct {
	source
	Program string `json:"program,omitempty" jsonschema:"a program to read; else that of the report"`
}

type caseRequest struct {
	Case string `json:"case" jsonschema:"a case by its id, or OWNER/REPO#N"`
}

type casesRequest struct {
	Words string `json:"words,omitempty" jsonschema:"words that the title, issue or verdict must have"`
}

type actionsRequest struct {
	On string `json:"on,omitempty" jsonschema:"OWNER/REPO#N; else all that is open"`
}

// addTools has p offer every tool.
func (s *Server) addTools(p *mcp.Server) {
	add(s, p, s.triageTool())
	add(s, p, s.readTool())
	add(s, p, s.vetTool())
	add(s, p, s.classifyTool())
	add(s, p, s.caseTool())
	add(s, p, s.casesTool())
	add(s, p, s.similarTool())
	add(s, p, s.proposalsTool())
	add(s, p, s.hintTool())
	add(s, p, s.issueTool())
	add(s, p, s.guessTool())
	add(s, p, s.runTool())
	add(s, p, s.minimizeTool())
	add(s, p, s.bisectTool())
	add(s, p, s.ablateTool())
	add(s, p, s.logsTool())
	add(s, p, s.regressTool())
	add(s, p, s.checkFixTool())
	mcp.AddTool(p, &mcp.Tool{Name: "task", Title: "Wait for work", Description: "Wait for work that a tool has begun, " +
		"by its handle, or stop it. Works after a lost connection, too."}, s.task)
}
