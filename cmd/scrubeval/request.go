package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/tested"
)

// request answers one request of the desk, which is read as JSON from stdin: what
// is measured is what users get.
func request(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("want the name of a request and a state file")
	}
	in, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	return measured(func(d *desk.Desk) error {
		d.State = args[1]
		asks := map[string]func() (any, error){
			"issue":    func() (any, error) { return asked(in, d.Issue) },
			"triage":   func() (any, error) { return asked(in, d.Triage) },
			"vet":      func() (any, error) { return asked(in, d.Vet) },
			"run":      func() (any, error) { return asked(in, d.Run) },
			"minimize": func() (any, error) { return asked(in, d.Minimize) },
			"bisect":   func() (any, error) { return asked(in, d.Bisect) },
			"ablate":   func() (any, error) { return asked(in, d.Ablate) },
			"classify": func() (any, error) { return asked(in, d.Classify) },
			"regress":  func() (any, error) { return asked(in, tested.Desk{Desk: d}.Regress) },
			"actions":  func() (any, error) { return asked(in, d.Actions) },
		}
		ask, ok := asks[args[0]]
		if !ok {
			return fmt.Errorf("%q is no request", args[0])
		}
		answer, err := ask()
		if err != nil {
			return err
		}
		data, err := desk.JSON(answer)
		if err != nil {
			return err
		}
		_, err = os.Stdout.Write(data)
		return err
	})
}

// asked reads a request and has it answered.
func asked[In, Out any](in []byte, answer func(context.Context, In) (Out, error)) (any, error) {
	var r In
	if err := json.Unmarshal(in, &r); err != nil {
		return nil, err
	}
	return answer(context.Background(), r)
}
