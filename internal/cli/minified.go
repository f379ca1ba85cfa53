package cli

import (
	"context"
	"fmt"
	"slices"

	"scrub/internal/bug"
	"scrub/internal/casefile"
	"scrub/internal/console"
	"scrub/internal/evidence"
	"scrub/internal/pipeline"
	"scrub/internal/profile"
	"scrub/internal/sandbox"
)

// orMinified has the project's own minifier make a program, makes that small
// too, and returns the smaller of the two. A minifier that finds nothing
// leaves it as it is.
func (a *app) orMinified(ctx context.Context, v *console.View, m pipeline.Minimizer, small casefile.Small, sub subject, f minimizeFlags) (casefile.Small, error) {
	prof, err := console.ProfileIn(f.profile, sub.text)
	if err != nil {
		return small, err
	}
	makes := func(l profile.Logs) bool {
		return slices.ContainsFunc(l.Step, func(s profile.Step) bool { return s.Makes != "" })
	}
	at := slices.IndexFunc(prof.Logs, makes)
	if at < 0 {
		return small, console.Usage("--minifier: the profile %s knows of none", prof.Name)
	}
	v.Tell(pipeline.Event{Step: "minifier", Text: "running it"})
	limits := sandbox.Limits{Time: evidence.Time(f.timeout, prof.Logs[at]), Memory: int64(prof.Run.Memory), Scratch: 2 << 30}
	e, err := evidence.Gather(ctx, bug.Program(sub.text), sub.runtime, prof.Logs[at], limits, m.Cold)
	switch {
	case err != nil:
		return small, err
	case e.Found == "":
		v.Say("minifier", "it made nothing of it")
		return small, nil
	}
	m.Symptom = small.Symptom
	other, err := m.Minimize(ctx, e.Text(e.Found))
	if err != nil {
		v.Say("minifier", fmt.Sprintf("what it made is of no use: %v", err))
		return small, ctx.Err()
	}
	v.Say("minifier", fmt.Sprintf("what it made becomes %d tokens, the program itself %d", other.After.Tokens, small.After.Tokens))
	if !other.Verified || other.After.Tokens >= small.After.Tokens {
		return small, nil
	}
	other.Before = small.Before
	return other, nil
}
