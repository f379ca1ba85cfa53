package swept

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/scrub-dev/scrub/internal/forge"
)

// mayHeal reports whether something went wrong that may be right in a minute: a
// network, a database that restarts, a machine that is full.
func mayHeal(err error) bool {
	var net net.Error
	var connect *pgconn.ConnectError
	var server *pgconn.PgError
	var number syscall.Errno
	var may interface{ Passing() bool }
	switch {
	case errors.As(err, &may):
		return may.Passing()
	case errors.As(err, &net), errors.As(err, &connect), errors.Is(err, driver.ErrBadConn),
		errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, context.DeadlineExceeded), errors.Is(err, forge.ErrLimited):
		return true
	case errors.As(err, &server):
		class := server.Code[:min(2, len(server.Code))]
		return strings.Contains("08 40 53 55 57 58", class) // connections, conflicts, resources, operators
	case errors.As(err, &number):
		return number == syscall.ENOSPC || number == syscall.EMFILE || number == syscall.ENFILE ||
			number == syscall.ENOMEM || number == syscall.EAGAIN || number == syscall.EDQUOT
	}
	return strings.Contains(err.Error(), "database is locked") || strings.Contains(err.Error(), "conn closed")
}
