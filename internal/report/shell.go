package report

import (
	"regexp"
	"strings"
)

// plain is what no shell makes anything of.
var plain = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// Shell is a command as it can be pasted into a shell, whatever strangers have
// put into its words.
func Shell(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if quoted[i] = w; !plain.MatchString(w) {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
