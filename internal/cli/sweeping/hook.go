package sweeping

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// mostHook is how long a webhook's message about an issue may be.
const mostHook = 2 << 20

// hook answers GitHub's webhook, if that is wanted: an issue or a comment rings.
func (a commands) hook(ctx context.Context, f watching, ring chan<- struct{}) (stop func(), err error) {
	if f.listen == "" {
		return func() {}, nil
	}
	secret, err := secretOf(f.secret)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("POST /webhook", webhook(secret, f.r.Repo, func() { ringing(ring) }))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") })
	stop, at, err := serveOn(ctx, f.listen, mux)
	if err == nil {
		a.Note("waiting for the webhook at http://%s/webhook", at)
	}
	return stop, err
}

// serveOn answers requests at an address until it is stopped.
func serveOn(ctx context.Context, address string, h http.Handler) (stop func(), at net.Addr, err error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, nil, err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: time.Minute,
		WriteTimeout: time.Minute, MaxHeaderBytes: 64 << 10}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			panic(err) // it was listening
		}
	}()
	return func() {
		_ = server.Close()
		<-done
	}, l.Addr(), nil
}

// webhook rings for messages about issues of a repository that are signed.
func webhook(secret, repo string, ring func()) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if len(req.Header.Get("X-Hub-Signature-256")) != len("sha256=")+2*sha256.Size {
			http.Error(w, "it is not signed", http.StatusUnauthorized)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, mostHook))
		if err != nil {
			http.Error(w, "too long", http.StatusRequestEntityTooLarge)
			return
		}
		if !signed(secret, req.Header.Get("X-Hub-Signature-256"), body) {
			http.Error(w, "the signature is not right", http.StatusUnauthorized)
			return
		}
		var message struct {
			Repository struct {
				Name string `json:"full_name"`
			} `json:"repository"`
		}
		event := req.Header.Get("X-GitHub-Event")
		about := event == "issues" || event == "issue_comment"
		if json.Unmarshal(body, &message) != nil || about && !strings.EqualFold(message.Repository.Name, repo) {
			http.Error(w, "not about "+repo, http.StatusBadRequest)
			return
		}
		if about {
			ring()
		}
		w.WriteHeader(http.StatusAccepted)
	})
}

// signed reports whether a message carries the sum that only who knows the secret
// can make.
func signed(secret, says string, body []byte) bool {
	sum, err := hex.DecodeString(strings.TrimPrefix(says, "sha256="))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = mac.Write(body) // to memory
	return hmac.Equal(sum, mac.Sum(nil))
}
