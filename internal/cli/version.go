package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// version says which scrub this is: the release, the commit and its day, as the
// Go tool has put them into the binary, whoever built it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return versionOf(*info)
}

func versionOf(info debug.BuildInfo) string {
	said := map[string]string{}
	for _, s := range info.Settings {
		said[s.Key] = s.Value
	}
	system := cmp.Or(said["GOOS"], runtime.GOOS) + "/" + cmp.Or(said["GOARCH"], runtime.GOARCH)
	about := []string{info.GoVersion + " " + system}
	if day, _, ok := strings.Cut(said["vcs.time"], "T"); ok {
		about = append([]string{day}, about...)
	}
	if commit := said["vcs.revision"]; commit != "" {
		mark := ""
		if said["vcs.modified"] == "true" {
			mark = ", changed since"
		}
		about = append([]string{"commit " + commit[:min(12, len(commit))] + mark}, about...)
	}
	return fmt.Sprintf("%s (%s)", cmp.Or(strings.Trim(info.Main.Version, "()"), "unknown"), strings.Join(about, ", "))
}
