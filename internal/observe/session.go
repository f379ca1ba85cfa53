// Package observe runs all programs of a report as one session, statement by
// statement, and notes what each of them shows: what it printed, its value, a
// warning, an exception. What two versions show differently is the raw
// material of a verdict; no word of the report is needed for it.
package observe

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/syntax"
)

// A Block is a part of a report that may be a program.
type Block struct {
	Piece int    `json:"piece"` // its number in the report
	Text  string `json:"text"`
	Lang  string `json:"lang"`
	Typed bool   `json:"session"` // at a prompt
}

// A Session is what all programs of a report do, one after the other.
type Session struct {
	Statements []Statement  `json:"statements"`
	Programs   map[int]bool `json:"programs"` // by piece: whether it is nothing else than a program
}

// A Statement is one of a session.
type Statement struct {
	Text  string `json:"text"`
	Kind  string `json:"kind"`  // as Python's parser calls it
	Piece int    `json:"piece"` // of the report; Added if scrub put it there
	Line  int    `json:"line"`  // in its piece
}

// Added is the piece of statements that are not the report's.
const Added = -1

//go:embed python/session.py python/transcript.py python/scrub_observe/*.py
var python embed.FS

var files = syntax.FilesOf(python, "python")

// Read takes the blocks of a report apart into one session, with run to run the
// reader in a box. What plainly is meant to be called is called at the end. A
// report that cannot be read has no statements.
func Read(ctx context.Context, blocks []Block, run bug.Runner) (Session, error) {
	s := Session{Programs: map[int]bool{}}
	list, err := json.Marshal(blocks)
	if err != nil {
		return s, err
	}
	repro := bug.Repro{Files: maps.Clone(files), Command: []string{"python", "session.py"}}
	repro.Files["blocks.json"] = string(list)
	o, err := run(ctx, repro)
	if err != nil {
		return s, fmt.Errorf("read session: %w", err)
	}
	var told struct {
		Blocks []struct {
			Program    string
			Statements [][3]any
		}
		Calls []string
	}
	if o.Failed() || json.Unmarshal([]byte(o.Stdout), &told) != nil || len(told.Blocks) != len(blocks) {
		return s, nil // what cannot be read is not watched
	}
	for i, b := range told.Blocks {
		for _, parts := range b.Statements {
			text, _ := parts[0].(string)
			line, _ := parts[1].(float64)
			kind, _ := parts[2].(string)
			s.Statements = append(s.Statements, Statement{text, kind, blocks[i].Piece, int(line)})
		}
		s.Programs[blocks[i].Piece] = b.Program == "yes"
	}
	for _, call := range told.Calls {
		s.Statements = append(s.Statements, Statement{Text: call, Kind: "Expr", Piece: Added})
	}
	return s, nil
}

// Text is the session as one program, for those who read it before it runs.
func (s Session) Text() string {
	var b strings.Builder
	for _, st := range s.Statements {
		b.WriteString(st.Text + "\n")
	}
	return b.String()
}

// Above is s with lines in front of it.
func (s Session) Above(lines ...string) Session {
	var first []Statement
	for _, l := range lines {
		first = append(first, Statement{Text: l, Kind: "Import", Piece: Added})
	}
	s.Statements = append(first, s.Statements...)
	return s
}
