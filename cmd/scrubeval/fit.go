package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/scrub-dev/scrub/internal/eval"
	"github.com/scrub-dev/scrub/internal/judge"
)

// measureFit fits the weights of package judge to what reproduce kept.
func measureFit(args []string) error {
	var all []judge.Example
	out, sure := "", 0.5
	for _, arg := range args {
		if name, ok := strings.CutPrefix(arg, "out="); ok {
			out = name
			continue
		}
		if p, ok := strings.CutPrefix(arg, "sure="); ok {
			var err error
			if sure, err = strconv.ParseFloat(p, 64); err != nil {
				return err
			}
			continue
		}
		f, err := os.Open(arg)
		if err != nil {
			return err
		}
		examples, err := eval.Examples(f)
		_ = f.Close() // it was only read
		if err != nil {
			return fmt.Errorf("%s: %w", arg, err)
		}
		all = append(all, examples...)
	}
	fitting := eval.Fit(all, sure)
	fmt.Print(fitting)
	if out == "" {
		return nil
	}
	text, err := json.MarshalIndent(fitting.Model, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(text, '\n'), 0o644)
}
