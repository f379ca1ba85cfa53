package intake

import (
	"regexp"
	"strings"
)

var (
	heredoc = regexp.MustCompile(`(?ms)^.*<<-?\s*(?:'(\w+)'|"(\w+)"|(\w+)).*?$\n(.*)`)
	dashC   = regexp.MustCompile(`(?m)^[^#\n"']*\bpython[\d.]*(?: +-[A-Za-bd-z]\w*(?: +\w+)?)* +-c +(["'])`)
	// What stands in front of what was typed: "$ ", "user@host:~$ ", "(env) $ ", "C:\work> ".
	shellPrompt = regexp.MustCompile(`(?m)^(?:\([\w.-]+\) ?)?(?:\[?[\w.-]+@[\w.-]+[^\n$#%>]{0,80})?(?:\$|❯|➜|[A-Z]:\\[^\n>]*>) ?(\S.*)$`)
	showsFile   = regexp.MustCompile(`^(?:cat|more|less|bat|type) +(\S+\.py)\s*$`)
	// What forms ask people to run, to say what they have.
	asksVersion = regexp.MustCompile(`(?i)^import [\w., ]+; *print *\(?.*(version|platform)`)
	// Lines for the notebook and not for Python.
	magic = regexp.MustCompile(`(?m)^[ \t]*(?:%%?[A-Za-z_]\w*\b.*|![A-Za-z].*|\?\??[A-Za-z_][\w.]*|[A-Za-z_][\w.]*\?\??)[ \t]*(?:\n|\z)`)
)

// A shell is what can be taken from what was typed at a shell.
type shell struct {
	program string
	rest    string // what was printed
}

// readShell finds the program in a transcript of a shell: shown by cat,
// written between two marks, or given behind -c.
func readShell(text string) (shell, bool) {
	if !strings.Contains(text, "<<") && !strings.Contains(text, " -c ") && !strings.Contains(text, ".py") {
		return shell{}, false // it is cheap to know, and nearly always so
	}
	if inner, ok := fromHeredoc(text); ok && looksLikePython(inner, false) {
		return shell{program: inner}, true
	}
	if inner, rest, ok := fromDashC(text); ok && !asksVersion.MatchString(inner) {
		return shell{inner, rest}, true
	}
	return fromCat(text)
}

// fromHeredoc is the text that a shell command in text writes or pipes
// between two marks, as in "python << EOF".
func fromHeredoc(text string) (string, bool) {
	m := heredoc.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	mark := m[1] + m[2] + m[3]
	body, _, ok := strings.Cut("\n"+m[4], "\n"+mark)
	return strings.TrimPrefix(body, "\n") + "\n", ok
}

// fromDashC is the program that a command gives to Python behind -c, as the
// shell would hand it over.
func fromDashC(text string) (program, rest string, ok bool) {
	at := dashC.FindStringSubmatchIndex(text)
	if at == nil {
		return "", "", false
	}
	quote := text[at[2]]
	var b strings.Builder
	for i := at[3]; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return b.String() + "\n", text[i+1:], strings.TrimSpace(b.String()) != ""
		case c == '\\' && quote == '"' && i+1 < len(text) && strings.IndexByte("\"\\$`\n", text[i+1]) >= 0:
			i++
			if text[i] != '\n' {
				b.WriteByte(text[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}

// fromCat is a program that a command shows, up to the next prompt.
func fromCat(text string) (shell, bool) {
	prompts := shellPrompt.FindAllStringSubmatchIndex(text, -1)
	for i, p := range prompts {
		if !showsFile.MatchString(text[p[2]:p[3]]) {
			continue
		}
		end := len(text)
		if i+1 < len(prompts) {
			end = prompts[i+1][0]
		}
		if program := strings.Trim(text[p[1]:end], "\n") + "\n"; looksLikePython(program, false) {
			return shell{program, text[end:]}, true
		}
	}
	return shell{}, false
}

// withoutMagic takes out lines that are commands to a notebook.
func withoutMagic(program string) string {
	if !strings.ContainsAny(program, "%!?") {
		return program
	}
	return magic.ReplaceAllString(program, "")
}
