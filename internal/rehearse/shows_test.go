package rehearse

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// A part of what is in the environment is found in what a program prints, in whatever usual way it is written, and what
// is not there is not.
func TestShows(t *testing.T) {
	secret := newMark()[marked]
	turned := ""
	for _, r := range secret {
		turned = string(r) + turned
	}
	for name, text := range map[string]string{
		"plain": "a=" + secret, "turned": turned, "upper": strings.ToUpper(secret), "hex": hex.EncodeToString([]byte(secret)),
		"numbers": fmt.Sprint([]byte(secret)), "octal": fmt.Sprintf("%o", []byte(secret)),
		"list": "['" + strings.Join(strings.Split(secret, ""), "', '") + "']", "a part": secret[5:14],
		"wrapped": secret[:9] + "\n" + secret[9:], "base64": base64.StdEncoding.EncodeToString([]byte("X=" + secret)),
		"base64, shifted": base64.StdEncoding.EncodeToString([]byte("LC=" + secret)),
	} {
		if !shows("something\n"+text+"\nmore", secret) {
			t.Errorf("%s: not found in %s", name, text)
		}
	}
	other := newMark()[marked]
	for _, text := range []string{"", "tensor([0.1234, 0.5678])", other, hex.EncodeToString([]byte(other)), strings.Repeat("0123456789", 50)} {
		if shows(text, secret) {
			t.Errorf("found in %s", text)
		}
	}
}
