package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scrub-dev/scrub/internal/journal"
)

type said struct {
	Say string `json:"say"`
}

func short(s said) error {
	if len(s.Say) > 10 {
		return errors.New("it is too long")
	}
	return nil
}

// server answers every question with the next of the answers, and the last for ever.
func server(t *testing.T, status int, answers ...string) (Model, *atomic.Int64) {
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := int(asked.Add(1))
		if r.Header.Get("Authorization") != "Bearer k" || r.URL.Path != "/v1/chat/completions" {
			t.Errorf("%s %v", r.URL.Path, r.Header)
		}
		text, _ := json.Marshal(answers[min(n, len(answers))-1])
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":%s}}]}`, text)
	}))
	t.Cleanup(s.Close)
	m, err := Spec(s.URL + "/v1 small").Open(func(string) string { return "k" })
	if err != nil {
		t.Fatal(err)
	}
	return m, &asked
}

func TestAsk(t *testing.T) {
	for name, one := range map[string]struct {
		answers []string
		want    string
		asked   int64
		err     error
	}{
		"well":             {[]string{`{"say":"yes"}`}, "yes", 1, nil},
		"in a fence":       {[]string{"```json\n{\"say\":\"yes\"}\n```"}, "yes", 1, nil},
		"badly, then well": {[]string{`Sure! {"say":"yes"}`, `{"say":"yes"}`}, "yes", 2, nil},
		"never":            {[]string{"no JSON"}, "", 2, ErrUnusable},
		"more than asked":  {[]string{`{"say":"yes","also":1}`}, "", 2, ErrUnusable},
		"and then more":    {[]string{`{"say":"yes"} {"say":"no"}`}, "", 2, ErrUnusable},
		"unchecked":        {[]string{`{"say":"much too long for it"}`}, "", 2, ErrUnusable},
	} {
		m, asked := server(t, http.StatusOK, one.answers...)
		log := &journal.Mem{}
		got, err := Ask(t.Context(), m, log, Prompt{"test", "say"}, short)
		if one.err == nil && (err != nil || got.Say != one.want) || !errors.Is(err, one.err) || asked.Load() != one.asked {
			t.Errorf("%s: %+v, %v, asked %d times", name, got, err, asked.Load())
		}
		_, _ = Ask(t.Context(), m, log, Prompt{"test", "say"}, short)
		if one.err == nil && asked.Load() != one.asked {
			t.Errorf("%s: a good answer is on record", name)
		}
	}
}

// A server that fails is our failure and no answer; a check that has become stricter holds for what is on record.
func TestFails(t *testing.T) {
	m, asked := server(t, http.StatusTooManyRequests, `{"say":"yes"}`)
	if _, err := Ask(t.Context(), m, &journal.Mem{}, Prompt{"test", "x"}, short); err == nil || errors.Is(err,
		ErrUnusable) ||
		asked.Load() != 1 {
		t.Errorf("%v, asked %d times", err, asked.Load())
	}
	m, _ = server(t, http.StatusOK, `{"say":"yes"}`)
	log := &journal.Mem{}
	if _, err := Ask(t.Context(), m, log, Prompt{"test", "x"}, short); err != nil {
		t.Fatal(err)
	}
	if _, err := Ask(t.Context(), m, log, Prompt{"test", "x"}, func(said) error { return errors.New("no") }); err == nil {
		t.Error("it passed")
	}
}

// A slow server is given up with the context, an endless answer is cut, and a key is not carried elsewhere.
func TestHostileServer(t *testing.T) {
	stop := make(chan bool)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("it was asked with %v", r.Header)
	}))
	defer elsewhere.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow/chat/completions":
			<-stop
		case "/away/chat/completions":
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		default:
			for range 100 {
				fmt.Fprint(w, strings.Repeat(" ", 1<<16))
			}
		}
	}))
	defer s.Close()
	defer close(stop)
	for _, path := range []string{"/slow", "/away", "/long"} {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		if _, err := (Server{URL: s.URL + path, Key: "k"}).Complete(ctx, Prompt{}); err == nil {
			t.Errorf("%s: it was answered", path)
		}
		cancel()
	}
}

func TestAnthropic(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("x-api-key") != "k" || r.URL.Path != "/messages" {
			t.Errorf("%s %v", r.URL.Path, r.Header)
		}
		fmt.Fprint(w, `{"content":[{"type":"text","text":"hello"}]}`)
	}))
	defer s.Close()
	got, err := Server{URL: s.URL, Key: "k", anthropic: true}.Complete(t.Context(), Prompt{Text: "x"})
	if err != nil || got != "hello" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestCommand(t *testing.T) {
	if got, err := Command("tr a-z A-Z").Complete(t.Context(), Prompt{Text: "hello"}); err != nil || got != "HELLO" {
		t.Errorf("%q, %v", got, err)
	}
	for _, line := range []string{"exit 3", "yes | head -c 1000000"} {
		if _, err := Command(line).Complete(t.Context(), Prompt{}); err == nil {
			t.Errorf("%s: it was taken", line)
		}
	}
}

func TestSpec(t *testing.T) {
	for spec, ok := range map[Spec]bool{"command:claude -p": true, "anthropic:x": true, "openai:x": true,
		"http://localhost:1/v1 x": true, "http://127.0.0.1/v1 x": true, "https://h.example/v1 x": true,
		"": false, "x": false, "command:": false, "https://h.example/v1": false, "http://h.example/v1 x": false,
		"http://localhost.evil.example/v1 x": false, "https://u:p@h.example/v1 x": false} {
		if _, err := spec.Open(func(string) string { return "" }); (err == nil) != ok {
			t.Errorf("%s: %v", spec, err)
		}
	}
}
