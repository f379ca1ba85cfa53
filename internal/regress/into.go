package regress

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"scrub/internal/profile"
)

// Into is the file of a project that a test belongs into and the text it has
// with the test in it; before is the text it has now, empty if there is none.
func (t Test) Into(place profile.Place, before string) (file, after string) {
	file = strings.ReplaceAll(place.File, "{name}", t.Name)
	if before == "" || t.Method == "" {
		return file, t.Text
	}
	lines := strings.SplitAfter(before, "\n")
	if at := endOf(lines, "class "+place.Class); place.Class != "" && at >= 0 {
		return file, strings.Join(slices.Insert(lines, at, "\n"+t.Method), "")
	}
	return file, strings.TrimRight(before, "\n") + "\n\n\n" + t.Text
}

// endOf is the line behind the block that begins with head at the left.
func endOf(lines []string, head string) int {
	begin := slices.IndexFunc(lines, func(l string) bool {
		rest, ok := strings.CutPrefix(l, head)
		return ok && strings.IndexAny(rest, "(:") == 0
	})
	if begin < 0 {
		return -1
	}
	end := begin + 1
	for i := begin + 1; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\r\n")
		if line == "" || line[0] == ' ' || line[0] == '\t' {
			if strings.TrimSpace(line) != "" {
				end = i + 1
			}
			continue
		}
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, ")") {
			continue
		}
		break
	}
	return end
}

// A Mark says in a checkout that a test is expected to fail, or is left out,
// because of an issue.
type Mark struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

func (m Mark) String() string { return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.Text) }

// near is how many lines a mark and the number may be apart.
const near = 2

// Marks looks through a checkout for marks near the number of an issue.
func Marks(checkout fs.FS, marks []profile.Pattern, number int) ([]Mark, error) {
	if number == 0 || len(marks) == 0 {
		return nil, nil
	}
	names := regexp.MustCompile(fmt.Sprintf(`(#|issues/|issue[ _-]?|gh-?|GH-?|pull/)%d\b`, number))
	var found []Mark
	err := fs.WalkDir(checkout, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && errors.Is(err, fs.ErrPermission):
			return nil
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".py":
			return nil
		}
		text, err := fs.ReadFile(checkout, name)
		if err != nil {
			return err
		}
		if names.Match(text) {
			found = append(found, marksIn(name, string(text), marks, names)...)
		}
		return nil
	})
	return found, err
}

func marksIn(name, text string, marks []profile.Pattern, number *regexp.Regexp) []Mark {
	lines := strings.Split(text, "\n")
	var found []Mark
	for i, line := range lines {
		if !slices.ContainsFunc(marks, func(m profile.Pattern) bool { return m.MatchString(line) }) {
			continue
		}
		around := lines[max(0, i-near):min(len(lines), i+near+1)]
		if slices.ContainsFunc(around, number.MatchString) {
			found = append(found, Mark{name, i + 1, strings.TrimSpace(line)})
		}
	}
	return found
}
