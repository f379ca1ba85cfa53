package ablate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/scrub-dev/scrub/internal/bug"
)

// world answers from a rule over turned knobs.
func world(knobs []Knob, workers int, shows func(map[string]string) bug.Answer) (Result, error) {
	return Search{Knobs: knobs, Workers: workers, Ask: func(_ context.Context, turns []Turn) (Seen, error) {
		at := map[string]string{}
		for _, t := range turns {
			at[t.Knob] = t.Value
		}
		return Seen{Answer: shows(at)}, nil
	}}.Run(context.Background())
}

var stages = Knob{Name: "backend", Staged: true, Values: []string{"off", "eager", "aot", "full"}}

func yes(b bool) bug.Answer {
	if b {
		return bug.Yes
	}
	return bug.No
}

func TestTheFirstStageThatShowsIt(t *testing.T) {
	order := []string{"off", "eager", "aot", "full", ""} // as it is comes last
	for first := range order {
		r, err := world([]Knob{stages}, 2, func(at map[string]string) bug.Answer {
			return yes(slices.Index(order, at["backend"]) >= first)
		})
		if err != nil {
			t.Fatal(err)
		}
		if first == len(order)-1 {
			if r.Stage != nil || !r.Beyond {
				t.Errorf("no stage shows it: got stage %v, beyond %v", r.Stage, r.Beyond)
			}
			continue
		}
		if r.Stage == nil || r.Stage.Value != order[first] || r.NotMonotone {
			t.Errorf("stage %v crooked %v, want %s", r.Stage, r.NotMonotone, order[first])
		}
	}
}

func TestAStageThatFailsInAnotherWaySaysNothing(t *testing.T) {
	r, err := world([]Knob{stages}, 1, func(at map[string]string) bug.Answer {
		switch at["backend"] {
		case "off", "eager":
			return bug.No
		case "aot":
			return bug.Unknown
		}
		return bug.Yes
	})
	if err != nil || r.Stage == nil || r.Stage.Value != "full" || r.NotMonotone {
		t.Errorf("got %v %v crooked %v, want full", r.Stage, err, r.NotMonotone)
	}
}

// What wants an interpreter of its own is asked only where the stages leave it open.
func TestOpenKnobs(t *testing.T) {
	general := Knob{Name: "seed", Open: true, Values: []string{"0"}}
	for first, want := range map[string]int{"aot": 4, "none of them": 5} {
		r, err := world([]Knob{stages, general}, 2, func(at map[string]string) bug.Answer {
			return yes(first == "aot" && at["backend"] != "off" && at["backend"] != "eager")
		})
		if err != nil || len(r.Cells) != want {
			t.Errorf("%s: %d cells, %v, want %d", first, len(r.Cells), err, want)
		}
	}
}

func TestKnobsThatMatterOnlyTogether(t *testing.T) {
	knobs := []Knob{{Name: "a", Plain: "0", Values: []string{"0"}}, {Name: "b", Plain: "0", Values: []string{"0"}},
		{Name: "c", Plain: "0", Values: []string{"0"}}}
	// Either of a and b is enough for it; c has nothing to do with it.
	r, err := world(knobs, 2, func(at map[string]string) bug.Answer { return yes(at["a"] == "" || at["b"] == "") })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Gone) != 0 || !reflect.DeepEqual(r.Plainest, []Turn{{"a", "0"}, {"c", "0"}}) ||
		!reflect.DeepEqual(r.Together, []Turn{{"b", "0"}}) {
		t.Errorf("gone %v, plainest %v, together %v", r.Gone, r.Plainest, r.Together)
	}
}

func TestAKnobThatWaitsForItsStage(t *testing.T) {
	knobs := []Knob{stages, {Name: "mode", After: "full", Values: []string{"x"}}}
	for stage, want := range map[string]int{"full": 5, "aot": 4} {
		r, err := world(knobs, 2, func(at map[string]string) bug.Answer {
			return yes(at["backend"] == "" || slices.Index(stages.Values, at["backend"]) >= slices.Index(stages.Values,
				stage))
		})
		if err != nil || len(r.Cells) != want {
			t.Errorf("first at %s: %d cells (%v), want %d", stage, len(r.Cells), err, want)
		}
	}
}

// For any rule the plainest setting shows the bug, no knob that alone makes
// it go away is part of it, and workers change nothing.
func TestPlainestShowsIt(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 9))
		knobs := []Knob{stages}
		for i := range rng.IntN(6) {
			knobs = append(knobs, Knob{Name: fmt.Sprint(i), Plain: "x", Values: []string{"x", "y"}[:1+rng.IntN(2)]})
		}
		need := map[string]bool{}
		for _, k := range knobs {
			need[k.Name] = rng.IntN(3) == 0
		}
		least := rng.IntN(len(knobs) + 1) // and so many others may not be turned at once
		shows := func(at map[string]string) bug.Answer {
			for name := range at {
				if need[name] {
					return bug.No
				}
			}
			return yes(len(at) <= max(1, least))
		}
		one, err := world(knobs, 1, shows)
		if err != nil {
			t.Fatal(err)
		}
		many, err := world(knobs, 8, shows)
		if err != nil || !reflect.DeepEqual(one, many) {
			t.Fatalf("seed %d: one worker %+v, eight %+v (%v)", seed, one, many, err)
		}
		at := map[string]string{}
		for _, turn := range one.Plainest {
			at[turn.Knob] = turn.Value
		}
		if shows(at) != bug.Yes {
			t.Errorf("seed %d: %v does not show it", seed, one.Plainest)
		}
		for _, turn := range one.Gone {
			at := map[string]string{turn.Knob: turn.Value}
			if one.Stage != nil {
				at[one.Stage.Knob] = one.Stage.Value
			}
			if shows(at) != bug.No {
				t.Errorf("seed %d: %v is said to matter", seed, turn)
			}
		}
	}
}

func TestDeeperFindsTheOneThing(t *testing.T) {
	for guilty := range 40 {
		asked := 0
		part := Part{Name: "lowerings", Ask: func(_ context.Context, n int) (Seen, string, error) {
			asked++
			return Seen{Answer: yes(n >= guilty)}, fmt.Sprint("the ", n), nil
		}}
		innocent := Part{Name: "passes", Ask: func(context.Context, int) (Seen, string, error) { return Seen{Answer: bug.Yes}, "", nil }}
		d, err := Deeper(context.Background(), []Part{innocent, part})
		if err != nil || d == nil || d.Part != "lowerings" || d.N != guilty || d.What != fmt.Sprint("the ", guilty) {
			t.Fatalf("guilty %d: %v %v", guilty, d, err)
		}
		if asked > 16 {
			t.Errorf("guilty %d: asked %d times", guilty, asked)
		}
	}
}

// A stage is named for sure only if the one before it was seen without the bug
// and all behind it show it.
func TestOnlyAStraightLineIsSure(t *testing.T) {
	for _, tt := range []struct {
		answers string // off, eager, aot, full: - without it, + with it, ? cannot be told
		sure    bool
	}{
		{"--++", true}, {"++++", true}, {"-+++", true}, {"-+-+", false}, {"-++-", false}, {"?+++", false},
		{"-?++", false},
		{"+-++", false},
	} {
		r, err := world([]Knob{stages}, 1, func(at map[string]string) bug.Answer {
			i := slices.Index(stages.Values, at["backend"])
			return map[byte]bug.Answer{'-': bug.No, '+': bug.Yes, '?': bug.Unknown}[tt.answers[max(i, 0)]]
		})
		if err != nil || r.Sure != tt.sure || r.Stage == nil {
			t.Errorf("%s: sure %v at %v, %v", tt.answers, r.Sure, r.Stage, err)
		}
	}
}
