package console

import (
	"cmp"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"strings"
)

// who is the name under which decisions are recorded: as somebody says, as the
// environment or the system knows this user, as git does, or the number alone.
func (a *Console) who() string {
	name := cmp.Or(strings.TrimSpace(a.By), a.Getenv("USER"), a.Getenv("LOGNAME"))
	if name != "" {
		return name
	}
	if u, err := user.LookupId(strconv.Itoa(os.Getuid())); err == nil && u.Username != "" {
		return u.Username
	}
	out, _ := exec.Command("git", "config", "user.name").Output() // one without git has no name there
	if name := strings.TrimSpace(string(out)); name != "" {
		return name
	}
	return "uid " + strconv.Itoa(os.Getuid())
}

// home is this user's folder, also where the environment does not say.
func (a *Console) home() string {
	if dir := a.Getenv("HOME"); dir != "" {
		return dir
	}
	if u, err := user.LookupId(strconv.Itoa(os.Getuid())); err == nil {
		return u.HomeDir
	}
	return os.TempDir()
}
