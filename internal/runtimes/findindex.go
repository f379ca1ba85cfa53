package runtimes

import (
	"context"
	"errors"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/runtimes/index"
	"github.com/scrub-dev/scrub/internal/sandbox"
	"net/url"
	"strings"
)

// FindIndex is the index that a person names, or else that of the pip of one
// of their interpreters, which is asked in the box.
func (p Places) FindIndex(ctx context.Context, named string, python bug.Runtime) (index.Index, error) {
	if named != "" {
		return index.Index{URL: named}, nil
	}
	// Without site nothing that is installed gets to answer.
	repro := bug.Repro{Command: []string{"python", "-I", "-S", "-c", askPip}}
	o, err := p.box().Run(ctx, sandbox.Job{Repro: repro, Runtime: python, Limits: sandbox.Limits{Time: inspectTime}})
	if err != nil {
		return index.Index{}, err
	}
	if at, err := url.Parse(strings.TrimSpace(o.Stdout)); err == nil && !o.Failed() && at.Scheme == "https" &&
		at.User == nil && (index.Index{}).MayHold(at.String()) {
		return index.Index{URL: at.String()}, nil
	}
	return index.Index{}, errors.New("no package index found: set PIP_INDEX_URL, or install pip")
}

const askPip = `
import sys, sysconfig
sys.path += [sysconfig.get_path("purelib"), "/usr/lib/python3/dist-packages"]
from pip._internal.models.index import PyPI
print(PyPI.simple_url)
`
