package sweeping

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/swept"
	"github.com/scrub-dev/scrub/internal/forge"
	"github.com/scrub-dev/scrub/internal/queue"
)

// A reading enters the reports of sources as they are read.
type reading struct {
	desk     swept.Desk
	queue    *queue.Queue
	sweep    string
	limit    int // 0 for none
	search   string
	forge    string
	requests *swept.Requests
	in       io.Reader
	note     func(form string, args ...any)

	n    int // read so far
	some []swept.Found
}

// errEnough means that as many were read as were asked for.
var errEnough = errors.New("enough")

// batch is how many reports are entered at once.
const batch = 50

// all reads all sources.
func (r *reading) all(ctx context.Context, sources []string) error {
	if err := r.desk.GoOn(ctx, r.queue, r.sweep); err != nil {
		return err
	}
	for _, s := range sources {
		err := r.one(ctx, s)
		if errors.Is(err, errEnough) {
			break
		}
		if err != nil {
			return err
		}
	}
	return r.flush(ctx)
}

// one reads one source.
func (r *reading) one(ctx context.Context, name string) error {
	if name == "-" {
		return r.stream(ctx, "standard input", r.in)
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && repository(name):
		return r.issues(ctx, name)
	case errors.Is(err, fs.ErrNotExist):
		return r.issue(ctx, name)
	case err != nil:
		return err
	case info.IsDir():
		return r.folder(ctx, name)
	}
	return r.file(ctx, name)
}

// known makes sure that a source can be one, before anything is begun.
func known(name string) error {
	if _, err := os.Stat(name); err == nil || name == "-" || repository(name) {
		return nil
	}
	if _, err := bug.ParseRef(name); err != nil {
		return console.Usage("%s: neither a folder, a file, OWNER/REPO nor an issue", name)
	}
	return nil
}

func repository(name string) bool {
	_, err := bug.ParseRef(name + "#1")
	return err == nil
}

// folder reads all reports below a folder, in the order of their names.
func (r *reading) folder(ctx context.Context, dir string) error {
	return filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch filepath.Ext(name) {
		case ".md", ".json", ".jsonl":
			if e.Type().IsRegular() {
				return r.file(ctx, name)
			}
		}
		return nil
	})
}

// file reads a file: one report, or many as JSON.
func (r *reading) file(ctx context.Context, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return r.add(ctx, swept.Found{Source: name, Err: err})
	}
	defer f.Close()
	if filepath.Ext(name) == ".jsonl" {
		return r.stream(ctx, name, f)
	}
	report, err := desk.Parse(name, f)
	return r.add(ctx, named(name, report, err))
}

// mostLine is how long a line of JSON may be.
const mostLine = 16 << 20

// stream reads a list of issues, JSON lines, or one report.
func (r *reading) stream(ctx context.Context, name string, from io.Reader) error {
	in := bufio.NewReaderSize(from, 64<<10)
	switch first, err := firstByte(in); {
	case err != nil:
		return console.Usage("%s: %w", name, err)
	case first == '[':
		return r.list(ctx, name, in)
	case first != '{':
		report, err := desk.Parse(name, in)
		return r.add(ctx, named(name, report, err))
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, mostLine)
	n := 0
	for lines.Scan() {
		n++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		place := fmt.Sprintf("%s:%d", name, n)
		report, err := desk.Parse(place, bytes.NewReader(lines.Bytes()))
		if err := r.add(ctx, named(place, report, err)); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return r.add(ctx, swept.Found{Source: fmt.Sprintf("%s:%d", name, n+1), Err: err})
	}
	return nil
}

// list reads what gh issue list prints, one issue after the other.
func (r *reading) list(ctx context.Context, name string, in io.Reader) error {
	dec := json.NewDecoder(in)
	if _, err := dec.Token(); err != nil {
		return console.Usage("%s: %w", name, err)
	}
	for n := 1; dec.More(); n++ {
		var one json.RawMessage
		place := fmt.Sprintf("%s:%d", name, n)
		if err := dec.Decode(&one); err != nil {
			return r.add(ctx, swept.Found{Source: place, Err: err}) // what comes after it cannot be told from it
		}
		report, err := desk.Parse(place, bytes.NewReader(one))
		if err := r.add(ctx, named(place, report, err)); err != nil {
			return err
		}
	}
	return nil
}

// firstByte is the first one that is not blank. It is not taken.
func firstByte(in *bufio.Reader) (byte, error) {
	for {
		b, err := in.ReadByte()
		if err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n\ufeff", rune(b)) {
			return b, in.UnreadByte()
		}
	}
}

// named is a report, by its issue if it has one.
func named(place string, report bug.Report, err error) swept.Found {
	f := swept.Found{Source: place, Report: report, Err: err}
	if err == nil && report.Ref.Repo != "" {
		f.Source = report.Ref.String()
	}
	return f
}

// issue reads one issue.
func (r *reading) issue(ctx context.Context, name string) error {
	ref, err := bug.ParseRef(name)
	if err != nil {
		return console.Usage("%w", err)
	}
	f, err := r.desk.Forge(ctx, r.forge, ref, r.requests)
	if err != nil {
		return err
	}
	report, err := f.Report(ctx, ref)
	if errors.Is(err, swept.ErrBudget) {
		return r.spent()
	}
	return r.add(ctx, named(name, report, err))
}

// spent ends the reading, since no more requests may be made.
func (r *reading) spent() error {
	r.note("%v after %d reports; the same command goes on, with another budget or later", swept.ErrBudget, r.n)
	return errEnough
}

// issues reads the issues of a repository that are searched for.
func (r *reading) issues(ctx context.Context, repo string) error {
	ref, err := bug.ParseRef(repo + "#1")
	if err != nil {
		return console.Usage("%w", err)
	}
	ref.Number = 0
	f, err := r.desk.Forge(ctx, r.forge, ref, r.requests)
	if err != nil {
		return err
	}
	err = f.Search(ctx, ref, r.search, func(l forge.Listed) error {
		report, err := f.Report(ctx, l.Ref)
		var moved forge.Moved
		switch {
		case errors.Is(err, swept.ErrBudget) || ctx.Err() != nil || errors.Is(err, forge.ErrToken):
			return err
		case errors.Is(err, forge.ErrGone), errors.Is(err, forge.ErrNotFound), errors.As(err, &moved):
			return nil // since the search
		}
		return r.add(ctx, named(l.Ref.String(), report, err))
	})
	if errors.Is(err, swept.ErrBudget) {
		return r.spent()
	}
	return err
}

// add enters a report, with others.
func (r *reading) add(ctx context.Context, f swept.Found) error {
	r.some = append(r.some, f)
	r.n++
	enough := r.limit > 0 && r.n >= r.limit
	if len(r.some) >= batch || enough {
		if err := r.flush(ctx); err != nil {
			return err
		}
	}
	if enough {
		return errEnough
	}
	return ctx.Err()
}

// flush enters what was read. A database may be away for a moment.
func (r *reading) flush(ctx context.Context) error {
	var err error
	for try := range 6 {
		_, err = r.desk.Add(ctx, r.queue, r.sweep, r.some)
		if err == nil && try > 0 { // they may have been kept and not entered
			err = r.desk.GoOn(ctx, r.queue, r.sweep)
		}
		if err == nil {
			r.some = nil
			return nil
		}
		if r.desk.Pause(ctx, time.Second<<try) != nil {
			break
		}
	}
	return err
}
