package cli

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	set := func(pairs ...string) (all []debug.BuildSetting) {
		for i := 0; i < len(pairs); i += 2 {
			all = append(all, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return append(all, debug.BuildSetting{Key: "GOOS", Value: "linux"},
			debug.BuildSetting{Key: "GOARCH", Value: "arm64"})
	}
	for want, info := range map[string]debug.BuildInfo{
		"v1.2.3 (commit 0123456789ab, 2026-11-18, go1.26 linux/arm64)": {Main: debug.Module{Version: "v1.2.3"},
			Settings: set("vcs.revision", "0123456789abcdef", "vcs.time", "2026-11-18T01:02:03Z", "vcs.modified", "false")},
		"v1.2.3 (go1.26 linux/arm64)": {Main: debug.Module{Version: "v1.2.3"}, Settings: set()}, // go install …@v1.2.3
		"devel (commit 0123, changed since, go1.26 linux/arm64)": {Main: debug.Module{Version: "(devel)"},
			Settings: set("vcs.revision", "0123", "vcs.modified", "true")},
		"unknown (go1.26 linux/arm64)": {Settings: set()},
	} {
		info.GoVersion = "go1.26"
		if got := versionOf(info); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
