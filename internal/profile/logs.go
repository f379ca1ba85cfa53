package profile

// Logs is how to run a program so that the project tells what it does, in
// the file logs.toml.
type Logs struct {
	For     string            `toml:"for"`
	About   string            `toml:"about"`
	Set     map[string]string `toml:"set"`     // environment variables
	Collect []string          `toml:"collect"` // files to bring out; * stands for anything, folders included
	Step    []Step            `toml:"step"`    // what to run afterwards
	Tell    []Tell            `toml:"tell"`
	With    string            `toml:"with"` // a Python file of the profile that runs before the program, see package shim
	Shim    string            `toml:"-"`    // its text
}

// A Step is run on a file that the program left behind.
type Step struct {
	Name  string   `toml:"name" json:"name"`
	File  string   `toml:"file" json:"file"`
	Args  []string `toml:"args" json:"args"`
	Makes string   `toml:"makes" json:"makes"` // the name of a smaller program that it writes
}

// Tell is something to recognize in what was printed and left behind.
type Tell struct {
	In    Pattern `toml:"in"` // the files to look into, by name
	Match Pattern `toml:"match"`
	Says  string  `toml:"says"` // with $1 for what a group matched
	None  string  `toml:"none"` // said if there is nothing like it
	Last  bool    `toml:"last"` // of all that match only the last is said
}
