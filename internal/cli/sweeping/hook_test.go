package sweeping

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestWebhook(t *testing.T) {
	const secret, about = "a long secret", `{"action":"opened","repository":{"full_name":"octo/Snail"}}`
	sum := func(key, text string) string {
		mac := hmac.New(sha256.New, []byte(key))
		_, _ = mac.Write([]byte(text))
		return "sha256=" + hex.EncodeToString(mac.Sum(nil))
	}
	other := strings.Replace(about, "octo/Snail", "octo/other", 1)
	for name, tt := range map[string]struct {
		event, sum, body string
		status, rings    int
	}{
		"an issue":            {"issues", sum(secret, about), about, http.StatusAccepted, 1},
		"a comment":           {"issue_comment", sum(secret, about), about, http.StatusAccepted, 1},
		"a ping":              {"ping", sum(secret, "{}"), "{}", http.StatusAccepted, 0},
		"no signature":        {"issues", "", about, http.StatusUnauthorized, 0},
		"another secret":      {"issues", sum("guess", about), about, http.StatusUnauthorized, 0},
		"another text":        {"issues", sum(secret, about), about + " ", http.StatusUnauthorized, 0},
		"an empty sum":        {"issues", "sha256=", about, http.StatusUnauthorized, 0},
		"another repository":  {"issues", sum(secret, other), other, http.StatusBadRequest, 0},
		"not JSON":            {"issues", sum(secret, "{"), "{", http.StatusBadRequest, 0},
		"the older signature": {"issues", strings.Replace(sum(secret, about), "sha256", "sha1", 1), about, http.StatusUnauthorized, 0},
	} {
		t.Run(name, func(t *testing.T) {
			rings := 0
			req := httptest.NewRequest(http.MethodPost, "/webhook", strings.NewReader(tt.body))
			req.Header.Set("X-GitHub-Event", tt.event)
			req.Header.Set("X-Hub-Signature-256", tt.sum)
			w := httptest.NewRecorder()
			webhook(secret, "octo/snail", func() { rings++ }).ServeHTTP(w, req)
			if w.Code != tt.status || rings != tt.rings {
				t.Errorf("%d, %d rings", w.Code, rings)
			}
		})
	}
}
