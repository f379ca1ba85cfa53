package profile

// Plain is a plain way to run what is usually run in a special one, such as
// without a compiler: what only the special one shows is a bug of it.
type Plain struct {
	Name    string            `toml:"name"`    // as in eager
	Special string            `toml:"special"` // as in compiled
	Set     map[string]string `toml:"set"`     // environment variables that make it plain
	Speaks  *Pattern          `toml:"speaks"`  // of the special way: programs that do
	Titles  *Pattern          `toml:"titles"`  // likewise: titles that do
	Differs *Pattern          `toml:"differs"` // words for a difference between the two
}

// Complained reports whether a report is about a difference between the two ways.
func (p Plain) Complained(title, text string) bool {
	return p.Titles != nil && p.Differs != nil && p.Titles.MatchString(title) && p.Differs.MatchString(title+"\n"+text)
}

// For reports whether a program speaks of the special way.
func (p Plain) For(program string) bool { return p.Speaks != nil && p.Speaks.MatchString(program) }
