package ablate

import (
	"github.com/scrub-dev/scrub/internal/classify"
)

// Why is what kind of failure a bug is and what it depends on.
type Why struct {
	Class     classify.Class `json:"class"`
	Component string         `json:"component,omitempty"` // whose code it is: as measured, or else as printed
	Measured  bool           `json:"measured,omitempty"`  // turning knobs named the component
	Ablation  *Result        `json:"ablation,omitempty"`
	Own       []Turn         `json:"set_by_program,omitempty"` // knobs that the program itself sets
	Depth     *Depth         `json:"depth,omitempty"`
	Means     []string       `json:"conclusions,omitempty"` // what follows from the knobs that make it go away
	Labels    []string       `json:"labels,omitempty"`
}
