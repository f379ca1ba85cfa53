package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/report"
)

// mostShown is how long a program may be that a person is asked about through a client: all of it is shown.
const mostShown = 20_000

// wanted is what a person is asked for.
const wanted = `{"type": "object", "required": ["decision"], "properties": {"decision": {"type": "string",
	"enum": ["proceed", "skip"], "description": "proceed: run it; skip: don't"}}}`

// asker is who has sent a call: what their client is called, and whether it can ask a person.
func asker(r *mcp.CallToolRequest) (name string, can bool) {
	var info mcp.Implementation
	var able mcp.ClientCapabilities
	if p := r.Session.InitializeParams(); p != nil {
		if p.ClientInfo != nil {
			info = *p.ClientInfo
		}
		if p.Capabilities != nil {
			able = *p.Capabilities
		}
	}
	// Clients of newer protocols say it with each call.
	said(r, mcp.MetaKeyClientInfo, &info)
	said(r, mcp.MetaKeyClientCapabilities, &able)
	return info.Name, able.Elicitation != nil
}

// said reads what a call says besides its arguments; what makes no sense says nothing.
func said[T any](r *mcp.CallToolRequest, key string, into *T) {
	if one, ok := r.Params.Meta[key]; ok {
		if data, err := json.Marshal(one); err == nil {
			_ = json.Unmarshal(data, into)
		}
	}
}

// ask has a person asked about a program, where their client can; nil where it cannot.
func (s *Server) ask(r *mcp.CallToolRequest, w waiting) *mcp.CallToolResult {
	if _, can := asker(r); !can || len(w.Text) > mostShown || len(r.Params.InputResponses) > 0 {
		return nil
	}
	s.tasks.mu.Lock()
	defer s.tasks.mu.Unlock()
	s.tasks.asked[w.Digest] = true
	return &mcp.CallToolResult{RequestState: w.Digest, InputRequests: mcp.InputRequestMap{"decision": &mcp.ElicitParams{
		Message: "May this program run, in a sandbox without network, home folder or secrets? A stranger may have written " +
			"it. Found in it: " + strings.Join(w.Classes, ", ") + ".\n\n" + report.Clean(w.Text),
		RequestedSchema: json.RawMessage(wanted)}}}
}

// hear puts on record what a person has said of the program that they were asked about: of these very bytes, with the
// client that brought their word. Nobody is heard who was not asked.
func (s *Server) hear(ctx context.Context, r *mcp.CallToolRequest) error {
	digest := r.Params.RequestState
	got, ok := r.Params.InputResponses["decision"].(*mcp.ElicitResult)
	s.tasks.mu.Lock()
	asked := s.tasks.asked[digest]
	delete(s.tasks.asked, digest)
	s.tasks.mu.Unlock()
	if !ok || !asked || got.Action != "accept" {
		return nil
	}
	said, _ := got.Content["decision"].(string)
	if said != "proceed" && said != "skip" {
		return nil
	}
	client, _ := asker(r)
	d := s.Desk(nil)
	_, err := d.Decide(ctx, desk.DecideRequest{Program: digest, Said: said,
		By: s.User + " through " + report.Clean(clip(client, 40))})
	return errors.Join(err, d.Close())
}
