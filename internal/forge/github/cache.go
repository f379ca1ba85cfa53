package github

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// An answer is one that was kept.
type answer struct {
	Tag  string `json:"tag"`
	Link string `json:"link,omitempty"` // where the next page is
	Type string `json:"type"`
	Body []byte `json:"body"`
}

func (t *transport) key(req *http.Request) string {
	return "github/1/" + t.account + "/" + req.URL.String()
}

// known is the answer kept for a request, which is made conditional on it.
// Whatever is wrong with it, GitHub is asked.
func (t *transport) known(req *http.Request) *answer {
	if t.cache == nil || req.Method != http.MethodGet {
		return nil
	}
	data, ok, err := t.cache.Get(req.Context(), t.key(req))
	var a answer
	if err != nil || !ok || json.Unmarshal(data, &a) != nil || a.Tag == "" {
		return nil
	}
	req.Header.Set("If-None-Match", a.Tag)
	return &a
}

func (a *answer) response(req *http.Request) *http.Response {
	h := http.Header{"Content-Type": {a.Type}, "Etag": {a.Tag}}
	if a.Link != "" {
		h.Set("Link", a.Link)
	}
	return &http.Response{Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: h, Body: io.NopCloser(bytes.NewReader(a.Body)), ContentLength: int64(len(a.Body)), Request: req}
}

// keep puts an answer that has a tag by.
func (t *transport) keep(req *http.Request, r *http.Response) (*http.Response, error) {
	tag := r.Header.Get("Etag")
	if t.cache == nil || tag == "" {
		return r, nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	_ = r.Body.Close() // it was read to its end
	r.Body = io.NopCloser(bytes.NewReader(body))
	if size := req.URL.Query().Get("per_page"); size != "" && full(body, size) &&
		!strings.Contains(r.Header.Get("Link"), `rel="next"`) {
		return r, nil // a full last page says nothing of a page that comes after it one day
	}
	data, err := json.Marshal(answer{Tag: tag, Link: r.Header.Get("Link"), Type: r.Header.Get("Content-Type"),
		Body: body})
	if err == nil {
		_ = t.cache.Put(req.Context(), t.key(req), data) // then it is asked for again
	}
	return r, nil
}

// full reports whether a page of a list may have as much as it can.
func full(body []byte, size string) bool {
	var list []json.RawMessage
	n, err := strconv.Atoi(size)
	return err != nil || json.Unmarshal(body, &list) != nil || len(list) >= n
}
