package profile

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

//go:embed all:data
var embedded embed.FS

// Generic is the profile for a project that has none of its own.
const Generic = "python"

// Names lists the profiles that scrub brings along.
func Names() []string {
	dirs, err := embedded.ReadDir("data")
	if err != nil {
		panic(err) // it was embedded
	}
	names := make([]string, len(dirs))
	for i, d := range dirs {
		names[i] = d.Name()
	}
	return names
}

// Load reads the profile called name: one that scrub brings along, or the
// folder of that name.
func Load(name string) (Profile, error) {
	own := slices.Contains(Names(), name)
	if p, ok := shipped.Load(name); own && ok {
		return p.(Profile), nil
	}
	p, err := load(name, nil)
	if err != nil {
		return p, err
	}
	if p.Says, err = p.Sayings.compiled(); err != nil {
		return p, fmt.Errorf("%s/%w", name, err)
	}
	if own {
		shipped.Store(name, p)
	}
	return p, nil
}

// shipped are the profiles that come with the binary, by name, once they have
// been read. They never change, and nobody changes them.
var shipped sync.Map

// ForRepo reads the profile of the project whose issues live in repo, or
// the generic one.
func ForRepo(repo string) (Profile, error) {
	return first(func(p Profile) bool { return repo != "" && slices.Contains(p.Repos, repo) })
}

// ForText reads the profile of the project whose package a program or a log
// names, or the generic one.
func ForText(text string) (Profile, error) {
	return first(func(p Profile) bool {
		return p.Package != "" && regexp.MustCompile(`\b`+regexp.QuoteMeta(p.Package)+`\b`).MatchString(text)
	})
}

// first is the first profile that fits, or the generic one.
func first(fits func(Profile) bool) (Profile, error) {
	for _, name := range Names() {
		p, err := Load(name)
		if err != nil || fits(p) {
			return p, err
		}
	}
	return Load(Generic)
}

func load(name string, below []string) (Profile, error) {
	if slices.Contains(below, name) {
		return Profile{}, fmt.Errorf("profile %s extends itself: %s", name, strings.Join(append(below, name), " > "))
	}
	files, where := fs.FS(embedded), path.Join("data", name)
	if !slices.Contains(Names(), name) {
		if st, err := os.Stat(name); err != nil || !st.IsDir() {
			return Profile{}, fmt.Errorf("profile %s: neither a folder nor one of %s", name,
				strings.Join(Names(), ", "))
		}
		files, where = os.DirFS(name), "."
	}
	p, err := read(files, where, name)
	if err != nil || p.Extends == "" {
		return p, err
	}
	parent, err := load(p.Extends, append(below, name))
	return p.onTopOf(parent), err
}

// read reads one folder and nothing that it extends.
func read(files fs.FS, dir, name string) (Profile, error) {
	f := folder{scripts: map[string]string{}}
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return Profile{}, fmt.Errorf("profile %s: %w", name, err)
	}
	for _, e := range entries {
		if ext := path.Ext(e.Name()); ext != ".toml" && ext != ".py" {
			continue
		}
		text, err := fs.ReadFile(files, path.Join(dir, e.Name()))
		if err != nil {
			return Profile{}, err
		}
		if err := f.add(path.Join(name, e.Name()), text); err != nil {
			return Profile{}, err
		}
	}
	if err := f.check(name); err != nil {
		return Profile{}, err
	}
	f.knobs.Shim = f.scripts["knobs.py"]
	for i, l := range f.logs.Logs {
		f.logs.Logs[i].Shim = f.scripts[l.With]
		if l.With != "" && f.scripts[l.With] == "" {
			return Profile{}, fmt.Errorf("%s: there is no %s", path.Join(name, "logs.toml"), l.With)
		}
	}
	if l := f.mends.Launch; l != nil {
		if l.Script = f.scripts[l.With]; l.Script == "" || l.Error.Regexp == nil || l.Name == "" {
			return Profile{}, fmt.Errorf("%s: launch needs name, error and with", path.Join(name, "mends.toml"))
		}
	}
	if err := find(f.warm.Ready, f.scripts); err != nil {
		return Profile{}, fmt.Errorf("%s: %w", path.Join(name, "warm.toml"), err)
	}
	if err := find(f.reduce.Instead, f.scripts); err != nil {
		return Profile{}, fmt.Errorf("%s: %w", path.Join(name, "reduce.toml"), err)
	}
	if f.project.Name == "" {
		return Profile{}, fmt.Errorf("%s: it must say its name", path.Join(name, "profile.toml"))
	}
	return Profile{Project: f.project, Shows: f.named("show_"), Views: f.named("view_"), Tells: f.named("tells_"), Triage: f.triage.Rule,
		Sayings:  f.sayings,
		Symptoms: f.symptoms.Phrase,
		Tails:    f.symptoms.Tails, Aspects: f.aspects.Aspect, Names: f.mends.Name, Rewrites: f.mends.Rewrite,
		Launch: f.mends.Launch,
		Seeds:  f.mends.Seed, Vet: f.vet.Danger, Exempt: f.vet.Exempt, Innocent: f.vet.Plain, Outside: f.vet.Outside,
		Usual: f.vet.Usual, Classes: f.classes, Knobs: f.knobs,
		Test: f.test, Logs: f.logs.Logs, Simpler: f.reduce.Simpler, Instead: f.reduce.Instead, Warm: f.warm,
		Alive: f.reduce.Alive, OnGPU: f.reduce.OnGPU}, nil
}

// named are the scripts whose names begin with a prefix, by what follows it.
func (f folder) named(prefix string) map[string]string {
	all := map[string]string{}
	for file, text := range f.scripts {
		if name, ok := strings.CutPrefix(strings.TrimSuffix(file, ".py"), prefix); ok {
			all[name] = text
		}
	}
	return all
}

// A folder is what the files of a profile hold.
type folder struct {
	project Project
	triage  struct {
		Rule []Triage `toml:"rule"`
	}
	sayings  Sayings
	symptoms struct {
		Tails  []Pattern `toml:"tails"`
		Phrase []Phrase  `toml:"phrase"`
	}
	aspects struct {
		Aspect []Aspect `toml:"aspect"`
	}
	mends struct {
		Name    []Name    `toml:"name"`
		Rewrite []Rewrite `toml:"rewrite"`
		Seed    []Seed    `toml:"seed"`
		Launch  *Launch   `toml:"launch"`
	}
	vet struct {
		Danger  []Danger `toml:"danger"`
		Exempt  []Exempt `toml:"exempt"`
		Plain   []string `toml:"plain"`
		Outside []string `toml:"outside"`
		Usual   []Usual  `toml:"usual"`
	}
	classes Classes
	knobs   Knobs
	test    Test
	logs    struct {
		Logs []Logs `toml:"logs"`
	}
	reduce struct {
		Simpler []Simpler         `toml:"simpler"`
		Instead []Script          `toml:"instead"`
		Alive   string            `toml:"alive"`
		OnGPU   map[string]string `toml:"on_gpu"`
	}
	warm    Warm
	scripts map[string]string
}

func (f *folder) add(file string, text []byte) error {
	switch path.Base(file) {
	case "profile.toml":
		return decode(file, text, &f.project)
	case "triage.toml":
		return decode(file, text, &f.triage)
	case "phrases.toml":
		return decode(file, text, &f.sayings)
	case "symptoms.toml":
		return decode(file, text, &f.symptoms)
	case "aspects.toml":
		return decode(file, text, &f.aspects)
	case "mends.toml":
		return decode(file, text, &f.mends)
	case "vet.toml":
		return decode(file, text, &f.vet)
	case "classes.toml":
		return decode(file, text, &f.classes)
	case "logs.toml":
		return decode(file, text, &f.logs)
	case "regress.toml":
		return decode(file, text, &f.test)
	case "reduce.toml":
		return decode(file, text, &f.reduce)
	case "warm.toml":
		return decode(file, text, &f.warm)
	case "knobs.toml":
		return decode(file, text, &f.knobs)
	}
	if path.Ext(file) == ".py" {
		f.scripts[path.Base(file)] = string(text)
		return nil
	}
	return fmt.Errorf("%s: no profile has such a file", file)
}

// decode reads text strictly. Its errors name the file and the line.
func decode(file string, text []byte, into any) error {
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(into)
	var missing *toml.StrictMissingError
	var bad *toml.DecodeError
	switch {
	case errors.As(err, &missing):
		row, _ := missing.Errors[0].Position()
		return fmt.Errorf("%s:%d: no such key: %s", file, row, strings.Join(missing.Errors[0].Key(), "."))
	case errors.As(err, &bad):
		row, _ := bad.Position()
		return fmt.Errorf("%s:%d: %s", file, row, strings.TrimPrefix(bad.Error(), "toml: "))
	case err != nil:
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
