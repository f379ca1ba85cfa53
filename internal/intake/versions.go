package intake

import (
	"regexp"
	"slices"
	"strings"
)

// What follows a name may be a version: 1.13, 2.0.0+cu118, 3.5.0.dev1362, 1.0rc1.
const number = `v?(\d+\.\d[\w.+]*(?:-?(?:dev|rc|alpha|beta|post)[\w.+]*)?)`

// The ways in which dumps, lists and sentences say a version, each with a name and a number.
var versionForms = []*regexp.Regexp{
	// "PyTorch version: 2.1", "- Python Version (e.g. 3.6): 3.7", "| pandas | 1.3 |", "``x.__version__``: 2.0".
	regexp.MustCompile(`(?mi)^[\s*>|+\x60-]*(?:\[(?:pip3?|conda)\] *)?([a-z][\w.-]*(?: ` +
		`[a-z]\w*)?(?:/[a-z]\w*)??)(?: version)?(?: ?\(.*\))?["'*\x60]* *[:|] *["'*\x60]*(?:\[e\.g[^\]\n]*\] ` +
		`*)?(?:[a-z]\w+ )??\(?` + number),
	regexp.MustCompile(`(?m)^(CUDA|ROCM) used to build \w+: *` + number),
	// "snail==1.26.0" and "snail = 1.0", in a list or in the middle of a line.
	regexp.MustCompile(`(?i)\b([a-z][\w.-]*?)(?: version)? ?(?:==| = ) ?["']?` + number),
	// "[conda] torch  1.0.1  <pip>", "[pip] numpy (1.15.4)".
	regexp.MustCompile(`(?mi)^\s*\[(?:pip3?|conda)\] *([a-z][\w.-]*)[ (]+` + number),
	// A line of its own, "Numpy 1.22.2", and a line of a list with a build behind it.
	regexp.MustCompile(`(?mi)^[ \t*>+-]*([a-z][\w.-]*?)(?: version)?(?: +|-)` + number + `[.,;]?[ \t]*(?:\(.*\)?)?$`),
	regexp.MustCompile(`(?m)^([a-z_][\w.-]*) {2,}` + number + ` {2,}\S+`),
	// The form's heading "### Python version" and the answer under it.
	regexp.MustCompile(`(?mi)^#+ *([a-z][\w.-]*(?: [a-z]\w*)?) versions?\s*\n\s*(?:[a-z]+ ){0,3}` + number),
	regexp.MustCompile("(?mi)^[#* ]*()versions?[:* ]*\\s*\\n+(?:```\\w*\\n)?\\s*" + number),
	// ">>> torch.__version__" and what came of it; "('NumPy', '1.13.3')".
	regexp.MustCompile(`(?m)\b([A-Za-z_]\w*)\.(?:__version__|VERSION|version)[)\x60'"]*(?:: *|[ \t]*\n+)(?:Out\[\d+\]: *)?["'(]?` + number),
	regexp.MustCompile(`\('([A-Za-z][\w-]+)', '` + number),
	// "the 1.2.0 version", "1.3.1 and 1.4.2", and a number alone in its line.
	regexp.MustCompile(`(?i)()\b` + number + ` versions?\b`),
	regexp.MustCompile(`()\b\d+\.\d+(?:\.\d+)? (?:and|&|or|with) v?(\d+\.\d+\.\d+[\w.]*)`),
	regexp.MustCompile(`(?m)^()v?(\d+\.\d+\.\d+[\w.+]*)[ \t]*$`),
	regexp.MustCompile(`(?i)\b(python): {1,40}` + number),
	// The first line of a test run, "-- Python 3.7.3, pytest-5.2.0", and in a sentence a number of three parts.
	regexp.MustCompile(`(?m)(?:^|[\s(\x60"'/,])([A-Za-z_][A-Za-z_-]*\w?)(?: version)?[ -]v?(\d+\.\d+\.\d+[\w.+]*)`),
	regexp.MustCompile(`(?:^|[\s(/,])([A-Za-z]{3,})(\d+\.\d+\.\d+[\w.+]*)`),
}

var (
	// Words in front of a number that are no names of things with versions.
	noName = regexp.MustCompile(`(?i)^(section|figure|fig|chapter|table|step|part|release|since|until|before|after|than|from|takes?|about|only|line|score|loss|accuracy|time|date|id|size|ratio|value|rate|lr|eps|file|platform|plugins|and|or|is|was|the|by|to|of|in|at|with|for|on|up|driver|kernel|approx|around|over|under|least|most|equals?|e\.g|[a-z])$`)
	// What a version looks like, rather than a long number, an address on the network or a file.
	isVersion = regexp.MustCompile(`^\d{1,4}(\.\d{1,6}){1,4}(-?\.?[a-z]+\.?\d*)*(\+[\w.]+)?$`)
	notOne    = regexp.MustCompile(`\.(zip|gz|html?|py|dcm|whl|so|\d+e)$|^(\d{1,3}\.){3}\d{2,3}$|^0\.0$`)
	pythons   = regexp.MustCompile(`(?i)[^\w.-]python v?$`)
	dumpHead  = regexp.MustCompile(`(?mi)^\W*(collecting environment information|installed versions|system:|versions?:?\W*$|environment:?\W*$|python deps)`)
)

// A mention is a version and where in the text it stands.
type mention struct {
	Version
	at int
}

// versions finds what text says of versions, in the order it is said. A
// number of only two parts is believed behind a name that is known, or the
// word version, or in a dump.
func versions(text string, post int, known []string) []Version {
	text = numbered(strings.ReplaceAll(text, "\r\n", "\n"))
	dump := dumpHead.MatchString(text)
	var found []mention
	seen := map[Version]bool{}
	taken := map[int]bool{} // a number belongs to the first name it was found with
	for i, form := range append(slices.Clone(versionForms), inProse(known)) {
		for _, m := range form.FindAllStringSubmatchIndex(text, -1) {
			of := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(strings.TrimSpace(text[m[2]:m[3]])),
				" version"), ".__version__")
			where := strings.ToLower(text[m[0]:m[1]])
			if strings.HasPrefix(of, "version") {
				of = ""
			}
			if pythons.MatchString(text[m[0]:m[4]]) {
				of = "python" // whatever the line is about
			}
			v := Version{Of: of, Is: strings.TrimRight(text[m[4]:m[5]], ".-+_"), Post: post}
			sure := dump || i == len(versionForms) || strings.Count(v.Is, ".") > 1 || slices.Contains(known, of) ||
				strings.Contains(where, "version") || strings.Contains(where, "==")
			if !sure || taken[m[4]] || seen[v] || of == "" && seen[Version{Is: v.Is}] || noName.MatchString(of) ||
				!isVersion.MatchString(v.Is) || notOne.MatchString(v.Is) {
				continue
			}
			seen[v], seen[Version{Is: v.Is}], taken[m[4]] = true, true, true
			found = append(found, mention{v, m[4]})
		}
	}
	slices.SortStableFunc(found, func(a, b mention) int { return a.at - b.at })
	var all []Version
	for _, f := range found {
		all = append(all, f.Version)
	}
	return all
}

// dumpSize is more than any dump of versions has.
const dumpSize = 64 << 10

// numbered leaves only those lines of text that may say a version, with the
// lines above them that may say of what, and not more than there can be.
func numbered(text string) string {
	var b strings.Builder
	var above [3]string
	for line := range strings.Lines(text) {
		switch {
		case b.Len() > dumpSize:
			return b.String()[:dumpSize]
		case hasVersion(line):
			b.WriteString(above[0] + above[1] + above[2] + line)
			above = [3]string{}
		case len(line) < 200:
			above = [3]string{above[1], above[2], line}
		default:
			above = [3]string{}
		}
	}
	return b.String()[:min(b.Len(), dumpSize)]
}

// hasVersion reports whether a dot stands between two digits of line.
func hasVersion(line string) bool {
	for i := 1; i+1 < len(line); i++ {
		if line[i] == '.' && '0' <= line[i-1] && line[i-1] <= '9' && '0' <= line[i+1] && line[i+1] <= '9' {
			return true
		}
	}
	return false
}

// inProse finds a known name with a number behind it: "with Python 3.9",
// "numpy-1.18", "version 2.0 of it".
func inProse(known []string) *regexp.Regexp {
	names := []string{"python", "cuda", "cudnn", "versions?"}
	for _, n := range known {
		names = append(names, regexp.QuoteMeta(n))
	}
	return regexp.MustCompile(`(?i)\b(` + strings.Join(names, "|") +
		`)(?: version)?(?: is| of)?["'\x60*]*[ :=@-]{0,3}["'\x60*]*` + number)
}

// knownNames are the packages that a report speaks of: its repository's name
// and what its programs import.
func knownNames(repo string, programs []Program) []string {
	var all []string
	if repo != "" {
		all = append(all, strings.FieldsFunc(strings.ToLower(repo[strings.LastIndexByte(repo, '/')+1:]),
			func(r rune) bool { return r == '-' })...)
	}
	for _, p := range programs {
		for _, module := range p.Imports() {
			top, _, _ := strings.Cut(module, ".")
			if len(top) > 1 && !slices.Contains(all, top) && len(all) < 100 {
				all = append(all, top)
			}
		}
	}
	return all
}

var (
	systemForms = regexp.MustCompile(`(?m)^[\s*>|-]*(?:OS|Operating [Ss]ystem|Platform|OS [Vv]ersion|system)(?: \([^()\n]*\))?\**[ \t]*[:|][ \t]*(\S.*)$`)
	systemWords = regexp.MustCompile(`\b(Windows(?: (?:7|8|8\.1|10|11|Server \d+|XP))?|mac ?OS(?: X)?(?: \d[\d.]*)?|Mac OSX?|OSX|Ubuntu(?: \d\d\.\d\d)?|Debian|Fedora|CentOS(?: \d)?|Arch Linux|RHEL|Raspbian|Android|iOS)\b`)
	gpuForm     = regexp.MustCompile(`(?m)^(?:GPU models and configuration:)?[ \t]*GPU \d+: *(\S.*)$`)
)

// An Environment is what a thread says of the machine it happened on.
type Environment struct {
	System string   `json:"system,omitempty"`
	GPUs   []string `json:"gpus,omitempty"`
}

func environment(text string) Environment {
	if len(text) > 2*dumpSize { // people put it first or last
		text = text[:dumpSize] + "\n" + text[len(text)-dumpSize:]
	}
	var e Environment
	if m := systemForms.FindStringSubmatch(text); m != nil && !strings.HasPrefix(m[1], "[") {
		e.System = strings.Trim(m[1], " |*`\r")
	} else if m := systemWords.FindString(text); m != "" {
		e.System = m
	}
	for _, m := range gpuForm.FindAllStringSubmatch(text, 64) {
		e.GPUs = append(e.GPUs, strings.TrimSpace(m[1]))
	}
	return e
}
