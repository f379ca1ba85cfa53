package mend

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A file that a program only reads is made up where its shape is plain from the
// program: a table with the columns that are used, or a small picture.

var (
	reader = regexp.MustCompile(`(?:\b(\w+)\s*=\s*)?(?:\w+\.)*\b` +
		`(read_csv|read_table|loadtxt|genfromtxt|imread|Image\.open)\(\s*["']([\w][\w./-]*\.(?:csv|tsv|txt|dat|png))["']([^\n]*)`)
	columnArgument = regexp.MustCompile(`\b(?:x|y|hue|by|on|index_col|index|columns|values|col|row|usecols|parse_dates)` +
		`\s*=\s*\[?((?:\s*["'][^"'\n]+["'],?)+)`)
	literal = regexp.MustCompile(`["']([^"'\n]+)["']`)
	dated   = regexp.MustCompile(`(?i)date|time|day`)
)

// picture is a PNG of two by two pixels.
const picture = `b"\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR\x00\x00\x00\x02\x00\x00\x00\x02\x08\x02\x00\x00\x00\xfd\xd4` +
	`\x9as\x00\x00\x00\x11IDATx\xdac8\xc1\xc0\xc0p\x02\x8c\x80\x18\x00\x17~\x03!&\xea\x12\xad\x00\x00\x00\x00IEND\xaeB\x60\x82"`

// Files are lines that make up the files which a program reads, and the names of
// those whose shape is not plain.
func Files(text string) (mends []Mend, needed []string) {
	var made []string
	for _, m := range reader.FindAllStringSubmatch(text, -1) {
		variable, function, name, rest := m[1], m[2], m[3], m[4]
		if slices.Contains(made, name) || slices.Contains(needed, name) {
			continue
		}
		content, ok := "", path.Clean(name) == name
		switch function {
		case "imread", "Image.open":
			content, ok = picture, ok && strings.HasSuffix(name, ".png")
		case "loadtxt", "genfromtxt":
			content = `"1 2 3\n4 5 6\n7 8 9\n"`
			if strings.Contains(rest, `","`) || strings.Contains(rest, "','") {
				content = `"1,2,3\n4,5,6\n7,8,9\n"`
			}
		default:
			columns := columnsOf(text, variable, rest)
			content, ok = table(columns, function == "read_table" || strings.HasSuffix(name, ".tsv")), ok && len(columns) > 0
		}
		if !ok {
			needed = append(needed, name)
			continue
		}
		made = append(made, name)
		mends = append(mends, Mend{"made-up file", line(name, content)})
	}
	return mends, needed
}

// columnsOf are the columns of a table that a program names.
func columnsOf(text, variable, rest string) []string {
	var all []string
	add := func(names string) {
		for _, m := range literal.FindAllStringSubmatch(names, -1) {
			if !slices.Contains(all, m[1]) {
				all = append(all, m[1])
			}
		}
	}
	for _, m := range columnArgument.FindAllStringSubmatch(rest, -1) {
		add(m[1])
	}
	if variable == "" {
		return all
	}
	of := regexp.MustCompile(`\b` + regexp.QuoteMeta(variable) + `(?:\.loc)?\[(?:[^\]["'\n]*,\s*)?\[?` +
		`((?:\s*["'][^"'\n]+["'],?)+)\]`)
	for _, m := range of.FindAllStringSubmatch(text, -1) {
		add(m[1])
	}
	if len(all) > 0 {
		for _, m := range columnArgument.FindAllStringSubmatch(text, -1) {
			add(m[1])
		}
	}
	return all
}

// table is Python's text of a table of three rows.
func table(columns []string, tabs bool) string {
	between := ","
	if tabs {
		between = `\t`
	}
	rows := []string{strings.Join(columns, between)}
	for i := 1; i <= 3; i++ {
		var row []string
		for _, c := range columns {
			if dated.MatchString(c) {
				row = append(row, fmt.Sprintf("2020-01-%02d", i))
			} else {
				row = append(row, fmt.Sprint(i))
			}
		}
		rows = append(rows, strings.Join(row, between))
	}
	return `"` + strings.Join(rows, `\n`) + `\n"`
}

// line writes a file.
func line(name, content string) string {
	mode := "w"
	if strings.HasPrefix(content, "b") {
		mode = "wb"
	}
	write := fmt.Sprintf("with open(%s, %q) as beside: beside.write(%s)", quote(name), mode, content)
	if dir := path.Dir(name); dir != "." {
		return fmt.Sprintf("import os; os.makedirs(%s, exist_ok=True)\n%s", quote(dir), write)
	}
	return write
}
