package casefile

import "github.com/scrub-dev/scrub/internal/regress"

// A Proof is a test for a failure and what was measured of it. One that is
// not proven is not offered.
type Proof struct {
	Test   regress.Test `json:"test,omitzero"`
	Place  string       `json:"place,omitempty"` // the file of the project that it belongs into
	Bad    string       `json:"bad,omitempty"`   // where it fails
	Good   string       `json:"good,omitempty"`  // where it passes
	Fails  string       `json:"fails,omitempty"` // how
	Why    string       `json:"why,omitempty"`   // why there is none
	Runs   int          `json:"runs,omitempty"`  // on each of the two
	Proven bool         `json:"proven"`
	// Expected is that the bug is still there: the test fails, and is marked as expected to.
	Expected bool `json:"expected_failure,omitempty"`
}

// A Regression is the test for a bug, and those for other failures that its report tells of,
// all of them proven.
type Regression struct {
	Proof
	Others []Proof `json:"other_failures,omitempty"`
}
