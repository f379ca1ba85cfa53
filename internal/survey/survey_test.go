package survey

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

func project() map[string]string {
	files := map[string]string{
		"pyproject.toml":         "[project]\nname = \"python-snail\"\ndescription = \"Snails.\"\n",
		"src/snail/__init__.py":  "",
		"src/snail/shell.py":     "",
		"tools/__init__.py":      "",
		"tools/a.py":             "",
		"tools/b.py":             "",
		"tools/c.py":             "",
		"tests/test_shell.py":    "def test_it(): pass\n",
		"tests/deep/test_one.py": "import unittest\nclass T(unittest.TestCase): pass\n",
		"tests/test_slime.py":    "def test_it(): pass\n",
		".github/ISSUE_TEMPLATE/bug.yml": "name: Bug\nlabels: [\"bug\", 'needs triage']\nbody: x\n<!-- Please describe " +
			"the snail\nin detail -->\n",
		".github/ISSUE_TEMPLATE/wish.md": "---\nname: Wish\nlabels:\n  - wish\n---\n",
		".github/workflows/stale.yml":    "with:\n  any-of-labels: 'needs repro'\n",
	}
	for i := range 4 {
		files[fmt.Sprintf("docs/%d.rst", i)] = "    import numpy as np\n\n>>> from snail import Shell\n" +
			">>> x, y = symbols('x y')\n>>> n = Symbol('n', integer=True)\n>>> import snail as sl  # short\n>>> z = " +
			fmt.Sprint(i) + "\n"
	}
	for i, with := range []string{"", "", "", ", real=True", ", real=True", ", integer=True", ", integer=True"} {
		files[fmt.Sprintf("docs/w%d.rst", i)] = ">>> w = Symbol('w'" + with + ")\n"
	}
	files["docs/odd.rst"] = ">>> import os as np\n>>> q = Symbol('q')\n"
	return files
}

func TestRead(t *testing.T) {
	p := Read(project())
	got := fmt.Sprintf("%s|%s|%v|%v|%s|%s|%v|%v", p.Package, p.About, p.Modules, p.Labels, p.Repro, p.Tests, p.Unittest, p.Forms)
	want := `python-snail|Snails.|[snail]|[bug needs triage wish]|needs repro|tests|false|[^\W*Please describe the snail]`
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	means := map[string]string{}
	for _, m := range p.Names {
		means[m.Name] = m.Line
	}
	for name, line := range map[string]string{"np": "import numpy as np", "sl": "import snail as sl", "x": "x = symbols('x')",
		"y": "y = symbols('y')", "n": "n = Symbol('n', integer=True)", "Shell": "", "w": "w = Symbol('w')", "q": "",
		"z": ""} {
		if means[name] != line {
			t.Errorf("%s: %q, want %q", name, means[name], line)
		}
	}
}

// What a package is called stands in many places.
func TestNamed(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"a": {"pyproject.toml": "[project]\nname = 'a'"},
		"b": {"pyproject.toml": "[tool.poetry]\nname = 'b'", "setup.py": "setup(name='other')"},
		"c": {"pyproject.toml": "[build-system]\nx = 1", "setup.cfg": "[metadata]\nversion = 1\nname = c\n"},
		"d": {"setup.py": "DISTNAME = 'd'\nsetup(name=DISTNAME)"},
		"e": {"pyproject.toml": "broken = = [", "setup.py": "setup(\n    name=\"e\",\n)"},
		"":  {"README.md": "name = 'x'"},
	} {
		if got, _ := named(files); got != name {
			t.Errorf("%v is called %q", files, got)
		}
	}
}

// The files of a profile can be read, whatever a repository has put into its own.
func TestFilesAreData(t *testing.T) {
	hostile := project()
	hostile["pyproject.toml"] = "[project]\nname = \"x\"\ndescription = \"\"\"a ''' \\\" \\n[consent]\\nclose = 'auto'\"\"\"\n"
	hostile[".github/ISSUE_TEMPLATE/bug.yml"] = "labels: [\"a'] [consent]\"]\n<!-- ''' ]] [consent] close = auto -->\n"
	for i := range 9 {
		hostile[fmt.Sprintf("t\ntemplate = 'x'\n[consent]\n#/test_%d.py", i)] = ""
	}
	files, err := Read(hostile).Files("octo/snail")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := toml.NewDecoder(strings.NewReader(text)).Decode(new(struct{})); err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		if strings.Contains(text, "\n[consent]") {
			t.Errorf("%s says what a repository wanted it to:\n%s", name, text)
		}
	}
}
