package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"time"
)

// A Spec says which model, in one of these forms:
//
//	anthropic:MODEL           Anthropic's API
//	openai:MODEL              OpenAI's
//	https://HOST/v1 MODEL     any server that speaks as OpenAI's does; http on this machine
//	command:LINE              a command of this machine: the prompt goes in, the answer comes out
type Spec string

// Where the services are.
const (
	anthropicURL = "https://api.anthropic.com/v1"
	openaiURL    = "https://api.openai.com/v1"
)

// patience is how long a model may take for an answer.
const patience = 2 * time.Minute

// Open makes a model of s. Of keys, the one for the service is used, if it wants one.
func (s Spec) Open(key func(service string) string) (Model, error) {
	kind, rest, ok := strings.Cut(string(s), ":")
	rest = strings.TrimSpace(rest)
	switch {
	case !ok || rest == "":
	case kind == "command":
		return Command(rest), nil
	case kind == "anthropic":
		return Server{URL: anthropicURL, Model: rest, Key: key("anthropic"), anthropic: true}, nil
	case kind == "openai":
		return Server{URL: openaiURL, Model: rest, Key: key("openai")}, nil
	case kind == "https" || kind == "http":
		where, model, _ := strings.Cut(string(s), " ")
		at, err := url.Parse(where)
		if err != nil || at.Host == "" || at.User != nil || strings.TrimSpace(model) == "" {
			break
		}
		if ip := net.ParseIP(at.Hostname()); kind == "http" && at.Hostname() != "localhost" && (ip == nil ||
			!ip.IsLoopback()) {
			return nil, fmt.Errorf("%s: a server that is not on this machine is asked over https only", where)
		}
		return Server{URL: strings.TrimRight(where, "/"), Model: strings.TrimSpace(model), Key: key("server")}, nil
	}
	return nil, fmt.Errorf("%q is no model: want anthropic:MODEL, openai:MODEL, 'https://HOST/v1 MODEL' or command:LINE", string(s))
}

// A Command is a model behind a command of this machine.
type Command string

// Name implements Model.
func (c Command) Name() string { return "command:" + string(c) }

// Complete implements Model.
func (c Command) Complete(ctx context.Context, p Prompt) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", string(c))
	cmd.Stdin, cmd.WaitDelay = strings.NewReader(p.Text), time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	said, err := io.ReadAll(io.LimitReader(out, mostSaid))
	_ = out.Close() // a command that says more ends there
	return string(said), errors.Join(err, cmd.Wait())
}

// A Server is a model behind an address.
type Server struct {
	URL, Model, Key string
	anthropic       bool
}

// Name implements Model.
func (s Server) Name() string { return s.Model }

// message is a part of a conversation.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// call is what both kinds of server are asked.
type call struct {
	Model     string    `json:"model"`
	Messages  []message `json:"messages"`
	MaxTokens int       `json:"max_tokens"`
}

// reply is what they answer: choices in one, content in the other.
type reply struct {
	Choices []struct{ Message message }
	Content []struct{ Text string }
	Error   *struct{ Message string }
}

// Complete implements Model.
func (s Server) Complete(ctx context.Context, p Prompt) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	body, err := json.Marshal(call{s.Model, []message{{"user", p.Text}}, 1024})
	if err != nil {
		return "", err
	}
	path := "/chat/completions"
	if s.anthropic {
		path = "/messages"
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+path, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	switch {
	case s.anthropic:
		r.Header.Set("x-api-key", s.Key)
		r.Header.Set("anthropic-version", "2023-06-01")
	case s.Key != "":
		r.Header.Set("Authorization", "Bearer "+s.Key)
	}
	// A key goes where it was meant to go and nowhere else.
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(r)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, mostSaid))
	if err != nil {
		return "", err
	}
	return s.read(res.StatusCode, data)
}

// read is what a server said.
func (s Server) read(status int, data []byte) (string, error) {
	var said reply
	err := json.Unmarshal(data, &said)
	switch {
	case status != http.StatusOK:
		return "", fmt.Errorf("the server answers with status %d", status)
	case err != nil:
		return "", fmt.Errorf("the server's answer cannot be read: %w", err)
	case len(said.Choices) > 0:
		return said.Choices[0].Message.Content, nil
	case len(said.Content) > 0:
		return said.Content[0].Text, nil
	}
	return "", errors.New("the server answers nothing")
}
