package syntax

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

//go:embed python/together.py
var together string

// Together runs programs one after the other in one process, where beginning one costs more than running it. It
// returns how the first ones ended, as far as it got: up to one after which alive fails, or before one that ended the
// process, which is then said. What one leaves behind the next ones find, so how they end is a hint and no proof.
func Together(ctx context.Context, texts []string, alive string, run bug.Runner) (all []bug.Outcome, died bool,
	err error) {
	repro := bug.Program(together)
	repro.Files["alive.py"] = alive
	for i, text := range texts {
		repro.Files[fmt.Sprintf("%d.py", i)] = text
	}
	out, err := run(ctx, repro)
	if err != nil {
		return nil, false, err
	}
	for line := range strings.Lines(out.Stdout) {
		var ended struct {
			Code           int
			Stdout, Stderr string
		}
		if json.Unmarshal([]byte(line), &ended) != nil || len(all) == len(texts) {
			break
		}
		all = append(all, bug.Outcome{End: bug.Exited, Code: ended.Code, Stdout: ended.Stdout, Stderr: ended.Stderr,
			Warm: out.Warm})
	}
	return all, !strings.HasSuffix(out.Stdout, "\nend\n"), nil
}
