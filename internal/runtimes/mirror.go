package runtimes

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net"
	"net/http"
	"path"
	"slices"
	"time"
)

// A mirror is an index as it was on a day. pip knows no other way to leave
// out what came later, and an old release breaks with the packages of today.
type mirror struct {
	of     Index
	before time.Time
	except []string // packages of today are wanted: they build old ones
}

// open serves the mirror to this machine until it is closed.
func (m mirror) open() (Index, func() error, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return Index{}, nil, fmt.Errorf("mirror of the package index: %w", err)
	}
	s := &http.Server{Handler: m, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	return Index{"http://" + l.Addr().String() + "/simple"}, func() error {
		err := s.Close()
		if err2 := <-served; !errors.Is(err2, http.ErrServerClosed) {
			err = errors.Join(err, err2)
		}
		return err
	}, nil
}

// ServeHTTP answers with the list of a package's files, as any pip reads it.
func (m mirror) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := path.Base(r.URL.Path)
	files, err := m.files(r.Context(), name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	for _, f := range files {
		fmt.Fprintf(w, "<a href=\"%s\"", html.EscapeString(f.link()))
		if f.Requires != "" {
			fmt.Fprintf(w, " data-requires-python=\"%s\"", html.EscapeString(f.Requires))
		}
		if f.yanked() {
			fmt.Fprint(w, " data-yanked=\"\"")
		}
		fmt.Fprintf(w, ">%s</a>\n", html.EscapeString(f.Name))
	}
}

func (m mirror) files(ctx context.Context, name string) ([]file, error) {
	all, err := m.of.files(ctx, name)
	if slices.Contains(m.except, normalized(name)) {
		return all, err
	}
	return slices.DeleteFunc(all, func(f file) bool { return f.Date.After(m.before) }), err
}
