package flags

import (
	"os/exec"
	"regexp"
	"strings"
)

var (
	issueNamed  = regexp.MustCompile(`^[\w.-]+/[\w.-]+#[0-9]+$|^https?://\S+/issues/[0-9]+$`)
	issueNumber = regexp.MustCompile(`^#?([0-9]+)$`)
)

// Extension is what scrub is asked when it is called as an extension of gh: an issue
// alone is scrub issue, and a bare number is one of the repository that gh is in.
func Extension(called string, args []string) []string {
	if !strings.HasPrefix(called, "gh-scrub") || len(args) == 0 {
		return args
	}
	if issueNamed.MatchString(args[0]) {
		return append([]string{"issue"}, args...)
	}
	number := issueNumber.FindStringSubmatch(args[0])
	if number == nil {
		return args
	}
	out, err := exec.Command("gh", "repo", "view", "--json", "nameWithOwner", "--jq", ".nameWithOwner").Output()
	if err != nil {
		return append([]string{"issue"}, args...) // which says what it wants
	}
	return append([]string{"issue", strings.TrimSpace(string(out)) + "#" + number[1]}, args[1:]...)
}
