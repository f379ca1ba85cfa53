package history

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Blob is a file at some commit.
type Blob struct {
	Path string
	ID   string
	Size int64 // -1 for one that the clone does not have
}

// Blobs are all files at a commit, or none if there is no such commit.
func (c Clone) Blobs(ctx context.Context, at string) ([]Blob, error) {
	if _, err := c.git(ctx, "rev-parse", "--verify", "--quiet", at+"^{commit}"); err != nil {
		return nil, ctx.Err()
	}
	out, err := c.git(ctx, "ls-tree", "-r", "-l", "-z", at)
	if err != nil {
		return nil, err
	}
	var all []Blob
	for line := range strings.SplitSeq(out, "\x00") {
		head, name, ok := strings.Cut(line, "\t")
		fields := strings.Fields(head)
		if !ok || len(fields) != 4 || fields[1] != "blob" {
			continue
		}
		size, err := strconv.ParseInt(fields[3], 10, 64)
		if err != nil {
			size = -1
		}
		all = append(all, Blob{Path: name, ID: fields[2], Size: size})
	}
	return all, nil
}

// ReadBlobs gives f the contents of blobs, one after the other.
func (c Clone) ReadBlobs(ctx context.Context, blobs []Blob, f func(Blob, io.Reader) error) (err error) {
	cmd := c.command(ctx, "cat-file", "--batch")
	var ids strings.Builder
	for _, b := range blobs {
		ids.WriteString(b.ID + "\n")
	}
	cmd.Stdin = strings.NewReader(ids.String())
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() {
		_ = pipe.Close() // so that git ends, also where not all was read
		if ended := cmd.Wait(); err == nil && ended != nil && ctx.Err() != nil {
			err = errors.Join(ctx.Err(), ended)
		}
	}()
	in := bufio.NewReaderSize(pipe, 1<<16)
	for _, b := range blobs {
		head, err := in.ReadString('\n')
		if err != nil {
			return fmt.Errorf("git cat-file: %w", err)
		}
		fields := strings.Fields(head)
		if len(fields) != 3 {
			continue // it is missing
		}
		size, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			return fmt.Errorf("git cat-file: a line that cannot be read: %q", head)
		}
		part := io.LimitReader(in, size)
		if err := f(b, part); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, part); err != nil {
			return err
		}
		if _, err := in.Discard(1); err != nil {
			return err
		}
	}
	return nil
}
