package pipeline

import (
	"context"

	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/prove"
)

// test is the step of that name.
func (p *Pipeline) test(ctx context.Context, c *casefile.Case) error {
	if !p.Test || c.Consent.Decision != casefile.Proceed {
		return nil
	}
	prover := prove.Prover{Profile: p.Profile, Box: p.Box, Log: p.Log, Parser: p.Parser, Limits: p.Limits,
		Times: p.Times, Round: p.Round, Expected: p.Expected, Tell: p.Tell}
	r, err := prover.Test(ctx, *c, p.Fixed)
	c.Regression = &r
	return err
}
