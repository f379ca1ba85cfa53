// Package rule reads conditions that people write in profiles:
//
//	match(title, "(?i)feature request") || has(labels, "feature") && programs == 0
//
// They are Go's own expressions over named values, so precedence, quotes and
// parentheses are what programmers expect. Besides the usual operators there
// are three functions: match looks for a regular expression in a text or in
// any item of a list, has looks for an item in a list or for words in a
// text, in upper or lower case, and says(thread, settled) looks for any of
// the phrases of that name.
package rule

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
)

// A Value is a text, a list of texts, a number, or phrases to look for.
type Value struct {
	kind    kind
	text    string
	list    []string
	number  float64
	phrases []Phrase
}

// A Phrase finds itself in a text.
type Phrase interface {
	MatchString(string) bool
	FindString(string) string
}

type kind string

const (
	text   kind = "text"
	list   kind = "list"
	number kind = "number"
	spoken kind = "group of phrases"
)

// Text, List and Number make values.
func Text(s string) Value    { return Value{kind: text, text: s} }
func List(l []string) Value  { return Value{kind: list, list: l} }
func Number(n float64) Value { return Value{kind: number, number: n} }
func Count(n int) Value      { return Number(float64(n)) }

// Phrases makes a value of what can be looked for.
func Phrases[P Phrase](all []P) Value {
	v := Value{kind: spoken}
	for _, p := range all {
		v.phrases = append(v.phrases, p)
	}
	return v
}

func (v Value) items() []string {
	if v.kind == list {
		return v.list
	}
	return []string{v.text}
}

// Facts are the values that a rule speaks of, by name.
type Facts map[string]Value

// A Rule is a condition. The zero Rule holds never.
type Rule struct {
	src  string
	expr ast.Expr
	res  map[string]*regexp.Regexp
}

func (r Rule) String() string { return r.src }

// Compile reads a rule and checks all of it that can be checked without facts.
func Compile(src string) (Rule, error) {
	expr, err := parser.ParseExpr(src)
	if err != nil {
		return Rule{}, fmt.Errorf("%q is no condition: %w", src, err)
	}
	r := Rule{src: src, expr: expr, res: map[string]*regexp.Regexp{}}
	ast.Inspect(expr, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && err == nil {
			err = r.checkCall(call)
		}
		return err == nil
	})
	if err != nil {
		return Rule{}, fmt.Errorf("%q: %w", src, err)
	}
	return r, nil
}

func (r Rule) checkCall(call *ast.CallExpr) error {
	name, ok := call.Fun.(*ast.Ident)
	if !ok || !slices.Contains([]string{"match", "has", "says"}, name.Name) {
		return fmt.Errorf("the functions are match, has and says")
	}
	if len(call.Args) != 2 {
		return fmt.Errorf("%s takes a value and a text", name.Name)
	}
	if name.Name == "says" {
		if _, ok := call.Args[1].(*ast.Ident); !ok {
			return fmt.Errorf("says takes the name of a group of phrases as its second argument")
		}
		return nil
	}
	lit, ok := call.Args[1].(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return fmt.Errorf("%s takes a text in quotes as its second argument", name.Name)
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		return err
	}
	if name.Name == "has" {
		s = `(?i)` + wordBounded(s)
	}
	re, err := regexp.Compile(s)
	r.res[lit.Value+name.Name] = re
	return err
}

// wordBounded quotes s and asks for a word's edge where s has a letter at its own.
func wordBounded(s string) string {
	q := regexp.QuoteMeta(s)
	if regexp.MustCompile(`^\w`).MatchString(s) {
		q = `\b` + q
	}
	if regexp.MustCompile(`\w$`).MatchString(s) {
		q += `\b`
	}
	return q
}

// Names returns the names of the values that r speaks of, sorted.
func (r Rule) Names() []string {
	var names []string
	ast.Inspect(r.expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			for _, arg := range n.Args {
				if id, ok := arg.(*ast.Ident); ok {
					names = append(names, id.Name)
				}
			}
			return false
		case *ast.Ident:
			names = append(names, n.Name)
		}
		return true
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// Holds reports whether r holds of facts, and the words in them that
// decided it, if it does.
func (r Rule) Holds(facts Facts) (bool, []string, error) {
	if r.expr == nil {
		return false, nil, nil
	}
	e := eval{rule: r, facts: facts}
	yes, err := e.condition(r.expr)
	if err != nil {
		return false, nil, fmt.Errorf("%q: %w", r.src, err)
	}
	if !yes {
		return false, nil, nil
	}
	return true, e.words, nil
}

type eval struct {
	rule  Rule
	facts Facts
	words []string
}

func (e *eval) condition(x ast.Expr) (bool, error) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return e.condition(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			words := e.words
			yes, err := e.condition(x.X)
			e.words = words // what is not there decides nothing by its words
			return !yes, err
		}
	case *ast.CallExpr:
		return e.call(x)
	case *ast.BinaryExpr:
		if x.Op != token.LAND && x.Op != token.LOR {
			return e.comparison(x)
		}
		left, err := e.condition(x.X)
		if err != nil || left == (x.Op == token.LOR) {
			return left, err
		}
		return e.condition(x.Y)
	}
	return false, fmt.Errorf("a condition is made of comparisons, match, has, says, !, && and ||")
}

func (e *eval) call(x *ast.CallExpr) (bool, error) {
	v, err := e.value(x.Args[0])
	if err != nil {
		return false, err
	}
	if v.kind == number || v.kind == spoken {
		return false, fmt.Errorf("a %s has no words to look for", v.kind)
	}
	name := x.Fun.(*ast.Ident).Name
	forms, err := e.forms(name, x.Args[1])
	if err != nil {
		return false, err
	}
	for _, item := range v.items() {
		for _, f := range forms {
			m := f.FindString(item)
			whole := name != "has" || v.kind != list || strings.EqualFold(m, item)
			if whole && (m != "" || f.MatchString(item)) {
				e.words = append(e.words, bug.Squeeze(m))
				return true, nil
			}
		}
	}
	return false, nil
}

// forms are what a call looks for.
func (e *eval) forms(function string, x ast.Expr) ([]Phrase, error) {
	if lit, ok := x.(*ast.BasicLit); ok {
		return []Phrase{e.rule.res[lit.Value+function]}, nil
	}
	v, err := e.value(x)
	if err == nil && v.kind != spoken {
		err = fmt.Errorf("%s is a %s, not a group of phrases", x.(*ast.Ident).Name, v.kind)
	}
	return v.phrases, err
}

func (e *eval) comparison(x *ast.BinaryExpr) (bool, error) {
	a, err := e.value(x.X)
	if err != nil {
		return false, err
	}
	b, err := e.value(x.Y)
	if err != nil {
		return false, err
	}
	if a.kind != b.kind || a.kind == list || a.kind == spoken {
		return false, fmt.Errorf("cannot compare a %s with a %s", a.kind, b.kind)
	}
	c := 0
	if a.kind == number {
		c = int(max(-1, min(1, (a.number-b.number)*1e9)))
	} else {
		c = bug.CompareVersions(a.text, b.text)
	}
	switch x.Op {
	case token.EQL:
		return c == 0, nil
	case token.NEQ:
		return c != 0, nil
	case token.LSS:
		return c < 0, nil
	case token.LEQ:
		return c <= 0, nil
	case token.GTR:
		return c > 0, nil
	case token.GEQ:
		return c >= 0, nil
	}
	return false, fmt.Errorf("%s is no comparison", x.Op)
}

func (e *eval) value(x ast.Expr) (Value, error) {
	switch x := x.(type) {
	case *ast.BasicLit:
		if x.Kind == token.STRING {
			s, err := strconv.Unquote(x.Value)
			return Text(s), err
		}
		n, err := strconv.ParseFloat(x.Value, 64)
		return Number(n), err
	case *ast.Ident:
		if v, ok := e.facts[x.Name]; ok {
			return v, nil
		}
		return Value{}, fmt.Errorf("unknown name %s", x.Name)
	}
	return Value{}, fmt.Errorf("a value is a name, a text or a number")
}

// UnmarshalText compiles a rule where a profile is read.
func (r *Rule) UnmarshalText(src []byte) (err error) {
	*r, err = Compile(string(src))
	return err
}
