package guide

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/scrub-dev/scrub/internal/cochange"
	"github.com/scrub-dev/scrub/internal/journal"
	"github.com/scrub-dev/scrub/internal/llm"
)

// A Wording is a sentence that a model has found.
type Wording struct {
	Say string `json:"say"`
}

// facts are all that a model is told of a rule, and all that its sentence may speak of.
type facts struct {
	When     string   `json:"when"`
	Then     string   `json:"then"`
	Paths    []string `json:"paths"`
	Followed int      `json:"followed"`
	Of       int      `json:"of"`
	Fixed    string   `json:"sentence"`
}

func factsOf(r cochange.Rule) facts {
	return facts{about(r.When), about(r.Then), []string{r.When.Path, r.Then.Path}, r.Newest.Followed, r.Newest.Of,
		Sentence(r)}
}

// vocabulary are the words that a sentence may be made of, besides those of the fixed one. Agents obey what they read
// in AGENTS.md, so a model chooses among harmless words and has none of its own.
var vocabulary = strings.Fields(`a about added adding additions along also an and another any are as at belongs both change
	changed changes class come comes companion companions corresponding documentation each edit edited edits entry file files
	folder for from function functions go goes has have if in into is it its likely look matching means most mostly near new
	newest next of often on one or other part public recent same see so such test tests that the their them there these they
	this those time times to together too touch touched touches touching under update updated updates usual usually was well were
	when where which with work you your`)

var (
	quoted  = regexp.MustCompile("`([^`]*)`")
	word    = regexp.MustCompile(`[A-Za-z]+`)
	number  = regexp.MustCompile(`\d+`)
	strange = regexp.MustCompile(`[^A-Za-z0-9 .,:;()'-]`)
)

// mostSay is how long a sentence may be.
const mostSay = 240

// check says what is wrong with a sentence about f.
func (f facts) check(w Wording) error {
	rest := quoted.ReplaceAllString(w.Say, " ")
	switch {
	case w.Say == "" || len(w.Say) > mostSay:
		return fmt.Errorf("it must have 1 to %d characters", mostSay)
	case !strings.HasSuffix(w.Say, "."):
		return errors.New("it must end with a full stop")
	case strange.MatchString(rest):
		return fmt.Errorf("%q is not a sign that it may use", strange.FindString(rest))
	}
	var named []string
	for _, m := range quoted.FindAllStringSubmatch(w.Say, -1) {
		if !slices.Contains(f.Paths, m[1]) {
			return fmt.Errorf("`%s` is not among the facts", m[1])
		}
		named = append(named, m[1])
	}
	for _, p := range f.Paths {
		if !slices.Contains(named, p) {
			return fmt.Errorf("`%s` is missing", p)
		}
	}
	for _, n := range number.FindAllString(rest, -1) {
		if n != strconv.Itoa(f.Followed) && n != strconv.Itoa(f.Of) {
			return fmt.Errorf("%s is not among the facts", n)
		}
	}
	numbers := number.FindAllString(rest, -1)
	if !slices.Contains(numbers, strconv.Itoa(f.Followed)) || !slices.Contains(numbers, strconv.Itoa(f.Of)) {
		return errors.New("the two counts are missing")
	}
	known := word.FindAllString(strings.ToLower(quoted.ReplaceAllString(f.Fixed, " ")), -1)
	for _, one := range word.FindAllString(strings.ToLower(rest), -1) {
		if !slices.Contains(vocabulary, one) && !slices.Contains(known, one) {
			return fmt.Errorf("%q is not a word that it may use", one)
		}
	}
	return nil
}

const asking = `Write one plain English sentence for people who change a software project. It says which changes usually
go together. Use only these facts, name both paths in backquotes exactly as they are, and give the two counts:

%s

Use no word that is not in this list or in the sentence above: %s

Answer with JSON and nothing else: {"say": "…"}`

// word lets a model say the rules. Where its words cannot be used, or there are none, the fixed sentence stands.
func (g *Guide) word(ctx context.Context, m llm.Model, log journal.Log) error {
	for i := range g.Lines {
		f := factsOf(*g.Lines[i].Rule)
		data, err := json.MarshalIndent(f, "", "  ")
		if err != nil {
			return err
		}
		p := llm.Prompt{Task: "words", Text: fmt.Sprintf(asking, data, strings.Join(vocabulary, " "))}
		w, err := llm.Ask(ctx, m, log, p, f.check)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, llm.ErrUnusable):
			g.Unworded++
		case err != nil:
			return err
		default:
			g.Lines[i].Say, g.Lines[i].By = w.Say, m.Name()
		}
	}
	return nil
}
