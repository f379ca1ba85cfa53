package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/scrub-dev/scrub/"

// layers lists our packages from the bottom up, and what of ours each may
// import; names are below internal/. A package that is not here may not
// exist, and none may import one that stands below it in the list.
var layers = []struct{ pkg, may string }{
	{"smallfile", ""},
	{"bug", ""},
	{"child", ""},
	{"event", ""},
	{"fanout", ""},
	{"refusal", ""},
	{"rule", "bug"},
	{"journal", "bug"},
	{"shim", "bug"},
	{"profile", "bug rule smallfile"},
	{"bisect", "bug fanout"},
	{"store", ""},
	{"store/storetest", "store"},
	{"queue", "store"},
	{"forge", "bug"},
	{"forge/issuefile", "bug"},
	{"forge/dirforge", "bug forge forge/issuefile"},
	{"forge/forgetest", "bug forge"},
	{"forge/github", "bug forge"},
	{"forge/githubtest", "bug forge"},
	{"sandbox/cgroup", ""},
	{"sandbox/calls", ""},
	{"sandbox/capture", ""},
	{"sandbox/mount", ""},
	{"sandbox/wire", "sandbox/capture"},
	{"sandbox/watch", "sandbox/cgroup"},
	{"sandbox/trial", "sandbox/calls"},
	{"sandbox/hatch", ""},
	{"sandbox/lock", ""},
	{"sandbox/witness", "sandbox/calls"},
	{"sandbox", "bug sandbox/calls sandbox/capture sandbox/cgroup sandbox/hatch sandbox/lock sandbox/mount sandbox/trial " +
		"sandbox/watch sandbox/wire sandbox/witness"},
	{"sandbox/sandboxtest", "bug rule sandbox"},
	{"llm", "journal"},
	{"runtimes/index", "bug sandbox"},
	{"runtimes", "bisect bug event runtimes/index sandbox smallfile"},
	{"runtimes/runtimestest", ""},
	{"history", "bug child runtimes smallfile"},
	{"syntax/syntaxtest", "bug"},
	{"syntax", "bug"},
	{"reduce", "bug fanout syntax"},
	{"reduce/textpass", "reduce"},
	{"reduce/lift", "bug reduce syntax"},
	{"reduce/data", ""},
	{"reduce/pass", "bug reduce reduce/data reduce/lift reduce/textpass syntax"},
	{"intake", "bug profile"},
	{"mend", "bug profile"},
	{"triage", "bug intake mend profile rule"},
	{"observe", "bug syntax"},
	{"mention", "intake observe"},
	{"claim", "bug intake syntax"},
	{"judge", "mention observe"},
	{"rehearse", "bug syntax"},
	{"vet", "bug profile rehearse syntax"},
	{"classify", "bug profile rule"},
	{"regress", "bug profile"},
	{"evidence", "bug profile sandbox shim"},
	{"probe", "bug journal sandbox shim"},
	{"ablate", "bug classify event fanout journal probe profile rule sandbox shim"},
	{"minimize/poverty", "bug"},
	{"minimize", "bug fanout journal minimize/poverty probe reduce reduce/lift reduce/pass reduce/textpass sandbox " +
		"syntax vet"},
	{"culprit", "bug"},
	{"similar", "bug"},
	{"overlay", "bug sandbox shim"},
	{"nearby", "bug"},
	{"cochange", ""},
	{"session", "bug"},
	{"pairing", ""},
	{"survey", ""},
	{"oracle", "bisect bug child minimize reduce reduce/textpass"},
	{"action", "bug forge store"},
	{"guess", "bug judge mention observe syntax"},
	{"casefile", "ablate action bisect bug culprit guess intake judge mend mention minimize observe probe regress " +
		"similar syntax triage vet"},
	{"report", "ablate action bisect bug casefile classify intake minimize reduce triage"},
	{"report/reporttest", "ablate action bisect bug casefile culprit mend minimize probe reduce regress triage vet"},
	{"guess/scale", "bug casefile guess intake journal mention observe sandbox syntax"},
	{"prove", "bug casefile event journal probe profile regress sandbox"},
	{"vet/watched", "bug journal profile rehearse sandbox sandbox/witness syntax vet"},
	{"pipeline", "ablate action bisect bug casefile claim classify culprit event guess guess/scale intake " +
		"journal judge mend mention minimize observe probe profile prove reduce report runtimes sandbox syntax " +
		"triage vet vet/watched"},
	{"sweep", "bug casefile report"},
	{"guide/checkout", "cochange history"},
	{"guide/guidetest", ""},
	{"guide/watched", "bug cochange guide/checkout history journal pairing session"},
	{"guide", "bug cochange guide/checkout guide/watched journal llm session"},
	{"replay", "bug cochange history journal sandbox session"},
	{"project", "action casefile classify profile refusal triage"},
	{"machine", "bug event forge forge/dirforge forge/github history intake profile refusal runtimes runtimes/index " +
		"sandbox triage"},
	{"desk", "*"},
	{"desk/browsed", "action bug casefile desk store"},
	{"desk/duplicated", "action bug casefile desk forge project refusal report similar"},
	{"desk/explained", "desk evidence profile refusal"},
	{"desk/tested", "bug casefile desk nearby project refusal regress sandbox"},
	{"desk/fixed", "bug casefile desk desk/tested history intake nearby overlay pipeline project refusal " +
		"sandbox smallfile triage"},
	{"desk/guessed", "bug casefile desk guess refusal"},
	{"desk/applied", "action bug desk forge project refusal"},
	{"desk/surveyed", "bug desk event history refusal smallfile survey"},
	{"desk/guided", "action bug cochange desk event forge guide history project refusal replay"},
	{"desk/swept", "action bug casefile desk forge forge/github journal machine pipeline project " +
		"queue refusal report similar store sweep"},
	{"schema", "bisect bug casefile desk desk/applied desk/browsed desk/duplicated desk/explained desk/fixed " +
		"desk/guessed desk/surveyed desk/swept desk/tested guide profile replay report sweep"},
	{"remote", "desk refusal"},
	{"page", "ablate action bug casefile desk desk/browsed desk/swept minimize report store vet"},
	{"web/door", ""},
	{"web/news", "web/door"},
	{"web/jobs", "desk event page web/door"},
	{"web/shown", "page"},
	{"web/login", "web/door"},
	{"web/openapi", "schema"},
	{"web", "action bug casefile desk desk/applied desk/browsed desk/swept event page refusal report store web/door " +
		"web/jobs web/news web/openapi web/shown"},
	{"console/paper", ""},
	{"console/screen", "console/paper event"},
	{"console", "bug casefile console/paper console/screen desk event journal machine remote report"},
	{"examples", ""},
	{"cli/guiding", "cochange llm console desk/guided guide guide/watched replay report"},
	{"cli/flags", "desk profile"},
	{"cli/sweeping", "bug cli/flags console desk desk/duplicated desk/swept forge project queue refusal " +
		"report store sweep"},
	{"cli/deciding", "bug casefile console desk desk/applied report"},
	{"mcp", "bug casefile desk desk/duplicated desk/explained desk/fixed desk/guessed desk/guided " +
		"desk/tested event guess guide machine profile refusal report vet"},
	{"skills", ""},
	{"cli/agents", "bug cli/flags console desk desk/guessed event guess mcp profile report skills"},
	{"cli/fixing", "bug cli/flags console desk desk/fixed desk/tested"},
	{"cli/serving", "bug cli/flags examples console desk desk/browsed event web web/door web/login"},
	{"cli/profiling", "bug console desk desk/surveyed report"},
	{"cli", "bug casefile cli/agents cli/deciding cli/fixing cli/flags desk/explained cli/guiding " +
		"cli/profiling cli/serving cli/sweeping console desk desk/applied desk/browsed examples mcp page " +
		"profile refusal report schema"},
	{"eval", "bug casefile classify culprit fanout intake judge mend probe profile reduce triage vet"},
	{"cmd/scrub", "cli sandbox"},
	{"cmd/scrubeval", "bug casefile classify cochange culprit guide guide/watched desk desk/tested journal eval event history " +
		"intake machine mcp profile project reduce runtimes sandbox syntax vet ablate judge"},
	{"cmd/scrubmutate", ""},
	{"cmd/scrubpicture", "console/paper"},
	{"arch", ""},
}

const (
	maxFile    = 400  // lines
	maxPackage = 2000 // lines, tests not counted
)

var vague = strings.Fields("util utils common helpers helper misc shared base core types models lib manager service")

type pkg struct {
	ImportPath, Dir, Doc               string
	GoFiles, TestGoFiles, XTestGoFiles []string
	IgnoredGoFiles                     []string
	Imports                            []string
}

// name is the package's path as the table spells it.
func (p pkg) name() string { return short(p.ImportPath) }

func short(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, module), "internal/")
}

func list(t *testing.T) []pkg {
	cmd := exec.Command("go", "list", "-json", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var pkgs []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

func layer(name string) int {
	return slices.IndexFunc(layers, func(l struct{ pkg, may string }) bool { return l.pkg == name })
}

func TestImports(t *testing.T) {
	for _, p := range list(t) {
		i := layer(p.name())
		if i < 0 {
			t.Errorf("%s: not in the table of layers; say what it may import", p.name())
			continue
		}
		may := strings.Fields(layers[i].may)
		for _, imp := range p.Imports {
			if imp == "testing" && !strings.HasSuffix(p.name(), "test") {
				t.Errorf("%s imports testing outside its tests", p.name())
			}
			if strings.HasPrefix(imp, module) && layers[i].may != "*" && !slices.Contains(may, short(imp)) {
				t.Errorf("%s imports %s and may not", p.name(), short(imp))
			}
		}
	}
}

func TestLayersGoDown(t *testing.T) {
	for i, l := range layers {
		for _, imp := range strings.Fields(l.may) {
			if j := layer(imp); imp != "*" && (j < 0 || j >= i) {
				t.Errorf("%s may import %s, which is not below it", l.pkg, imp)
			}
		}
	}
}

func TestPackages(t *testing.T) {
	for _, p := range list(t) {
		if p.Doc == "" && len(p.GoFiles) > 0 {
			t.Errorf("%s: no package comment", p.name())
		}
		if slices.Contains(vague, filepath.Base(p.name())) {
			t.Errorf("%s: the name says nothing about what is in it", p.name())
		}
		total := 0
		ours := slices.Concat(p.GoFiles, p.IgnoredGoFiles)
		for i, file := range slices.Concat(ours, p.TestGoFiles, p.XTestGoFiles) {
			data, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			n := bytes.Count(data, []byte("\n"))
			if n > maxFile {
				t.Errorf("%s/%s: %d lines, more than %d", p.name(), file, n, maxFile)
			}
			if i < len(ours) {
				total += n
			}
		}
		if total > maxPackage {
			t.Errorf("%s: %d lines, more than %d", p.name(), total, maxPackage)
		}
	}
}
