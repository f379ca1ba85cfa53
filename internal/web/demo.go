package web

import (
	"context"

	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/page"
)

// Demo takes reports up in the background, as if somebody had asked for it.
func (s *Server) Demo(ctx context.Context, by string, work func(ctx context.Context, d *desk.Desk,
	base desk.IssueRequest) (string, error)) error {
	base := s.Issue
	base.Source.Forge = s.Forge
	return s.jobs.Start(ctx, page.Job{What: "Sample reports", By: by},
		func(ctx context.Context, d *desk.Desk) (string, error) { return work(ctx, d, base) })
}
