package replay

import (
	"context"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/scrub-dev/scrub/internal/session"
)

// How much of a home is looked at.
const (
	mostTold   = 64 << 20
	mostLooked = 20_000 // files and folders
	deepest    = 12     // folders below each other
)

// told is the session of an agent: the longest that it kept in its home, or else what it printed. The home is of
// whoever was in the box, so nothing is followed out of it.
func told(ctx context.Context, home, printed, dir string) (session.Session, string) {
	best, _ := session.From(strings.NewReader(printed), dir)
	text := printed
	root, err := os.OpenRoot(home)
	if err != nil {
		return best, text
	}
	defer root.Close()
	looked, left := 0, int64(mostTold)
	_ = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if looked++; looked > mostLooked || left <= 0 || ctx.Err() != nil {
			return fs.SkipAll
		}
		if err == nil && d.IsDir() && strings.Count(name, "/") > deepest {
			return fs.SkipDir
		}
		if err != nil || !d.Type().IsRegular() || !session.MayBe(name) {
			return nil // it is not ours to complain about
		}
		f, err := root.Open(name)
		if err != nil {
			return nil
		}
		defer f.Close()
		all, err := io.ReadAll(io.LimitReader(f, min(left, mostSession)))
		left -= int64(len(all))
		if err != nil {
			return nil
		}
		if s, err := session.From(strings.NewReader(string(all)), dir); err == nil && len(s.Steps) > len(best.Steps) {
			best, text = s, string(all)
		}
		return nil
	})
	return best, text
}
