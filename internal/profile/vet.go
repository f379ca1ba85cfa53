package profile

// A Danger is something a program may do that a person must know before it
// runs, in the file vet.toml.
type Danger struct {
	Class    string   `toml:"class"`
	Why      string   `toml:"why"`
	Severity string   `toml:"severity"` // error, warning or note; a warning if it does not say
	Names    []string `toml:"names"`    // dotted names, as in "os.system"; a final * stands for any rest
	Arg      *Pattern `toml:"arg"`      // only if a literal argument matches
	Unless   *Pattern `toml:"unless"`   // not if a literal argument, or the text, matches
	From     string   `toml:"from"`     // only if it is given what comes from there: outside
	To       string   `toml:"to"`       // only if an argument is a host or an address of another machine: host or address
	Not      []string `toml:"not"`      // names that Names stand for, and that are not meant
	Known    []string `toml:"known"`    // arguments that are names which are harmless, or which other entries judge
	All      bool     `toml:"all"`      // unless holds only if all arguments match
	Own      []string `toml:"own"`      // a note only, if one of these made what it is given, or was given the same
	Text     *Pattern `toml:"text"`     // instead of names: any text of the program that matches
	Distinct int      `toml:"distinct"` // only a text of at least so many different characters
	Yes      []string `toml:"yes"`      // programs in which this entry finds something, which a test reads
	No       []string `toml:"no"`       // programs that look alike, in which nothing is found
}

// An Exempt is what is usual in the project and needs no word.
type Exempt struct {
	Class string   `toml:"class"`
	Names []string `toml:"names"`
	Arg   *Pattern `toml:"arg"`
}

// A Usual is what a library does by itself while a program runs, and what needs no word.
type Usual struct {
	Via   Pattern  `toml:"via"` // the module that does it
	Names []string `toml:"names"`
	Arg   Pattern  `toml:"arg"` // what it is done with, in one line
}

func (p *Profile) vetOnTopOf(parent Profile) {
	p.Vet, p.Exempt = append(p.Vet, parent.Vet...), append(p.Exempt, parent.Exempt...)
	p.Innocent, p.Usual = append(p.Innocent, parent.Innocent...), append(p.Usual, parent.Usual...)
	p.Outside = append(p.Outside, parent.Outside...)
}
