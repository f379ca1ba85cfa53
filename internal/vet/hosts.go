package vet

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"
)

// addresses are what may be one in a text.
var (
	addresses = regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]{1,15}://[^\s"'<>` + "`" + `]+`)
	host      = regexp.MustCompile(`(?i)^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9](:\d+)?$`)
	file      = regexp.MustCompile(`(?i)\.(py|txt|csv|json|pt|pth|pkl|npy|npz|h5|nc|toml|yaml|yml|xml|html?|md|log|db|png|jpe?g|gif|` +
		`svg|pdf|zip|gz|tar|ini|cfg|dat|bin|parquet|feather|zarr|fits|dcm|so|c|cpp|h|js|css|ipynb|pkl\.gz)$`)
)

// elsewhere reports whether a text names another machine, as a host or in an address.
func elsewhere(text string) bool {
	if a, err := netip.ParseAddr(strings.Trim(text, "[]")); err == nil {
		return !a.IsLoopback() && !a.IsUnspecified()
	}
	if host.MatchString(text) && !file.MatchString(text) {
		name, _, _ := strings.Cut(strings.ToLower(text), ":")
		return name != "localhost" && !strings.HasSuffix(name, ".localhost")
	}
	for _, found := range addresses.FindAllString(text, -1) {
		if u, err := url.Parse(strings.TrimRight(found, ".,;)")); err != nil || !here(u) {
			return true
		}
	}
	return false
}

// here reports whether an address is one of this machine.
func here(u *url.URL) bool {
	name := strings.ToLower(u.Hostname())
	if name == "" || name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	a, err := netip.ParseAddr(name)
	return err == nil && (a.IsLoopback() || a.IsUnspecified())
}
