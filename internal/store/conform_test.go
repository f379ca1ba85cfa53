package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/store/storetest"

	"github.com/jackc/pgx/v5"
)

func TestFile(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Open {
		file := filepath.Join(t.TempDir(), "deep", "scrub.db")
		t.Cleanup(func() {
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("others can read it: %v, %v", info.Mode(), err)
			}
		})
		return func(ctx context.Context) (*store.Store, error) { return store.Open(ctx, file) }
	})
}

func TestServer(t *testing.T) {
	address := storetest.Server(t)
	admin, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(context.Background())
	n := 0
	storetest.Run(t, func(t *testing.T) storetest.Open {
		n++
		name := fmt.Sprint("scrub", n)
		if _, err := admin.Exec(t.Context(), "CREATE DATABASE "+name); err != nil {
			t.Fatal(err)
		}
		own := strings.Replace(address, "/postgres?", "/"+name+"?", 1)
		return func(ctx context.Context) (*store.Store, error) { return store.Open(ctx, own) }
	})
}
