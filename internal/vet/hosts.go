package vet

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// addresses are what may be one in a text.
var (
	addresses = regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]{1,15}://[^\s"'<>` + "`" + `]+`)
	host      = regexp.MustCompile(`(?i)^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9](:\d+)?$`)
	file      = regexp.MustCompile(`(?i)\.(py|txt|csv|json|pt|pth|pkl|npy|npz|h5|nc|toml|yaml|yml|xml|html?|md|log|db|png|jpe?g|gif|` +
		`svg|pdf|zip|gz|tar|ini|cfg|dat|bin|parquet|feather|zarr|fits|dcm|so|c|cpp|h|js|css|ipynb|pkl\.gz)$`)
)

// known is how hosts end that one meets: a text that only looks like one, as "conv1.weight", does not.
var known = regexp.MustCompile(`(?i)\.(com|org|net|io|dev|app|ai|co|info|biz|edu|gov|cloud|site|online|xyz|top|me|tv|sh|gg|ru|cn|de|uk|fr|` +
	`nl|jp|kr|in|br|it|es|pl|ch|se|eu|us|ca|au|invalid|onion|local|internal|lan)(:\d+)?$`)

// address reports whether a text is an address on another machine, or a host by its usual ending.
func address(text string) bool {
	if strings.ContainsAny(strings.TrimSpace(text), " \n") {
		return false
	}
	return strings.Contains(text, "://") && elsewhere(text) || known.MatchString(text) && elsewhere(text)
}

// elsewhere reports whether a text names another machine, as a host or in an address.
func elsewhere(text string) bool {
	text = strings.TrimSuffix(strings.TrimSpace(norm.NFKC.String(strings.ReplaceAll(text, "。", "."))), ".")
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
