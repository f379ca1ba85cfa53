package mend

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Files that a program reads are made up where their shape is plain, and are
// named where it is not.
func TestFiles(t *testing.T) {
	for _, tt := range []struct{ program, makes, needs string }{
		{`df = pd.read_csv("sales.csv")` + "\ndf['price'].mean()\ndf[['day', 'shop']]\n", "price,day,shop\n1,2020-01-01,1\n", ""},
		{`df = pd.read_csv("data/a.csv", usecols=["x"])` + "\n", "x\n1\n", ""},
		{`t = pd.read_table("a.tsv", index_col="k")` + "\nt.loc[3, 'v']\n", "k\tv\n1\t1\n", ""},
		{`a = np.loadtxt("a.txt")`, "1 2 3\n", ""},
		{`a = np.genfromtxt("a.dat", delimiter=",")`, "1,2,3\n", ""},
		{`df = pd.read_csv("a.csv")` + "\ndf.plot()\n", "", "a.csv"},
		{`df = pd.read_csv("../a.csv")` + "\ndf['x']\n", "", ""},
		{`ds = xr.open_dataset("a.nc")`, "", ""},
	} {
		mends, needed := Files(tt.program)
		if got := strings.Join(needed, " "); got != tt.needs {
			t.Errorf("%s: needs %q, want %q", tt.program, got, tt.needs)
		}
		if made := content(t, mends); !strings.HasPrefix(made, tt.makes) || (made == "") != (tt.makes == "") {
			t.Errorf("%s: makes %q, want %q", tt.program, made, tt.makes)
		}
	}
	mends, _ := Files(`im = plt.imread("a.png")`)
	if made := content(t, mends); !strings.HasPrefix(made, "\x89PNG\r\n") || !strings.HasSuffix(made, "IEND\xaeB`\x82") {
		t.Errorf("a picture: %q", made)
	}
}

// content is what the lines of some mends write.
func content(t *testing.T, mends []Mend) string {
	t.Helper()
	dir := t.TempDir()
	for _, m := range mends {
		cmd := exec.CommandContext(t.Context(), "python3", "-c", m.Text)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v %s", m.Text, err, out)
		}
	}
	found, _ := filepath.Glob(filepath.Join(dir, "*"))
	more, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	var all string
	for _, name := range append(found, more...) {
		if text, err := os.ReadFile(name); err == nil {
			all += string(text)
		}
	}
	return all
}
