package vet_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"scrub/internal/bug"
	"scrub/internal/profile"
	"scrub/internal/runtimes"
	"scrub/internal/sandbox"
	"scrub/internal/syntax"
	"scrub/internal/vet"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

func TestFindings(t *testing.T) {
	found, err := runtimes.Places{}.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	prof, err := profile.Load("pytorch")
	if err != nil {
		t.Fatal(err)
	}
	boxed := func(ctx context.Context, r bug.Repro) (bug.Outcome, error) {
		return sandbox.Native{}.Run(ctx, sandbox.Job{Repro: r, Runtime: found[0]})
	}
	for _, tt := range []struct{ code, want string }{
		{"import os\nprint(os.path.join('a', 'b'))", "[]"},
		{"import os\nos.system('ls')", "[2 shell os.system]"},
		{"from os import system as s\ns('ls')", "[1 shell os.system]"},
		{"import os as o\nf = o.system\nf('ls')", "[2 shell os.system]"},
		{"import os\ngetattr(os, 'sys' + 'tem')('ls')", "[2 shell os.system]"},
		{"import subprocess\nsubprocess.run(['ls'])", "[2 shell subprocess.run]"},
		{"import requests\nrequests.Session().get('x')", "[2 network requests.Session.get]"},
		{"import urllib.parse\nurllib.parse.quote('x')", "[]"},
		{"import re\nre.compile('x')\nmodel.eval()", "[]"},
		{"eval('1')", "[1 dynamic code eval]"},
		{"open('out.txt', 'w')", "[]"},
		{"open('/etc/passwd')", "[1 files open]"},
		{"open('/tmp/x', 'w')", "[]"},
		{"import torch\ntorch.load('x.pt')", "[2 unpickling torch.load]"},
		{"import torch\nf = torch.compile(g)", "[]"},
		{"import torch\ntorch.utils.cpp_extension.load_inline('x')", "[2 native code torch.utils.cpp_extension.load_inline]"},
		{"import base64\nexec(base64.b64decode('x'))", "[2 dynamic code exec 2 obfuscation base64.b64decode]"},
		{"x = 1  # \u202e oops", "[1 obfuscation U+202E]"},
		{"x = 'a\u200bb'", "[1 obfuscation U+200B]"},
		{"x = 'é ∑ 👍'", "[]"},
		{"os = 1\nos.system", "[]"},
		{"import os\nos = Fake()\nos.system('ls')", "[]"},
	} {
		reading, err := syntax.Read(t.Context(), tt.code, boxed)
		if err != nil {
			t.Errorf("%q: %v", tt.code, err)
			continue
		}
		var got []string
		for _, f := range vet.Review(tt.code, reading, prof.Vet) {
			got = append(got, fmt.Sprintf("%d %s %s", f.Line, f.Class, f.Name))
		}
		if s := fmt.Sprint(got); s != tt.want {
			t.Errorf("%q: %s, want %s", tt.code, s, tt.want)
		}
	}
	broken, err := syntax.Read(t.Context(), "x = (1\n", boxed)
	if err != nil || broken.Broken == nil || broken.Broken.Line != 1 {
		t.Errorf("a broken program: %+v, %v", broken, err)
	}
	missing, err := syntax.Read(t.Context(), "import os, no_such_snail.x\nfrom . import y\n", boxed)
	if err != nil || fmt.Sprint(missing.Imports, missing.Missing) != "[no_such_snail os] [no_such_snail]" {
		t.Errorf("imports: %+v, %v", missing, err)
	}
}
