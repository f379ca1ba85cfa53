package sweeping

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/scrub-dev/scrub/internal/desk/swept"
	"github.com/scrub-dev/scrub/internal/queue"
)

// traced has every job of a worker become a span, if the environment says where
// spans go, in OpenTelemetry's own words.
func (a commands) traced(ctx context.Context, worker string, w *swept.Working) (stop func()) {
	to, ok := collectorOf(a.Getenv)
	if !ok {
		return func() {}
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(to), trace.WithResource(resource.NewSchemaless(
		attribute.String("service.name", "scrub"), attribute.String("service.instance.id", worker))))
	tracer := provider.Tracer("scrub")
	w.Trace = func(ctx context.Context, t queue.Task) (context.Context, func(error)) {
		ctx, span := tracer.Start(ctx, t.Do)
		span.SetAttributes(attribute.String("scrub.sweep", t.Sweep), attribute.Int64("scrub.report", t.Item))
		return ctx, func(err error) {
			if err != nil {
				span.SetStatus(codes.Error, err.Error())
			}
			span.End()
		}
	}
	return func() {
		soon, enough := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer enough()
		if err := provider.Shutdown(soon); err != nil {
			w.Log.Warn("the last spans could not be sent", "error", err)
		}
	}
}
