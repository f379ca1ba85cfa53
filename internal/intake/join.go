package intake

import (
	"regexp"
	"slices"
	"strings"
)

var (
	assigned = regexp.MustCompile(`(?m)^[ \t]*((?:[A-Za-z_]\w*[ \t]*,[ \t]*)*[A-Za-z_]\w*)[ \t]*(?::[^=\n]+)?=[^=]`)
	declared = regexp.MustCompile(`(?m)^[ \t]*(?:def|class)[ \t]+([A-Za-z_]\w*)`)
	imported = regexp.MustCompile(`(?m)^[ \t]*(?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+(.+)$`)
	asName   = regexp.MustCompile(`([A-Za-z_][\w.]*)(?:[ \t]+as[ \t]+([A-Za-z_]\w*))?`)
	name     = regexp.MustCompile(`(?:^|[^.\w"'])([A-Za-z_]\w*)`)
)

// join puts programs of one post together that belong together: one that
// needs names which the one before it made, and does not make itself, is the
// continuation of that.
func join(programs []Program) []Program {
	var all []Program
	for _, p := range programs {
		if n := len(all); n > 0 && continuesWith(all[n-1], p) {
			p.Text = all[n-1].Text + p.Text
			if last := all[n-1]; last.Remarked && !p.Remarked && p.Raised == nil {
				p.Earlier, p.Printed, p.Remarked = last.Earlier, last.Printed, true
			}
			all[n-1] = p
			continue
		}
		all = append(all, p)
	}
	return all
}

func continuesWith(before, p Program) bool {
	if before.Post != p.Post || before.Session != p.Session || before.Raised != nil {
		return false
	}
	made, own := made(before.Text), made(p.Text)
	return slices.ContainsFunc(name.FindAllStringSubmatch(p.Text, -1), func(m []string) bool {
		return slices.Contains(made, m[1]) && !slices.Contains(own, m[1])
	})
}

// made are the names that a program gives a meaning, as far as its text tells.
func made(text string) []string {
	var all []string
	for _, m := range assigned.FindAllStringSubmatch(text, -1) {
		for n := range strings.SplitSeq(m[1], ",") {
			all = append(all, strings.TrimSpace(n))
		}
	}
	for _, m := range declared.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	for _, m := range imported.FindAllStringSubmatch(text, -1) {
		for _, n := range asName.FindAllStringSubmatch(m[1], -1) {
			if n[2] != "" {
				all = append(all, n[2])
			} else {
				top, _, _ := strings.Cut(n[1], ".")
				all = append(all, top)
			}
		}
	}
	return all
}
