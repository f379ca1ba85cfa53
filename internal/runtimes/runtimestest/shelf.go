// Package runtimestest is a package index for tests: real wheels of pretend
// packages, for a real pip.
package runtimestest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A Shelf is an index with versions of the package snail, whose module says
// its own speed and the number of its build, of slug, which has a longer history, of leaf, of which a
// second one came years later, and of setuptools, which every old environment
// has.
type Shelf struct {
	*httptest.Server
	Asked atomic.Int64 // how often somebody asked for the versions of snail
	Ill   int          // the status with which files are answered; 0 to give them
	Stuck func()       // called when a file is asked for, which then never comes; nil to give it

	mu       sync.Mutex
	odd      []string
	versions []string // of snail

	Plant   map[string]string            // more files for every wheel of snail
	Only    map[string]map[string]string // and for the wheel of one version
	Needs   string                       // what the last version of snail says that it needs; the others say nothing
	Backend string                       // what builds the source of snail
}

// Odd are the names of packages that somebody asked for and that are not here.
func (s *Shelf) Odd() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.odd)
}

// Release has another version of snail come out.
func (s *Shelf) Release(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.versions = append(s.versions, version)
}

// Index is the address to name as the index.
func (s *Shelf) Index() string { return s.URL + "/simple" }

// NewShelf serves the given versions of snail as wheels, and a few others
// that are a source, yanked, or not released yet. It must be closed.
func NewShelf(versions ...string) *Shelf {
	s := &Shelf{versions: versions}
	mux := http.NewServeMux()
	mux.HandleFunc("/simple/snail/", func(w http.ResponseWriter, _ *http.Request) {
		s.Asked.Add(1)
		w.Header().Set("Content-Type", "text/html")
		s.mu.Lock()
		versions := slices.Clone(s.versions)
		s.mu.Unlock()
		for i, v := range versions {
			more := ""
			if s.Needs != "" && i == len(versions)-1 {
				more = " data-core-metadata=\"true\""
			}
			fmt.Fprintf(w, "<a href=\"/files/snail-%s-py3-none-any.whl\"%s "+
				"data-upload-time=\"2021-02-03T04:05:06Z\">snail-%s-py3-none-any.whl</a>\n", v, more, v)
		}
		fmt.Fprint(w, "<a href=\"/files/snail-0.1.tar.gz\">snail-0.1.tar.gz</a>\n<a href=\"/files/snail-9.tar.gz\" "+
			"data-yanked=\"\">snail-9.tar.gz</a>\n<a>snail-10rc1-py3-none-any.whl</a>\n")
	})
	mux.HandleFunc("/simple/slug/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		for _, v := range []string{"1.0", "1.1", "1.2", "1.3", "1.4", "1.5"} {
			tag := "py3-none-any"
			if v == "1.2" {
				tag = "cp27-cp27m-win32" // which is not for anybody here
			}
			fmt.Fprintf(w, "<a href=\"/files/slug-%[1]s-%[2]s.whl\" "+
				"data-upload-time=\"2021-02-03T04:05:06Z\">slug-%[1]s-%[2]s.whl</a>\n", v, tag)
		}
	})
	mux.HandleFunc("/simple/leaf/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		for _, v := range []struct{ version, day string }{{"1.0", "2020-12-01"}, {"2.0", "2024-12-01"}} {
			fmt.Fprintf(w, "<a href=\"/files/leaf-%[1]s-py3-none-any.whl\" data-requires-python=\"&gt;=3\" "+
				"data-upload-time=\"%[2]sT04:05:06Z\">leaf-%[1]s-py3-none-any.whl</a>\n", v.version, v.day)
		}
	})
	mux.HandleFunc("/simple/setuptools/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<a href=\"/files/setuptools-69.0-py3-none-any.whl\">setuptools-69.0-py3-none-any.whl</a>\n")
	})
	mux.HandleFunc("/simple/", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.odd = append(s.odd, path.Base(r.URL.Path))
		http.NotFound(w, r)
	})
	mux.HandleFunc("/files/", s.files)
	s.Server = httptest.NewServer(mux)
	return s
}

// files hands out wheels and sources.
func (s *Shelf) files(w http.ResponseWriter, r *http.Request) {
	if s.Stuck != nil {
		s.Stuck()
		<-r.Context().Done()
		return
	}
	if s.Ill != 0 {
		http.Error(w, "not today", s.Ill)
		return
	}
	name, version, _ := strings.Cut(path.Base(r.URL.Path), "-")
	if version, ok := strings.CutSuffix(version, ".tar.gz"); ok {
		_, _ = w.Write(s.source(name, version)) // to a client that may be gone
		return
	}
	version, tag, _ := strings.Cut(version, "-")
	if strings.HasSuffix(tag, ".metadata") {
		fmt.Fprintf(w, "Metadata-Version: 2.1\nName: %s\nVersion: %s\nRequires-Dist: %s\n", name, version, s.Needs)
		return
	}
	var more map[string]string
	if name == "snail" {
		more = maps.Clone(s.Plant)
		if more == nil {
			more = map[string]string{}
		}
		maps.Copy(more, s.Only[version])
	}
	_, _ = w.Write(wheel(name, version, more))
}

// source is a package that has to be built, by a backend of its own.
func (s *Shelf) source(name, version string) []byte {
	top := name + "-" + version + "/"
	files := map[string]string{
		top + "PKG-INFO":       "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n",
		top + "pyproject.toml": "[build-system]\nrequires = []\nbuild-backend = \"backend\"\nbackend-path = [\".\"]\n",
		top + "backend.py":     s.Backend,
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	t := tar.NewWriter(z)
	for file, text := range files {
		err := t.WriteHeader(&tar.Header{Name: file, Mode: 0o644, Size: int64(len(text))})
		if err == nil {
			_, err = t.Write([]byte(text))
		}
		if err != nil {
			panic(err) // to memory
		}
	}
	_, _ = t.Close(), z.Close() // to memory
	return b.Bytes()
}

// wheel is a package of one module in a version, with more files.
func wheel(name, version string, more map[string]string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	info := name + "-" + version + ".dist-info/"
	speed, build, nightly := strings.Cut(version, ".dev")
	if !nightly {
		build = "0"
	}
	files := map[string]string{
		name + ".py":       "speed = " + speed + "\nbuild = " + build + "\n",
		info + "METADATA":  "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n",
		info + "WHEEL":     "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
		info + "INSTALLER": "test\n",
	}
	maps.Copy(files, more)
	var record strings.Builder
	for file := range files {
		fmt.Fprintf(&record, "%s,,\n", file)
	}
	files[info+"RECORD"] = record.String() + info + "RECORD,,\n"
	for file, text := range files {
		w, err := z.Create(file)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			panic(err) // to memory
		}
	}
	_ = z.Close()
	return b.Bytes()
}
