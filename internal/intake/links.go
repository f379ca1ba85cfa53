package intake

import "regexp"

// A Link is something that the thread points to and that is not here.
type Link struct {
	URL  string   `json:"url"`
	Kind LinkKind `json:"kind"`
	Post int      `json:"post"`
}

// A LinkKind is what a link leads to, as far as its address tells.
type LinkKind string

const (
	Gist       LinkKind = "gist"
	Notebook   LinkKind = "notebook"
	Attachment LinkKind = "attachment"
	Model      LinkKind = "model"
	Source     LinkKind = "source"
)

var linkKinds = []struct {
	kind LinkKind
	is   *regexp.Regexp
}{
	{Notebook, regexp.MustCompile(`(?i)\.ipynb\b|//colab\.research\.google\.com/|//(www\.)?kaggle\.com/`)},
	{Gist, regexp.MustCompile(`(?i)//(gist\.github\.com|pastebin\.com|paste\.\w+|hastebin\.com|termbin\.com)/\w`)},
	{Model, regexp.MustCompile(`(?i)\.(pt|pth|pkl|pickle|safetensors|onnx|bin|ckpt|h5|npz?)(\?|$)|//huggingface\.co/`)},
	{Attachment, regexp.MustCompile(`(?i)//github\.com/[\w.-]+/[\w.-]+/files/|` +
		`//github\.com/user-attachments/files|\.(zip|tar|gz|tgz|7z|rar|bz2)(\?|$)|//(drive\.google\.com|` +
		`docs\.google\.com|www\.dropbox\.com|dropbox\.com|1drv\.ms|onedrive\.live\.com|mega\.nz|we\.tl|` +
		`wetransfer\.com|pan\.baidu\.com)/`)},
	{Source, regexp.MustCompile(`(?i)//(github|gitlab|bitbucket)\.(com|org)/[\w.-]+/[\w.-]+(/(tree|blob)/\S+|/?|\.git)$`)},
}

// linkTo says what url leads to; nothing of interest for most of them.
func linkTo(url string) (LinkKind, bool) {
	for _, k := range linkKinds {
		if k.is.MatchString(url) {
			return k.kind, true
		}
	}
	return "", false
}
