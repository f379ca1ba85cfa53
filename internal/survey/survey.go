// Package survey finds out what a repository says of its project: what a profile
// needs to know, read from the files of a clone and from nothing else.
package survey

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// A Project is what a repository says of itself.
type Project struct {
	Package  string    `json:"package"`           // what it is installed by
	Modules  []string  `json:"modules,omitempty"` // what it is imported by
	About    string    `json:"about,omitempty"`
	With     []string  `json:"with,omitempty"`    // modules that its own examples use
	Labels   []string  `json:"labels,omitempty"`  // that its forms put on reports
	Repro    string    `json:"repro,omitempty"`   // the label of a report without a program
	Triaged  string    `json:"triaged,omitempty"` // the label of one that was looked at
	Forms    []string  `json:"forms,omitempty"`   // what the forms say in remarks that nobody wrote
	Names    []Meaning `json:"names,omitempty"`   // what people mean by a name, as in its examples
	Tests    string    `json:"tests,omitempty"`   // the folder of its tests
	Unittest bool      `json:"unittest,omitempty"`
}

// A Meaning is what a name means in the examples of a project, and in how many of
// its files.
type Meaning struct {
	Name  string `json:"name"`
	Line  string `json:"line"`
	Files int    `json:"files"`
}

// Wants reports whether a file has something to say.
func Wants(name string) bool {
	switch ext := path.Ext(name); {
	case slices.Contains(manifests, name), strings.HasPrefix(name, ".github/"):
		return true
	case strings.Contains(name, "third_party/"), strings.Contains(name, "vendor/"), strings.Contains(name, "_vendor/"):
		return false
	default:
		return ext == ".py" || ext == ".rst" || ext == ".md" || ext == ".ipynb"
	}
}

var manifests = []string{"pyproject.toml", "setup.cfg", "setup.py"}

// Read says what there is to know from files, by their paths.
func Read(files map[string]string) Project {
	p := Project{}
	p.Package, p.About = named(files)
	p.Modules = modules(files, p.Package)
	p.forms(files)
	p.tests(files)
	p.Names, p.With = meanings(files, p.Modules)
	return p
}

type manifest struct {
	Project struct {
		Name        string `toml:"name"`
		Description string `toml:"description"`
	} `toml:"project"`
	Tool struct {
		Poetry struct {
			Name        string `toml:"name"`
			Description string `toml:"description"`
		} `toml:"poetry"`
	} `toml:"tool"`
}

var (
	cfgName   = regexp.MustCompile(`(?ms)^\[metadata\].*?^name *= *([\w.-]+)`)
	cfgAbout  = regexp.MustCompile(`(?ms)^\[metadata\].*?^(?:description|summary) *= *([^\n]+)`)
	setupName = regexp.MustCompile(`(?m)\b(?:name|NAME|DISTNAME|PACKAGE_NAME|PACKAGENAME)\s*=\s*["']([\w.-]+)["']`)
)

// named is the name of the package and what it is said to be.
func named(files map[string]string) (name, about string) {
	var m manifest
	_ = toml.Unmarshal([]byte(files["pyproject.toml"]), &m) // one that cannot be read says nothing
	first := func(form *regexp.Regexp, text string) string {
		if found := form.FindStringSubmatch(text); found != nil {
			return strings.TrimSpace(found[1])
		}
		return ""
	}
	name = cmp.Or(m.Project.Name, m.Tool.Poetry.Name, first(cfgName, files["setup.cfg"]),
		first(setupName, files["setup.py"]))
	return name, cmp.Or(m.Project.Description, m.Tool.Poetry.Description, first(cfgAbout, files["setup.cfg"]))
}

// modules are what the project is imported by: the folder of packages with most
// files in it, and those that are called as the package is.
func modules(files map[string]string, name string) (all []string) {
	count := map[string]int{}
	for file := range files {
		parts := strings.Split(file, "/")
		if len(parts) > 1 && (parts[0] == "src" || parts[0] == "lib") {
			parts = parts[1:]
		}
		if path.Ext(file) != ".py" {
			continue
		}
		if len(parts) == 1 && len(strings.Split(file, "/")) == 2 {
			count[strings.TrimSuffix(parts[0], ".py")]++ // a module of its own below src
		}
		if len(parts) > 1 && has(files, parts[0]) {
			count[parts[0]]++
		}
	}
	most := ""
	for _, m := range slices.Sorted(maps.Keys(count)) {
		if alike(m, name) {
			all = append(all, m)
		}
		if most == "" || count[m] > count[most] {
			most = m
		}
	}
	if len(all) == 0 && most != "" {
		all = []string{most}
	}
	return all
}

func has(files map[string]string, folder string) bool {
	for _, at := range []string{"", "src/", "lib/"} {
		if _, ok := files[at+folder+"/__init__.py"]; ok {
			return true
		}
	}
	return false
}

var dashes = regexp.MustCompile(`[-_.]+`)

func alike(module, name string) bool {
	fold := func(s string) string { return strings.ToLower(dashes.ReplaceAllString(s, "")) }
	a, b := fold(module), fold(name)
	return a == b || "python"+a == b || a+"python" == b || "py"+a == b
}

var (
	formLabels = regexp.MustCompile(`(?m)^labels: *(.*(?:\n *- .*)*)`)
	labelWord  = regexp.MustCompile(`["']([^"'\n]+)["']|(?:^|[,\n\[]) *(?:- +)?([\w:/.&][\w:/ .&-]*\w)`)
	anyLabel   = regexp.MustCompile(`["']([A-Za-z][\w:/ .-]{2,40})["']`)
	remark     = regexp.MustCompile(`(?s)<!--\s*(.*?)\s*-->`)
	asksRepro  = regexp.MustCompile(`(?i)^(status: *)?(needs?|awaiting|missing)[ :/_-]*(a )?(mcve|repro\w*|minimal|example|code)`)
	isTriaged  = regexp.MustCompile(`(?i)^(status: *)?triaged$`)
)

// forms reads the forms for reports, and what else is said of labels.
func (p *Project) forms(files map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasPrefix(name, ".github/") {
			continue
		}
		text := files[name]
		for _, m := range anyLabel.FindAllStringSubmatch(text, -1) {
			switch {
			case asksRepro.MatchString(m[1]):
				p.Repro = cmp.Or(p.Repro, m[1])
			case isTriaged.MatchString(m[1]):
				p.Triaged = cmp.Or(p.Triaged, m[1])
			}
		}
		if !strings.Contains(strings.ToLower(name), "issue_template") {
			continue
		}
		for _, m := range formLabels.FindAllStringSubmatch(text, -1) {
			for _, word := range labelWord.FindAllStringSubmatch(strings.Trim(m[1], "[] \n"), -1) {
				p.Labels = append(p.Labels, strings.TrimSpace(cmp.Or(word[1], word[2])))
			}
		}
		for _, m := range remark.FindAllStringSubmatch(text, -1) {
			line, _, _ := strings.Cut(strings.ToValidUTF8(m[1], ""), "\n")
			if runes := []rune(line); len(runes) > 15 {
				p.Forms = append(p.Forms, `^\W*`+regexp.QuoteMeta(string(runes[:min(len(runes), 40)])))
			}
		}
	}
	slices.Sort(p.Labels)
	p.Labels = slices.DeleteFunc(slices.Compact(p.Labels), func(l string) bool { return l == "" })
	slices.Sort(p.Forms)
	p.Forms = slices.Compact(p.Forms)
}

// tests finds where tests are, and how they are written.
func (p *Project) tests(files map[string]string) {
	count := map[string]int{}
	plain, unit := 0, 0
	for name, text := range files {
		if !strings.HasPrefix(path.Base(name), "test_") || path.Ext(name) != ".py" {
			continue
		}
		count[path.Dir(name)]++
		if strings.Contains(text, "unittest.TestCase") || strings.Contains(text, "(TestCase)") {
			unit++
		} else {
			plain++
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(count)) {
		if p.Tests == "" || count[dir] > count[p.Tests] {
			p.Tests = dir
		}
	}
	p.Unittest = unit > plain
}
