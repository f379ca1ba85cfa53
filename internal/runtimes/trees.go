package runtimes

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// workTrees are the projects that are installed in place in a folder of packages.
func workTrees(site string) ([]workTree, error) {
	var all []workTree
	origins, _ := filepath.Glob(filepath.Join(site, "*.dist-info", "direct_url.json")) // the pattern is good
	for _, file := range origins {
		dir, err := editedAt(file)
		if err != nil {
			return nil, err
		}
		if dir != "" {
			all = append(all, workTree{dir: dir, names: topLevel(filepath.Dir(file))})
		}
	}
	links, _ := filepath.Glob(filepath.Join(site, "*.egg-link"))
	for _, file := range links {
		t, err := linkedTree(file)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return slices.DeleteFunc(all, func(t workTree) bool { return !filepath.IsAbs(t.dir) }), nil
}

// editedAt is the folder of a distribution that is edited in place, or empty.
func editedAt(file string) (string, error) {
	text, err := readFile(file)
	if err != nil {
		return "", err
	}
	var origin struct {
		URL string `json:"url"`
		Dir struct {
			Editable bool `json:"editable"`
		} `json:"dir_info"`
	}
	if err := json.Unmarshal([]byte(text), &origin); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	at, err := url.Parse(origin.URL)
	if err != nil || at.Scheme != "file" || !origin.Dir.Editable {
		return "", nil
	}
	return filepath.Clean(at.Path), nil
}

// mapped are the entries of the table with which setuptools finds packages.
var mapped = regexp.MustCompile(`'([A-Za-z_]\w*)': '`)

// topLevel are the names that a distribution installs, as it says itself or as
// its finder does.
func topLevel(info string) []string {
	text, err := readFile(filepath.Join(info, "top_level.txt"))
	if err == nil {
		return strings.Fields(text)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	name, _, _ := strings.Cut(filepath.Base(info), "-")
	finders, _ := filepath.Glob(filepath.Join(filepath.Dir(info), "__editable___"+name+"*_finder.py"))
	var all []string
	for _, file := range finders {
		text, err := readFile(file)
		if err != nil {
			continue // then every package of the tree is shown
		}
		table, _, _ := strings.Cut(text[max(0, strings.Index(text, "MAPPING")):], "\n")
		for _, m := range mapped.FindAllStringSubmatch(table, -1) {
			all = append(all, m[1])
		}
	}
	return all
}
