package vet_test

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/profile"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"github.com/scrub-dev/scrub/internal/vet"
)

// The same ten deeds in many disguises: they are found by reading, and none
// of them reaches anything when it is run all the same.
func TestEvasions(t *testing.T) {
	all, err := txtar.ParseFile("testdata/evasions.txtar")
	if err != nil {
		t.Fatal(err)
	}
	prof, err := profile.Load(profile.Generic)
	if err != nil {
		t.Fatal(err)
	}
	// What lies in /tmp is a program's own; the decoy must be elsewhere.
	dir, err := os.MkdirTemp("/var/tmp", "decoy")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	decoy := filepath.Join(dir, "decoy.txt")
	if err := os.WriteFile(decoy, []byte("the secret"), 0o666); err != nil {
		t.Fatal(err)
	}
	box := newBox(t)
	var missed []string
	for _, f := range all.Files {
		text := disguised(string(f.Data), decoy)
		reading, err := box.read(t.Context(), text)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if !vet.Asks(vet.Review(text, reading, prof)) {
			missed = append(missed, f.Name)
		}
		o, err := sandbox.Native{}.Run(t.Context(), sandbox.Job{Repro: bug.Program(text), Runtime: box.python,
			Limits: sandbox.Limits{Time: 20 * time.Second}})
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if strings.Contains(o.Stdout+o.Stderr, "the secret") {
			t.Errorf("%s read the decoy", f.Name)
		}
		if data, err := os.ReadFile(decoy); err != nil || string(data) != "the secret" {
			t.Fatalf("%s touched the decoy: %q, %v", f.Name, data, err)
		}
	}
	t.Logf("%d of %d found by reading; missed: %v", len(all.Files)-len(missed), len(all.Files), missed)
	if len(all.Files) < 60 || len(missed)*20 > len(all.Files) {
		t.Errorf("%d rewrites, missed %v; want at least 60 and 95 in a hundred found", len(all.Files), missed)
	}
}

// disguised fills in what a rewrite leaves open: the decoy's path, and a
// program that removes it in several codes.
func disguised(text, decoy string) string {
	code := fmt.Sprintf("import os\nos.remove(%q)", decoy)
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write([]byte(code)) // to memory
	_ = w.Close()
	var codes []string
	for _, c := range decoy {
		codes = append(codes, fmt.Sprint(c))
	}
	return strings.NewReplacer(
		"ZLIB64", fmt.Sprintf("%q", base64.StdEncoding.EncodeToString(packed.Bytes())),
		"BASE64", fmt.Sprintf("%q", base64.StdEncoding.EncodeToString([]byte(code))),
		"ROT13", fmt.Sprintf("%q", strings.Map(rot13, code)),
		"HEX", fmt.Sprintf("%q", hex.EncodeToString([]byte(code))),
		"CODES", strings.Join(codes, ", "), "/nonexistent", "/srv/nobody-here",
		"DECOY", decoy,
	).Replace(text)
}

func rot13(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z':
		return 'a' + (r-'a'+13)%26
	case 'A' <= r && r <= 'Z':
		return 'A' + (r-'A'+13)%26
	}
	return r
}
