package intake

import (
	"regexp"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

var (
	promptLine = regexp.MustCompile(`^\s*(?:>>>|In \[\d*\]:)(?: ?(.*)|)$`)
	moreLine   = regexp.MustCompile(`^\s*\.\.\.+:?(?: (.*)|)$`)
	outMark    = regexp.MustCompile(`^Out\[\d*\]: ?`)
	// Statements that print nothing by themselves, so that what is shown
	// under them was printed by something inside.
	statement = regexp.MustCompile(`^(?:import|from|def|class|for|while|with|if|try|assert|raise|del|global|print|` +
		`return|async|@)\b|^@|^[A-Za-z_][\w.\[\]'", ]*\s*[-+*/%&|^]?=[^=]`)
)

// A turn is what was typed at one prompt and what came of it.
type turn struct {
	typed  []string
	output []string
}

// readSession makes a program of what was typed at >>> or IPython's prompts. The value
// that a prompt shows is printed by the program, so that it shows the same.
func readSession(text string) Program {
	var b strings.Builder
	p := Program{Session: true}
	var all []shown
	for _, t := range turns(text) {
		output, said := unremarked(strings.Trim(withoutProse(strings.Join(t.output, "\n")), "\n"))
		raised := raisedIn(output)
		typed, measured := plainly(strings.Join(t.typed, "\n"))
		shows := output != "" && typed != "" && !measured && len(raised) == 0 && !strings.Contains(typed, "__version__")
		if shows && !statement.MatchString(typed) {
			typed = strings.TrimSuffix(strings.TrimSpace(pointed.ReplaceAllString(typed, "")), ";")
			if strings.Contains(typed, "#") {
				typed += "\n" // a remark ends there
			}
			typed = "print(repr(" + typed + "))"
		}
		if typed != "" {
			b.WriteString(typed + "\n")
		}
		if len(raised) > 0 {
			p.Raised = &Claim{Exception: raised[len(raised)-1]}
			break // what was typed after it was another try
		}
		if shows {
			all = append(all, shown{output, said})
		}
	}
	if at := complainedOf(all); at >= 0 && p.Raised == nil {
		var before []string
		for _, s := range all[:at] {
			before = append(before, s.output)
		}
		p.Earlier, p.Printed, p.Remarked = strings.Join(before, "\n"), all[at].output, all[at].said == wrong
	}
	p.Text = b.String()
	return p
}

// pointed is a remark behind an arrow, which stands behind no value in Python.
var pointed = regexp.MustCompile(`\s+[-=]+>\s[^'"]*$`)

// measures is how IPython is asked how long a statement takes. What is shown then is no value of it.
var measures = regexp.MustCompile(`^\s*%%?(?:timeit|time|prun|memit|lprun)\b(?:\s+-\w+(?:\s+\d+)?)*\s*`)

// plainly is what was typed, without what only IPython knows, and whether it was measured.
func plainly(typed string) (string, bool) {
	if plain := measures.ReplaceAllString(typed, ""); plain != typed {
		return plain, true
	}
	return strings.TrimRight(withoutMagic(typed+"\n"), "\n"), false
}

// A shown is what a prompt showed, and what its author notes of it.
type shown struct {
	output string
	said   verdict
}

type verdict int

const (
	nothingSaid verdict = iota
	right
	wrong
)

var (
	outputRemark = regexp.MustCompile(`(?m)\s+#\s(.*)$`)
	saysWrong    = regexp.MustCompile(`(?i)\b(?:wrong|incorrect|bugg?y?|should|must|expect\w*|instead|bad|why|not|` +
		`broken)\b|n't\b|\?\?|❌|✗|!!`)
	saysRight = regexp.MustCompile(`(?i)\b(?:right|correct|ok|okay|good|fine|works|as (?:expected|it should))\b|✅|✓`)
)

// unremarked is an output without the remarks in it, and what they say.
func unremarked(output string) (string, verdict) {
	said := nothingSaid
	for _, m := range outputRemark.FindAllStringSubmatch(output, -1) {
		switch {
		case saysRight.MatchString(m[1]) && !strings.Contains(m[1], "not "):
			said = max(said, right)
		case saysWrong.MatchString(m[1]):
			said = wrong
		}
	}
	if said == nothingSaid {
		return output, said // it may be what was printed
	}
	return outputRemark.ReplaceAllString(output, ""), said
}

// complainedOf is the output that a session is about: the first that is called wrong, else the last that is not called
// right; -1 if there is none.
func complainedOf(all []shown) int {
	if at := slices.IndexFunc(all, func(s shown) bool { return s.said == wrong }); at >= 0 {
		return at
	}
	for at := len(all) - 1; at >= 0; at-- {
		if all[at].said == nothingSaid {
			return at
		}
	}
	return len(all) - 1
}

// proseLine is a sentence: what a prompt shows seldom reads like one.
var proseLine = regexp.MustCompile(`(?m)\n\s*\n[A-Z` + "`" + `*_][\w'` + "`" + `]*( [\w'` + "`" +
	`(,.)-]+){4,}.*[.:?!]?$`)

// withoutProse cuts what is written under an output off it.
func withoutProse(output string) string {
	if at := proseLine.FindStringIndex(output); at != nil && len(raisedIn(output)) == 0 {
		return output[:at[0]]
	}
	return output
}

// raisedIn is what a prompt's output shows to have been raised: by its
// traceback, or by its last line if the rest was left out.
func raisedIn(output string) []bug.Exception {
	if all := bug.Exceptions(output); len(all) > 0 {
		return all
	}
	if e, ok := bug.BareException(output[strings.LastIndexByte(output, '\n')+1:]); ok {
		return []bug.Exception{e}
	}
	return nil
}

func turns(text string) []turn {
	var all []turn
	typing := false
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		line = strings.TrimRight(line, " \t\r")
		if m := promptLine.FindStringSubmatch(line); m != nil {
			if strings.TrimSpace(m[1]) != "" {
				all = append(all, turn{typed: []string{m[1]}})
			}
			typing = true
			continue
		}
		if len(all) == 0 {
			continue // a banner
		}
		last := &all[len(all)-1]
		if m := moreLine.FindStringSubmatch(line); m != nil && typing {
			if strings.TrimSpace(m[1]) != "" {
				last.typed = append(last.typed, m[1])
			}
			continue
		}
		typing = false
		last.output = append(last.output, outMark.ReplaceAllString(line, ""))
	}
	return all
}
