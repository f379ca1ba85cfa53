package bug

import (
	"regexp"
	"strings"
)

var (
	groupHead = regexp.MustCompile(`^(\s*)(?:\+|\|) Exception Group Traceback \(most recent call last\):$`)
	groupRule = regexp.MustCompile(`^\s*\+[-+]+(?: (?:\d+|\.\.\.) -+)?\s*$`)
	groupBar  = regexp.MustCompile(`^\s*(?:\+|\|) ?`)
)

// ungrouped rewrites the tracebacks of exception groups, which Python draws
// as a tree, as one after the other. A group comes after what is in it: like
// the last of a chain, it is the one that reached the top.
func ungrouped(lines []string) []string {
	var all []string
	for i := 0; i < len(lines); i++ {
		if !groupHead.MatchString(lines[i]) {
			all = append(all, lines[i])
			continue
		}
		end := i + 1
		for end < len(lines) && groupBar.MatchString(lines[end]) {
			end++
		}
		all = append(all, "")
		all = append(all, flattened(lines[i:end])...)
		i = end - 1
	}
	return all
}

// flattened returns the parts of one group's tree, the group itself last.
func flattened(tree []string) []string {
	var group, members []string
	part := &group
	for _, line := range tree {
		if groupRule.MatchString(line) {
			members = append(members, "")
			part = &members
			continue
		}
		*part = append(*part, strings.Replace(groupBar.ReplaceAllString(line, ""), "Exception Group Traceback",
			"Traceback", 1))
	}
	return append(append(members, ""), group...)
}
