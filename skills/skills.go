// Package skills has texts that tell an agent which measurement to ask for when, and what it must still judge.
package skills

import "embed"

// Files are the skills: a folder each, with a SKILL.md.
//
//go:embed */SKILL.md
var Files embed.FS
