package survey

import (
	"path"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

type (
	labelsFile struct {
		Triaged string `toml:"triaged,omitempty"`
		Repro   string `toml:"repro,omitempty"`
	}
	profileFile struct {
		Name    string     `toml:"name"`
		Extends string     `toml:"extends"`
		About   string     `toml:"about"`
		Title   string     `toml:"title"`
		Repos   []string   `toml:"repos,omitempty"`
		Package string     `toml:"package"`
		Has     []string   `toml:"has,omitempty"`
		Form    []string   `toml:"form,omitempty"`
		Modules moduleFile `toml:"modules,omitempty"`
		Labels  labelsFile `toml:"labels,omitempty"`
	}
	moduleFile map[string]string
	nameFile   struct {
		Match string `toml:"match"`
		Add   string `toml:"add"`
	}
	mendsFile struct {
		Names []nameFile `toml:"name"`
	}
	placeFile struct {
		File string `toml:"file"`
	}
	regressFile struct {
		Template string      `toml:"template,multiline,omitempty"`
		Places   []placeFile `toml:"place"`
	}
)

const unittestTemplate = `
import unittest
{imports}


class Test(unittest.TestCase):
    def test_{name}(self):
        # {issue}
        {body}
`

// Files are the files of a profile for the project, whose issues live at repo.
func (p Project) Files(repo string) (map[string]string, error) {
	name := strings.ToLower(strings.ReplaceAll(p.Package, "_", "-"))
	out := profileFile{Name: name, Extends: "python", About: p.About, Title: p.Package, Package: p.Package,
		Has: append(append([]string{}, p.Modules...), p.With...), Form: p.Forms, Modules: moduleFile{},
		Labels: labelsFile{p.Triaged, p.Repro}}
	if out.About == "" {
		out.About = "The project " + p.Package + "."
	}
	if repo != "" {
		out.Repos = []string{repo}
	}
	for _, m := range p.Modules {
		if m != p.Package {
			out.Modules[m] = p.Package
		}
	}
	files := map[string]string{}
	write := func(name, head string, v any) error {
		text, err := toml.Marshal(v)
		files[name] = head + string(text)
		return err
	}
	made := "# Made by scrub init from the project's own files: read it, and change what is wrong.\n\n"
	if err := write("profile.toml", made, out); err != nil {
		return nil, err
	}
	var mends mendsFile
	for _, m := range p.Names {
		mends.Names = append(mends.Names, nameFile{"^" + regexp.QuoteMeta(m.Name) + "$", m.Line})
	}
	if len(mends.Names) > 0 {
		said := "# What names mean in the project's own examples, where a program leaves that out.\n\n"
		if err := write("mends.toml", said, mends); err != nil {
			return nil, err
		}
	}
	if p.Tests == "" {
		return files, nil
	}
	test := regressFile{Places: []placeFile{{path.Join(p.Tests, "test_{name}.py")}}}
	if p.Unittest {
		test.Template = unittestTemplate
	}
	return files, write("regress.toml", "# Where most tests are.\n\n", test)
}
