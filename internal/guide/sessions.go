package guide

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"scrub/internal/history"
	"scrub/internal/journal"
	"scrub/internal/session"
)

// entire is the branch where Entire keeps the sessions of a repository.
const entire = "refs/heads/entire/checkpoints/v1"

// dated is what older ids of a session begin with: one that went on over midnight has two.
var dated = regexp.MustCompile(`^\d{4}-\d\d-\d\d-`)

// entireSessions are those that Entire has kept: of each the longest transcript, since each contains those before it.
func (p project) entireSessions(ctx context.Context) ([]session.Session, error) {
	all, err := p.Blobs(ctx, entire)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	full := map[string]history.Blob{} // by folder
	var abouts []history.Blob
	for _, b := range all {
		switch path.Base(b.Path) {
		case "full.jsonl":
			full[path.Dir(b.Path)] = b
		case "metadata.json":
			abouts = append(abouts, b)
		}
	}
	longest := map[string]history.Blob{}
	marks := map[string][]string{}
	err = p.ReadBlobs(ctx, abouts, func(b history.Blob, r io.Reader) error {
		var about struct {
			SessionID string `json:"session_id"`
		}
		one, ok := full[path.Dir(b.Path)]
		if !ok || one.Size <= 0 || json.NewDecoder(r).Decode(&about) != nil || about.SessionID == "" {
			return nil
		}
		id := dated.ReplaceAllString(about.SessionID, "")
		folder := path.Dir(path.Dir(b.Path))
		marks[id] = append(marks[id], strings.ReplaceAll(folder, "/", ""))
		if was, ok := longest[id]; !ok || one.Size > was.Size {
			longest[id] = one
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	named, err := p.Marked(ctx)
	if err != nil {
		return nil, err
	}
	var read []history.Blob
	whose := map[string]string{}
	for id, b := range longest {
		read = append(read, b)
		whose[b.Path] = id
	}
	slices.SortFunc(read, func(a, b history.Blob) int { return cmp.Compare(a.Path, b.Path) })
	var sessions []session.Session
	err = p.ReadBlobs(ctx, read, func(b history.Blob, r io.Reader) error {
		s, err := readSession(r)
		if err == nil {
			s.Marks = marks[whose[b.Path]]
			if at := slices.IndexFunc(named, func(m history.Marked) bool { return slices.Contains(s.Marks, m.Mark) }); at >= 0 {
				s.Base = named[at].Before
			}
			sessions = append(sessions, s)
		}
		return ctx.Err()
	})
	return sessions, err
}

// readSession reads a session in whichever format it is.
func readSession(r io.Reader) (session.Session, error) {
	head := make([]byte, 4096)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return session.Session{}, err
	}
	head = head[:n]
	all := io.MultiReader(bytes.NewReader(head), r)
	switch first, _, _ := bytes.Cut(head, []byte("\n")); {
	case bytes.Contains(first, []byte(`"session_meta"`)):
		return session.Codex(all)
	case bytes.Contains(head, []byte(`"trajectory"`)):
		return session.SWE(all)
	}
	return session.Claude(all)
}

// Places are the folders below a person's home where agents keep sessions of a project, or of all, as far as they
// are there. Nothing in them is read.
func Places(home, dir string) []string {
	abs, err := filepath.Abs(dir)
	if err != nil || home == "" {
		return nil
	}
	var all []string
	for _, at := range []string{
		filepath.Join(home, ".claude", "projects", notInFolder.ReplaceAllString(abs, "-")),
		filepath.Join(home, ".codex", "sessions"),
	} {
		if info, err := os.Stat(at); err == nil && info.IsDir() {
			all = append(all, at)
		}
	}
	return all
}

// notInFolder is what Claude Code does not take into the name of a folder.
var notInFolder = regexp.MustCompile(`[^A-Za-z0-9-]`)

// files gives f every file below name that may hold a session, in order.
func files(name string, f func(at string, file *os.File) error) error {
	return filepath.WalkDir(name, func(at string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !slices.Contains(endings, filepath.Ext(at)) {
			return err
		}
		file, err := os.Open(at)
		if err != nil {
			return err
		}
		defer file.Close()
		return f(at, file)
	})
}

// endings are those of files with sessions.
var endings = []string{".jsonl", ".traj"}

// given are the sessions in files and folders, of those who worked in dir.
func given(ctx context.Context, names []string, dir string) ([]session.Session, error) {
	var all []session.Session
	for _, name := range names {
		err := files(name, func(at string, f *os.File) error {
			s, err := readSession(f)
			if err != nil {
				return fmt.Errorf("%s: %w", at, err)
			}
			if len(s.Steps) > 0 && (dir == "" || s.Folder == dir || strings.HasPrefix(s.Folder, dir+"/")) {
				all = append(all, s)
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// A Seen is what sessions show.
type Seen struct {
	Sessions *Sessions
	Effects  []Effect
}

// watch reads all sessions and says what they show. It is done once for the same ones.
func (p project) watch(ctx context.Context, r Request, commit string) (Seen, error) {
	type question struct {
		Commit, Entire, Dir string
		Given               []string // digests
	}
	q := question{Commit: commit, Dir: p.Dir}
	q.Entire, _ = p.Resolve(ctx, entire) // there may be none
	for _, name := range slices.Concat(r.Sessions, []string{""}, r.Found) {
		digests, err := contents(name)
		if err != nil {
			return Seen{}, err
		}
		q.Given = append(append(q.Given, ""), digests...)
	}
	return journal.Do(ctx, r.Log, "guide-sessions/1", q, func(ctx context.Context, _ question) (Seen, error) {
		kept, err := p.entireSessions(ctx)
		if err != nil {
			return Seen{}, err
		}
		named, err := given(ctx, r.Sessions, "")
		if err != nil {
			return Seen{}, err
		}
		found, err := given(ctx, r.Found, p.Dir)
		if err != nil {
			return Seen{}, err
		}
		all := slices.Concat(kept, named, found)
		effects, err := p.effects(ctx, all)
		return Seen{p.measure(all), effects}, err
	})
}

// contents are the digests of the files below name.
func contents(name string) ([]string, error) {
	var all []string
	if name == "" {
		return nil, nil
	}
	err := files(name, func(at string, f *os.File) error {
		sum := sha256.New()
		if _, err := io.Copy(sum, f); err != nil {
			return err
		}
		all = append(all, at+" "+hex.EncodeToString(sum.Sum(nil)))
		return nil
	})
	return all, err
}

// inOrder puts sessions in order of time.
func inOrder(all []session.Session) {
	slices.SortStableFunc(all, func(a, b session.Session) int {
		return cmp.Or(a.Start.Compare(b.Start), strings.Compare(a.ID, b.ID))
	})
}
