package agents

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/mcp"
	"github.com/scrub-dev/scrub/skills"
)

// places are where agents look for skills, in a repository and in a home folder.
var places = map[string]string{"claude": ".claude/skills", "codex": ".agents/skills", "gemini": ".gemini/skills",
	"cursor": ".cursor/skills", "copilot": ".github/skills"}

// all are the skills.
func all() []mcp.Skill {
	names, err := fs.Glob(skills.Files, "*/SKILL.md")
	if err != nil {
		panic(err) // the pattern is ours
	}
	var found []mcp.Skill
	for _, name := range names {
		text, err := skills.Files.ReadFile(name)
		if err != nil {
			panic(err) // it is in the binary
		}
		one := mcp.Skill{Name: path.Dir(name), Text: string(text)}
		for line := range strings.Lines(one.Text) {
			if about, ok := strings.CutPrefix(line, "description: "); ok {
				one.About = strings.TrimSpace(about)
			}
		}
		found = append(found, one)
	}
	return found
}

// A listed is a skill as a list shows it.
type listed struct {
	Name  string `json:"name"`
	About string `json:"description"`
}

// Skills is the command that installs them.
func Skills(on *console.Console) *cobra.Command {
	c := &cobra.Command{
		Use:   "skills",
		Short: "Skills for coding agents: when to measure what, and what they must still judge",
		Long: `Skills are texts that a coding agent reads when it needs them. Scrub's are short:
the measuring is done by scrub. Each says what the agent must still judge.`,
		Example: "  scrub skills\n  scrub skills install --for claude",
		Args:    console.Wants(0, "no argument, or install"),
		RunE: func(*cobra.Command, []string) error {
			var rows []listed
			text := ""
			for _, one := range all() {
				rows = append(rows, listed{one.Name, one.About})
				text += fmt.Sprintf("%-22s %s\n", one.Name, one.About)
			}
			return on.Answer(rows, text)
		},
	}
	c.AddCommand(install(on))
	return c
}

func install(on *console.Console) *cobra.Command {
	var whose []string
	var into string
	var user bool
	c := &cobra.Command{
		Use:   "install --for AGENT",
		Short: "Write the skills to where an agent looks for them",
		Long: `Writes the skills into this repository, to where an agent looks for them, or with
--user into your home folder. A skill of the same name that somebody has changed
is left alone, unless --force is given.`,
		Example: "  scrub skills install --for claude,codex\n  scrub skills install --for copilot --user",
		Args:    console.Wants(0, "no argument"),
	}
	var force bool
	c.Flags().StringSliceVar(&whose, "for", nil, "whose: "+strings.Join(slices.Sorted(maps.Keys(places)), ", "))
	c.Flags().StringVar(&into, "into", ".", "the repository's folder")
	c.Flags().BoolVar(&user, "user", false, "into your home folder, for all repositories")
	c.Flags().BoolVar(&force, "force", false, "also over skills that somebody has changed")
	c.RunE = func(*cobra.Command, []string) error {
		if len(whose) == 0 {
			return console.Usage("--for: say which agent: %s", strings.Join(slices.Sorted(maps.Keys(places)), ", "))
		}
		root := into
		if user {
			home, err := os.UserHomeDir()
			if err != nil {
				return err
			}
			root = home
		}
		var written []string
		for _, one := range whose {
			place, ok := places[one]
			if !ok {
				return console.Usage("--for %s: want %s", one, strings.Join(slices.Sorted(maps.Keys(places)), ", "))
			}
			if user && one == "copilot" {
				place = ".copilot/skills" // .github is a repository's
			}
			names, err := write(root, place, force)
			written = append(written, names...)
			if err != nil {
				return err
			}
		}
		return on.Answer(written, strings.Join(written, "\n")+"\n")
	}
	return c
}

// write puts the skills into a folder of root.
func write(root, place string, force bool) (written []string, err error) {
	tree, err := os.OpenRoot(root) // a link in it does not lead out of it
	if err != nil {
		return nil, console.Usage("%w", err)
	}
	defer func() { err = errors.Join(err, tree.Close()) }()
	for _, one := range all() {
		name := filepath.Join(filepath.FromSlash(place), one.Name, "SKILL.md")
		before, err := tree.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return written, err
		}
		if err == nil && string(before) != one.Text && !force {
			return written, console.Usage("%s was changed by somebody; --force writes over it", filepath.Join(root, name))
		}
		if err := tree.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return written, err
		}
		if err := tree.WriteFile(name, []byte(one.Text), 0o644); err != nil {
			return written, err
		}
		written = append(written, filepath.Join(root, name))
	}
	return written, nil
}
