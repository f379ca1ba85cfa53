package syntax

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A Node is a part of a program, as its own parser sees it.
type Node struct {
	Kind       string // as the parser calls it: FunctionDef, Call, Name
	Field      string // what it is to its parent: body, args; with = if it is assigned to and - if it is deleted
	Start, End int    // bytes of the text
	Line       int
	Name       string // what it is called, or the type of a constant
	Kids       []*Node
	Parent     *Node
}

// UnmarshalJSON reads a node as scrub_tree.py writes it.
func (n *Node) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &[]any{&n.Kind, &n.Field, &n.Start, &n.End, &n.Line, &n.Name, &n.Kids}); err != nil {
		return err
	}
	for _, k := range n.Kids {
		k.Parent = n
	}
	return nil
}

// MarshalJSON writes a node as scrub_tree.py does.
func (n *Node) MarshalJSON() ([]byte, error) {
	kids := n.Kids
	if kids == nil {
		kids = []*Node{}
	}
	return json.Marshal([]any{n.Kind, n.Field, n.Start, n.End, n.Line, n.Name, kids})
}

// Walk calls f for n and all below it, from the top down and in the order of
// the text.
func (n *Node) Walk(f func(*Node)) {
	f(n)
	for _, k := range n.Kids {
		k.Walk(f)
	}
}

// In returns the kids of n that are in a field.
func (n *Node) In(field string) []*Node {
	var all []*Node
	for _, k := range n.Kids {
		if k.Field == field {
			all = append(all, k)
		}
	}
	return all
}

// A Tree is a text as its parser sees it.
type Tree struct {
	Root    *Node    `json:"root"`
	Unbound []string `json:"unbound"` // names that it uses and binds nowhere
	Broken  string   `json:"broken"`  // why it is no program; the rest is empty then
}

// treeReader is a module, so that a warm interpreter can have it.
//
//go:embed python/scrub_tree.py
var treeReader string

// ErrTree means that the parser itself did not answer.
var ErrTree = errors.New("the parser did not answer")

// Trees reads texts, all in one run. To check is to say whether they can be
// read, and no more.
func Trees(ctx context.Context, texts []string, check bool, run bug.Runner) ([]Tree, error) {
	files := bug.Files{"tree.py": "import scrub_tree\n\nscrub_tree.main()\n", "scrub_tree.py": treeReader}
	if check {
		files["check"] = ""
	}
	for i, text := range texts {
		files[fmt.Sprintf("%d.txt", i)] = text
	}
	// The command is always the same, so that one warm interpreter does for all.
	o, err := run(ctx, bug.Repro{Files: files, Command: []string{"python", "tree.py"}})
	if err != nil {
		return nil, err
	}
	var all []Tree
	if o.Failed() || json.Unmarshal([]byte(o.Stdout), &all) != nil || len(all) != len(texts) {
		return nil, fmt.Errorf("%w: it %s: %.300s", ErrTree, o.Words(), o.Stderr)
	}
	return all, nil
}
