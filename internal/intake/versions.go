package intake

import (
	"regexp"
	"strings"
)

var versionForms = regexp.MustCompile(`(?mi)^[\s*>-]*(?:\[(?:pip3?|conda)\]\s*)?(?:([A-Za-z][\w.-]*) version|([A-Za-z][\w-]*))\s*(?::|==|\s=\s)\s*v?(\d+\.\d[\w.+]*)`)

// versions finds lines such as "PyTorch version: 2.1", "[pip3] numpy==1.26.0"
// and "Python: 3.11.4".
func versions(text string, post int) []Version {
	var all []Version
	for _, m := range versionForms.FindAllStringSubmatch(text, -1) {
		all = append(all, Version{Of: strings.ToLower(m[1] + m[2]), Is: m[3], Post: post})
	}
	return all
}
