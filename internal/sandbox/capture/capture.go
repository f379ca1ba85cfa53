// Package capture keeps the beginning and the end of long streams.
package capture

import (
	"fmt"
	"io"
)

// A Capture keeps the beginning and the end of a stream and counts what
// it drops between them.
type Capture struct {
	head, tail []byte
	max        int // bytes kept of either
	dropped    int64
}

// New keeps limit bytes, half of them from the end.
func New(limit int) *Capture { return &Capture{max: limit / 2} }

// Write never fails: the stream is read to its end however long it is, so
// that a program is not stopped by nobody listening.
func (c *Capture) Write(p []byte) (int, error) {
	n := len(p)
	if room := c.max - len(c.head); room > 0 {
		k := min(room, len(p))
		c.head, p = append(c.head, p[:k]...), p[k:]
	}
	if len(p) > c.max {
		c.dropped += int64(len(p) - c.max)
		p = p[len(p)-c.max:]
	}
	c.tail = append(c.tail, p...)
	// Cutting only when twice the limit is there makes the cost of a byte constant.
	if over := len(c.tail) - c.max; over > c.max {
		c.dropped += int64(over)
		c.tail = append(c.tail[:0], c.tail[over:]...)
	}
	return n, nil
}

// ReadAll reads a stream to its end.
func (c *Capture) ReadAll(r io.Reader) {
	// A stream that breaks off has said what it had to say.
	_, _ = io.CopyBuffer(struct{ io.Writer }{c}, struct{ io.Reader }{r}, make([]byte, 64<<10))
}

// String is what was kept, and how much was not.
func (c *Capture) String() string {
	tail, dropped := c.tail, c.dropped
	if over := len(tail) - c.max; over > 0 {
		tail, dropped = tail[over:], dropped+int64(over)
	}
	if dropped == 0 {
		return string(c.head) + string(tail)
	}
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", c.head, dropped, tail)
}
