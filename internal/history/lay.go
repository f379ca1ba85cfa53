package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/scrub-dev/scrub/internal/smallfile"
)

// small is more than any file has that is read of a clone's own.
const small = 1 << 20

func readSmall(path string) (string, error) { return smallfile.Read(path, small) }

// folders are where a clone keeps what is its own and what it shares with other
// work trees.
func folders(dir string) (own, common string, err error) {
	own = filepath.Join(dir, ".git")
	info, err := os.Stat(own)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		own = dir // it has no work tree
	case err != nil:
		return "", "", err
	case !info.IsDir():
		text, err := readSmall(own)
		if err != nil {
			return "", "", err
		}
		at, ok := strings.CutPrefix(strings.TrimSpace(text), "gitdir: ")
		if !ok {
			return "", "", fmt.Errorf("%s does not say where it is", own)
		}
		file := own
		own = below(dir, at)
		// Anybody can write down where a repository is; that one must know of it.
		if back, err := readSmall(filepath.Join(own, "gitdir")); err != nil ||
			filepath.Clean(strings.TrimSpace(back)) != file {
			return "", "", fmt.Errorf("%s points to %s, which does not point back", file, own)
		}
	}
	common = own
	if text, err := readSmall(filepath.Join(own, "commondir")); err == nil {
		common = below(own, strings.TrimSpace(text))
	}
	return own, common, nil
}

func below(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

var sha256Objects = regexp.MustCompile(`(?im)^\s*objectformat\s*=\s*"?sha256"?\s*$`)

// lay makes the repository of ours: links to the clone's objects and names,
// and a file of settings that is not the clone's.
func (c Clone) lay() error {
	own, common, err := folders(c.Dir)
	if err != nil {
		return err
	}
	head, err := readSmall(filepath.Join(own, "HEAD"))
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(common, "reftable")); err == nil {
		return errors.New("it uses the reftable format, which scrub does not read")
	}
	text, err := readSmall(filepath.Join(common, "config"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// Attributes of a file can have gpg started while a tree is laid out.
	const signatures = "[gpg]\n\tprogram = false\n[gpg \"openpgp\"]\n\tprogram = false\n[gpg \"x509\"]\n\tprogram = " +
		"false\n[gpg \"ssh\"]\n\tprogram = false\n"
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
	if sha256Objects.MatchString(text) {
		config = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n"
	}
	if err := os.MkdirAll(filepath.Join(c.own, "objects", "info"), 0o700); err != nil {
		return err
	}
	for name, text := range map[string]string{"HEAD": head, "config": config + signatures,
		"objects/info/alternates": filepath.Join(common, "objects") + "\n"} {
		if err := os.WriteFile(filepath.Join(c.own, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	for _, name := range []string{"refs", "packed-refs", "shallow"} {
		link := filepath.Join(c.own, name)
		if err := os.Remove(link); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if _, err := os.Stat(filepath.Join(common, name)); err != nil {
			continue
		}
		if err := os.Symlink(filepath.Join(common, name), link); err != nil {
			return err
		}
	}
	return nil
}
