package index

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// Whoever waits for a large file is told how much of it has come.
func TestGiven(t *testing.T) {
	const size = 3*often + 1
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".whl") {
			_, _ = w.Write(make([]byte, size))
			return
		}
		_, _ = w.Write([]byte(`<a href="/snail-1.0-py3-none-any.whl">snail-1.0-py3-none-any.whl</a>`))
	}))
	defer s.Close()
	m := NewMirror(Index{URL: s.URL}, time.Time{}, nil)
	var told []string
	m.Given = func(name string, got, of int64) {
		told = append(told, fmt.Sprintf("%s %d %t", name, got/often, got <= size))
	}
	list := httptest.NewRecorder()
	m.ServeHTTP(list, httptest.NewRequest("GET", "/simple/snail/", nil))
	_, at, _ := strings.Cut(list.Body.String(), `href="`)
	at, _, _ = strings.Cut(at, `"`)
	file := httptest.NewRecorder()
	m.ServeHTTP(file, httptest.NewRequest("GET", at, nil))
	const name = "snail-1.0-py3-none-any.whl"
	want := []string{name + " 1 true", name + " 2 true", name + " 3 true"}
	if file.Body.Len() != size || !slices.Equal(told, want) {
		t.Errorf("%d bytes, told %q, want %q", file.Body.Len(), told, want)
	}
}
