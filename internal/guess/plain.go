package guess

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/scrub-dev/scrub/internal/bug"
)

//go:embed python/plain.py
var plain string

// A Remark is what is not plain about a program, and where.
type Remark struct {
	Line int
	Why  string
}

// UnmarshalJSON reads a remark as plain.py writes it.
func (r *Remark) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&r.Line, &r.Why})
}

// Plain says what in a program is more than imports of some packages, values, calls and definitions. It asks run to read
// it, boxed.
func Plain(ctx context.Context, text string, packages []string, run bug.Runner) ([]Remark, error) {
	repro := bug.Repro{Files: bug.Files{"plain.py": plain, "program.txt": text},
		Command: append([]string{"python", "plain.py"}, packages...)}
	o, err := run(ctx, repro)
	if err != nil {
		return nil, fmt.Errorf("read a guess: %w", err)
	}
	var all []Remark
	if o.Failed() || json.Unmarshal([]byte(o.Stdout), &all) != nil {
		return nil, fmt.Errorf("read a guess: the reader %s: %.200s", o.Words(), o.Stderr)
	}
	return all, nil
}
