// Scrubpicture makes the picture in the README: it runs what the picture shows,
// and draws what was printed.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/console/paper"
)

// A step is a command and which lines of its output are shown.
type step struct {
	command string
	lines   *regexp.Regexp // nil for what was done before: that scrub is there shows it
	index   bool           // it needs the package index
}

var steps = []step{
	{command: "go build -o scrub ./cmd/scrub"},
	{command: "scrub issue examples/exception.md --approve-clean",
		lines: regexp.MustCompile(`^(# |\*\*|- reported)|^Picked`)},
	{command: "scrub issue examples/flaky.md --approve-clean -n 12", lines: regexp.MustCompile(`^(# |\*\*)`)},
	{command: "scrub issue examples/dangerous.md --approve-clean", lines: regexp.MustCompile(`^(# |\*\*|- line)`)},
	{command: "scrub issue examples/release.md --on reported,newest --approve-clean",
		lines: regexp.MustCompile(`^(# |Last affected)`), index: true},
	{command: "scrub minimize examples/shrink.py",
		lines: regexp.MustCompile(`^[a-z]|^# \d+ lines|^# shows|^# verified`)},
	{command: "scrub actions example/timesheet#412", lines: regexp.MustCompile(`comment`)},
	{command: "scrub approve ID", lines: regexp.MustCompile(`approved`)},
	{command: "scrub apply --dry-run", lines: regexp.MustCompile(`.`)},
}

func main() {
	offline := flag.Bool("offline", false, "leave out what needs the package index")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: scrubpicture [-offline] SCRUB OUT.svg")
		os.Exit(2)
	}
	shown := slices.DeleteFunc(slices.Clone(steps), func(s step) bool { return s.index && *offline })
	if err := draw(flag.Arg(0), flag.Arg(1), shown); err != nil {
		fmt.Fprintln(os.Stderr, "scrubpicture:", err)
		os.Exit(1)
	}
}

// action is the name of what is proposed.
var action = regexp.MustCompile(`\b[0-9a-f]{12}\b`)

// columns is how wide the picture's terminal is.
const columns = 100

func draw(scrub, out string, steps []step) error {
	dir, err := os.MkdirTemp("", "picture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	full, err := filepath.Abs(scrub)
	if err != nil {
		return err
	}
	// What is applied, in a rehearsal, is applied to an issue in a folder.
	folder := filepath.Join(dir, "forge", "example", "timesheet")
	text, err := os.ReadFile("examples/exception.md")
	if err == nil {
		err = errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, "412.md"), text, 0o644))
	}
	if err != nil {
		return err
	}
	var lines []string
	id := ""
	p := paper.Paper{Width: columns, Colour: true, Word: ink}
	for _, s := range steps {
		if s.lines == nil {
			lines = append(lines, p.In(paper.Green, "$ ")+p.In(paper.Bold, s.command))
			continue
		}
		s.command = strings.Replace(s.command, "ID", id, 1)
		printed, err := run(full, dir, s.command)
		if found := action.FindString(printed); found != "" && strings.Contains(s.command, "actions") {
			id = found
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.command, err)
		}
		lines = append(lines, p.In(paper.Green, "$ ")+p.In(paper.Bold, s.command))
		lines = append(lines, shown(p, s, printed)...)
		lines = append(lines, "")
	}
	return os.WriteFile(out, svg(lines[:len(lines)-1]), 0o644)
}

// run runs a command line with a state of its own.
func run(scrub, dir, line string) (string, error) {
	var out bytes.Buffer
	if strings.Contains(line, " apply ") {
		line += ` --forge "$FORGE"`
	}
	cmd := exec.Command("sh", "-c", strings.Replace(line, "scrub", `"$SCRUB" -q --state "$STATE"`, 1))
	cmd.Env = append(os.Environ(), "SCRUB="+scrub, "STATE="+filepath.Join(dir, "scrub.db"),
		"FORGE="+filepath.Join(dir, "forge"))
	cmd.Stdout = &out
	err := cmd.Run()
	if ended, ok := err.(*exec.ExitError); ok && ended.ExitCode() == 3 {
		err = nil // a person must decide, which is shown
	}
	return out.String(), err
}

// shown are the lines of what was printed that the picture has.
func shown(p paper.Paper, s step, printed string) []string {
	var kept []string
	for line := range strings.Lines(printed) {
		if line = strings.TrimRight(line, "\n"); s.lines.MatchString(line) {
			kept = append(kept, line)
		}
	}
	if strings.Contains(s.command, " issue ") {
		kept = strings.Split(strings.TrimRight(p.Show(strings.Join(kept, "\n\n")), "\n"), "\n")
	}
	var all []string
	for _, line := range kept {
		if bare := []rune(escape.ReplaceAllString(line, "")); len(bare) > columns {
			line = string(bare[:columns-1]) + "…"
		}
		if line != "" {
			all = append(all, line)
		}
	}
	return all
}

func ink(verdict string) paper.Ink {
	switch verdict {
	case "reproduces":
		return paper.Red
	case "flaky":
		return paper.Yellow
	case "needs-decision":
		return paper.Blue
	}
	return paper.Plain
}

var escape = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// colours are what a terminal's numbers look like on a dark ground.
var colours = map[string]string{"1": "#f0f6fc", "2": "#8b949e", "1;31": "#ff7b72", "1;32": "#7ee787", "1;33": "#e3b341",
	"1;34": "#79c0ff", "36": "#a5d6ff"}

const (
	charWidth  = 8.4
	lineHeight = 20
	margin     = 18
)

// svg draws lines of a terminal. It refers to nothing outside of itself.
func svg(lines []string) []byte {
	var b bytes.Buffer
	width, height := int(columns*charWidth)+2*margin, len(lines)*lineHeight+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" `+
		`aria-label="scrub in a terminal" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" `+
		`font-size="14"><rect width="100%%" height="100%%" rx="8" fill="#0d1117"/>`+"\n", width, height)
	for i, line := range lines {
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="#c9d1d9" xml:space="preserve">`, margin, margin+(i+1)*lineHeight-6)
		colour := ""
		for line != "" {
			at := escape.FindStringSubmatchIndex(line)
			text := line
			if at != nil {
				text = line[:at[0]]
			}
			if text != "" && colour != "" {
				fmt.Fprintf(&b, `<tspan fill="%s">%s</tspan>`, colour, html.EscapeString(text))
			} else {
				b.WriteString(html.EscapeString(text))
			}
			if at == nil {
				break
			}
			colour = colours[line[at[2]:at[3]]]
			line = line[at[1]:]
		}
		b.WriteString("</text>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}
