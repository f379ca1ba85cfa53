package mcp

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scrub-dev/scrub/internal/refusal"
)

// The protocol's library answers calls that make no sense by itself, and repeats what it was given: arguments, names,
// addresses. These may be a stranger's words that an agent has passed on, so they are said again in ours.

// words are what a method's failure is called.
var words = map[string]string{
	"tools/call":     "there is no such tool: ask for the list of tools",
	"prompts/get":    "there is no such prompt, or it needs other arguments: ask for the list of prompts",
	"resources/read": "there is no such resource: an answer says which there are",
}

type reachedKey struct{}

// reached notes that a tool of ours has a call: what is answered then is ours.
func reached(ctx context.Context) {
	if it, ok := ctx.Value(reachedKey{}).(*bool); ok {
		*it = true
	}
}

// inOurWords has every refusal of the library said in our words.
func (s *Server) inOurWords(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		ours := false
		got, err := next(context.WithValue(ctx, reachedKey{}, &ours), method, r)
		var wire *jsonrpc.Error
		switch {
		case errors.As(err, &wire) && words[method] != "":
			return got, &jsonrpc.Error{Code: wire.Code, Message: words[method]}
		case err != nil:
			return got, err
		}
		if one, ok := got.(*mcp.CallToolResult); ok && one.IsError && !ours {
			return s.refused(refusal.Bad("the arguments are not what this tool takes: ask for the list of tools")), nil
		}
		return got, nil
	}
}
