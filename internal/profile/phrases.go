package profile

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Sayings is the file phrases.toml: what people say, and how it is found.
type Sayings struct {
	Words map[string]string `toml:"words"` // alternatives, by the name that forms have for them
	// forms by an example each, by group
	Phrases map[string]map[string]string `toml:"phrases"`
}

var (
	inBraces = regexp.MustCompile(`\{([a-z]\w*)\}`)
	leads    = regexp.MustCompile(`^[\w{(]`)
	trails   = regexp.MustCompile(`(^|[^\\])[\w}]\)*$`)
)

// A Saying is one form that people say something in.
type Saying struct {
	*regexp.Regexp
	Like string // an example
}

// compiled reads every form, with the words that the profile and its parents name.
func (s Sayings) compiled() (map[string][]Saying, error) {
	all := map[string][]Saying{}
	for group, forms := range s.Phrases {
		for _, like := range slices.Sorted(maps.Keys(forms)) {
			form, err := s.spelled(forms[like], 0)
			if err != nil {
				return nil, fmt.Errorf("phrases.toml: %q: %w", like, err)
			}
			if leads.MatchString(forms[like]) {
				form = `\b` + form
			}
			if trails.MatchString(forms[like]) {
				form += `\b`
			}
			re, err := regexp.Compile(`(?im)` + form)
			if err != nil {
				return nil, fmt.Errorf("phrases.toml: %q: %w", like, err)
			}
			if !re.MatchString(like) {
				return nil, fmt.Errorf("phrases.toml: %q does not match its own pattern", like)
			}
			all[group] = append(all[group], Saying{re, like})
		}
	}
	return all, nil
}

// spelled puts the words in the place of their names.
func (s Sayings) spelled(form string, depth int) (string, error) {
	var err error
	form = inBraces.ReplaceAllStringFunc(form, func(name string) string {
		words, ok := s.Words[strings.Trim(name, "{}")]
		if !ok || depth > 3 {
			err = fmt.Errorf("there are no words %s", name)
			return name
		}
		if words, err = s.spelled(words, depth+1); err != nil {
			return name
		}
		return "(?:" + words + ")"
	})
	return "(?:" + form + ")", err
}

func (s Sayings) onTopOf(parent Sayings) Sayings {
	words, phrases := maps.Clone(parent.Words), maps.Clone(parent.Phrases)
	if words == nil {
		words = map[string]string{}
	}
	if phrases == nil {
		phrases = map[string]map[string]string{}
	}
	maps.Copy(words, s.Words)
	for group, forms := range s.Phrases {
		all := maps.Clone(forms)
		maps.Copy(all, phrases[group])
		phrases[group] = all
	}
	return Sayings{Words: words, Phrases: phrases}
}
