package sweeping

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"scrub/internal/desk/swept"
)

// serve answers /metrics and /healthz.
func (a commands) serve(ctx context.Context, address string, d swept.Desk, w *swept.Working) (func(), error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	return func() {
		go func() {
			<-ctx.Done()
			_ = server.Close()
		}()
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			w.Log.Error("listen", "error", err)
		}
	}, nil
}
