// Package watched is what sessions of coding agents show of a project.
package watched

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

	"github.com/scrub-dev/scrub/internal/guide/checkout"
	"github.com/scrub-dev/scrub/internal/history"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/session"
)

// A Clone is a project whose agents are watched.
type Clone struct{ checkout.Checkout }

// entire is the branch where Entire keeps the sessions of a repository.
const entire = "refs/heads/entire/checkpoints/v1"

// dated is what older ids of a session begin with: one that went on over midnight has two.
var dated = regexp.MustCompile(`^\d{4}-\d\d-\d\d-`)

// Kept are the sessions those that Entire has kept: of each the longest transcript, since each contains those
// before it.
func (p Clone) Kept(ctx context.Context) ([]session.Session, error) {
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
		s, err := session.From(r, p.Dir)
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

// Places are the folders below a person's home where agents keep sessions of a project, or of all, as far as they
// are there. Nothing in them is read.
func Places(home, dir string) []string {
	abs, err := filepath.Abs(dir)
	if err != nil || home == "" {
		return nil
	}
	dashed := notInFolder.ReplaceAllString(abs, "-")
	var all []string
	for _, at := range []string{".claude/projects/" + dashed, ".codex/sessions", ".gemini/tmp", ".copilot/session-state",
		".cursor/projects/" + strings.Trim(dashed, "-") + "/agent-transcripts", ".openhands/conversations",
		".openhands/sessions"} {
		at = filepath.Join(home, filepath.FromSlash(at))
		if info, err := os.Stat(at); err == nil && info.IsDir() {
			all = append(all, at)
		}
	}
	return all
}

// notInFolder is what agents do not take into the name of a folder.
var notInFolder = regexp.MustCompile(`[^A-Za-z0-9-]`)

// files gives f every file below name that may hold a session, in order. A folder of events is one file of them all.
func files(name string, f func(at string, content io.Reader) error) error {
	return filepath.WalkDir(name, func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "events":
			return events(at, f)
		case !d.Type().IsRegular() || !session.MayBe(at):
			return nil
		}
		file, err := os.Open(at)
		if err != nil {
			return err
		}
		defer file.Close()
		return f(at, file)
	})
}

// What a folder of events may have.
const (
	mostEvents = 20_000 // files
	mostEvent  = 4 << 20
	mostFolder = 64 << 20
)

// events reads a folder with a file for each event, in the order of their numbers.
func events(dir string, f func(at string, content io.Reader) error) error {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > mostEvents {
		return err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && filepath.Ext(e.Name()) == ".json" {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var all bytes.Buffer
	for _, name := range names {
		file, err := root.Open(name)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(io.LimitReader(file, mostEvent))
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		if all.Len()+len(text) > mostFolder {
			break
		}
		if json.Compact(&all, text) == nil {
			all.WriteByte('\n')
		}
	}
	if err := f(dir, &all); err != nil {
		return err
	}
	return fs.SkipDir
}

// Given are the sessions in files and folders; of those that were found, which worked in the project.
func (p Clone) Given(ctx context.Context, names []string, found bool) ([]session.Session, error) {
	var all []session.Session
	for _, name := range names {
		before := len(all)
		err := files(name, func(_ string, content io.Reader) error {
			s, err := session.From(content, p.Dir)
			if err != nil {
				return ctx.Err() // one that cannot be read is none
			}
			if len(s.Steps) > 0 && (!found || s.Folder == p.Dir || strings.HasPrefix(s.Folder, p.Dir+"/")) {
				all = append(all, s)
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		if !found && len(all) == before {
			return nil, fmt.Errorf("%s: there is no session of an agent that is known here", name)
		}
	}
	return all, nil
}

// Asked is which sessions to read.
type Asked struct {
	Sessions []string // files and folders, besides those that the clone itself keeps
	Found    []string // the same, of which only those of this clone are read
	Log      journal.Log
}

// A Seen is what sessions show.
type Seen struct {
	Sessions *Sessions
	LedTo    *LedTo
	Effects  []Effect
}

// Watch reads all sessions and says what they show. It is done once for the same ones.
func (p Clone) Watch(ctx context.Context, a Asked, commit string) (Seen, error) {
	type question struct {
		Commit, Entire, Dir string
		Given               []string // digests
	}
	q := question{Commit: commit, Dir: p.Dir}
	q.Entire, _ = p.Resolve(ctx, entire) // there may be none
	for _, name := range slices.Concat(a.Sessions, []string{""}, a.Found) {
		digests, err := contents(name)
		if err != nil {
			return Seen{}, err
		}
		q.Given = append(append(q.Given, ""), digests...)
	}
	return journal.Do(ctx, a.Log, "guide-sessions/4", q, func(ctx context.Context, _ question) (Seen, error) {
		kept, err := p.Kept(ctx)
		if err != nil {
			return Seen{}, err
		}
		named, err := p.Given(ctx, a.Sessions, false)
		if err != nil {
			return Seen{}, err
		}
		found, err := p.Given(ctx, a.Found, true)
		if err != nil {
			return Seen{}, err
		}
		all := slices.Concat(kept, named, found)
		pulls, err := p.pulls(ctx, all)
		if err != nil {
			return Seen{}, err
		}
		measured, err := p.measure(ctx, all)
		if err != nil {
			return Seen{}, err
		}
		if measured != nil {
			measured.Quotes = quotes(slices.Concat(kept, named)) // what was found by itself is not quoted
		}
		effects, err := p.effects(ctx, all)
		return Seen{measured, ledTo(all, pulls), effects}, err
	})
}

// contents are the digests of the files below name.
func contents(name string) ([]string, error) {
	var all []string
	if name == "" {
		return nil, nil
	}
	err := files(name, func(at string, content io.Reader) error {
		sum := sha256.New()
		if _, err := io.Copy(sum, content); err != nil {
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
