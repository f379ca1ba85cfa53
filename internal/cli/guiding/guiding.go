// Package guiding has the commands about what coding agents should know of a project.
package guiding

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/scrub-dev/scrub/internal/console"
	"github.com/scrub-dev/scrub/internal/desk/guided"
	"github.com/scrub-dev/scrub/internal/guide"
	"github.com/scrub-dev/scrub/internal/guide/watched"
	"github.com/scrub-dev/scrub/internal/llm"
	"github.com/scrub-dev/scrub/internal/report"
)

type commands struct{ *console.Console }

// Command is scrub guide, with all below it.
func Command(on *console.Console) *cobra.Command {
	a := commands{on}
	var write bool
	var out, model, pr string
	var r guide.Request
	c := &cobra.Command{
		Use:   "guide [CLONE]",
		Short: "Find out from a project's history what coding agents should know about it",
		Long: `Reads the merged changes of a git clone and finds out what goes together: which
files people change along with which, and which commands the project defines.

Sessions of coding agents are read too: those that Entire keeps in the clone, and
those you name with --sessions. They show which files agents look for in vain and
which commands people do not let them run. No text of theirs goes into a file for
agents; the report quotes why people refused something, cleaned.

Rules are found on the oldest part of the last 4,000 changes, chosen on the next,
and counted on the newest, which took no part in it; only those counts are
printed. What the project's own documents already say is left out.

Prints the section for AGENTS.md. With --write the section is put into the
clone's AGENTS.md after you have seen the difference and agreed; with --out the
skills and the report are written as well.`,
		Example: `  scrub guide
  scrub guide ~/src/project --out guide/
  scrub guide check              # is what AGENTS.md says still so?
  scrub guide hint src/api.py    # what usually goes with this file`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return console.Usage("scrub guide takes at most one CLONE; see scrub guide -h")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.pick(&r, model); err != nil {
				return err
			}
			r.Dir = "."
			if len(args) == 1 {
				r.Dir = args[0]
			}
			if pr != "" {
				return a.propose(c.Context(), r, pr)
			}
			return a.make(c.Context(), r, write, out)
		},
	}
	c.Flags().BoolVar(&write, "write", false, "put the section into AGENTS.md of the clone, after asking")
	c.Flags().StringVar(&pr, "pr", "",
		"OWNER/REPO to propose the files to as a pull request; nothing is sent before you agree")
	c.Flags().StringVarP(&out, "out", "o", "", "folder to write AGENTS.md, the skills and the report to")
	c.Flags().StringSliceVar(&r.Sessions, "sessions", nil,
		"files or folders with sessions of coding agents to read as well")
	c.Flags().StringVar(&model, "model", "",
		"a model that finds words for the rules, out of a fixed list: anthropic:MODEL, "+
			"openai:MODEL, 'https://HOST/v1 MODEL' or command:LINE")
	c.Flags().IntVar(&r.Most, "changes", 0, "how many changes to look at, the newest (default 4000)")
	c.AddCommand(a.check(), a.hint(), a.replay())
	return c
}

// pick chooses the model that finds words, if one is wanted.
func (a commands) pick(r *guide.Request, model string) (err error) {
	if model == "" {
		return nil
	}
	if r.Model, err = llm.Spec(model).Open(a.key); err != nil {
		return console.Usage("--model %w", err)
	}
	return nil
}

// key is what a service of models knows this person by.
func (a commands) key(service string) string {
	return a.Getenv(map[string]string{"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY",
		"server": "SCRUB_MODEL_KEY"}[service])
}

// desk is the application. Who has it closes it.
func (a commands) desk() guided.Desk { return guided.Desk{Desk: a.Desk()} }

func (a commands) make(ctx context.Context, r guide.Request, write bool, out string) error {
	if len(r.Sessions) == 0 {
		if err := a.found(ctx, &r); err != nil {
			return err
		}
	}
	d := a.desk()
	defer d.Close()
	g, err := d.Guide(ctx, r)
	if err != nil {
		return err
	}
	if out != "" {
		if err := save(out, g); err != nil {
			return err
		}
	}
	if write {
		if err := a.write(ctx, r.Dir, g); err != nil {
			return err
		}
	}
	text := g.Agents
	if text == "" {
		text = fmt.Sprintf("Nothing to say: in %d changes no rule came up that held on the newest %d.\n", g.Changes, g.Newest)
	}
	return a.Answer(g, report.Clean(text+"\n"+g.Figures()))
}

// propose enters a pull request into the ledger.
func (a commands) propose(ctx context.Context, r guide.Request, repo string) error {
	d := a.desk()
	defer d.Close()
	got, err := d.Propose(ctx, r, repo)
	if err != nil {
		return err
	}
	return a.Answer(got, report.Clean(fmt.Sprintf("Proposed, and nothing is sent:\n\n%s\nTo open it: scrub approve %s, then scrub apply.\n",
		got.Action.Text, got.ID[:12])))
}

// found asks whether sessions may be read that agents keep on this machine. Where nobody can be asked, it is said
// where they are.
func (a commands) found(ctx context.Context, r *guide.Request) error {
	places := watched.Places(a.Getenv("HOME"), r.Dir)
	if len(places) == 0 {
		return nil
	}
	names := strings.Join(places, " and ")
	yes, err := a.Yes(ctx, "There are sessions of coding agents in "+names+". Read those of this clone too? Nothing of their text is printed.")
	if err != nil {
		return err
	}
	if yes {
		r.Found = places
	} else {
		a.Note("sessions of coding agents in %s were not read; --sessions reads them", names)
	}
	return nil
}

// save writes all that was made.
func save(dir string, g guide.Guide) error {
	files := map[string]string{"AGENTS.md": g.Agents, "report.md": g.Report()}
	for _, n := range g.Nested {
		files[filepath.FromSlash(n.Path)] = n.Text
	}
	for _, s := range g.Skills {
		files[filepath.Join("skills", s.Name, "SKILL.md")] = s.Text
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return console.Usage("%w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return console.Usage("%w", err)
	}
	defer root.Close()
	for name, text := range files {
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return console.Usage("%w", err)
		}
		if err := root.WriteFile(name, []byte(text), 0o644); err != nil {
			return console.Usage("%w", err)
		}
	}
	return nil
}

// write puts the sections into the clone, if a person agrees to the difference.
func (a commands) write(ctx context.Context, dir string, g guide.Guide) error {
	root, err := os.OpenRoot(dir) // a link in the clone leads nowhere else
	if err != nil {
		return err
	}
	defer root.Close()
	texts := map[string]string{}
	for _, n := range append(g.Nested, guide.Nested{Path: "AGENTS.md", Text: g.Agents}) {
		if info, err := root.Lstat(filepath.FromSlash(n.Path)); err == nil && !info.Mode().IsRegular() {
			return console.Usage("%s in %s is a link: write to the file it leads to by hand", n.Path, dir)
		}
		old, err := root.ReadFile(filepath.FromSlash(n.Path))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if text := guide.Insert(string(old), n.Text); text != string(old) {
			texts[filepath.FromSlash(n.Path)] = text
			fmt.Fprint(a.Err, report.Clean(string(diff.Diff(n.Path, old, n.Path, []byte(text)))))
		}
	}
	names := slices.Sorted(maps.Keys(texts))
	if len(names) == 0 {
		a.Note("AGENTS.md of %s is up to date", dir)
		return nil
	}
	yes, err := a.Yes(ctx, "Write this to "+strings.Join(names, " and ")+" in "+dir+"?")
	if err != nil {
		return err
	}
	if !yes {
		return console.Ends(console.Undecided, fmt.Errorf("%s was not changed: nobody agreed", strings.Join(names, " and ")))
	}
	for _, name := range names {
		if err := root.WriteFile(name, []byte(texts[name]), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (a commands) check() *cobra.Command {
	var r guide.Request
	c := &cobra.Command{
		Use:   "check [FILE…]",
		Short: "Check whether AGENTS.md, CLAUDE.md and skills are still true of the project",
		Long: `Reads the files that tell coding agents about a project, as they are in the newest
commit, and checks the paths and commands they name: each holds, is stale (with
the commit that took it away), is doubtful, or is not checked. Rules that a guide
has written there are tried on the last 50 changes. Sessions of agents, those that
Entire keeps and those you name, show how many ran into what is stale. Ends with
exit code 4 if anything is stale, so it can be a check in CI or a hook before a
commit.`,
		Example: "  scrub guide check\n  scrub guide check CLAUDE.md --git ~/src/project --json",
		RunE: func(c *cobra.Command, args []string) error {
			d := a.desk()
			defer d.Close()
			got, err := d.Check(c.Context(), r, args)
			if err != nil {
				return err
			}
			if err := a.Answer(got, report.Clean(checkText(got))); err != nil || got.Counts[guide.Stale] == 0 {
				return err
			}
			return console.Ends(console.No, nil)
		},
	}
	c.Flags().StringVar(&r.Dir, "git", ".", "the clone")
	c.Flags().StringSliceVar(&r.Sessions, "sessions", nil, "sessions of agents, which show what stale lines cost")
	return c
}

func checkText(c guide.Checked) string {
	var b strings.Builder
	for _, claim := range c.Claims {
		if claim.Verdict == guide.Stale || claim.Verdict == guide.Doubtful {
			fmt.Fprintf(&b, "%s:%d: %s: %s (%s)", claim.File, claim.Line, claim.Verdict, claim.Text, claim.Why)
			if claim.Cost > 0 {
				fmt.Fprintf(&b, "; %d of %d sessions ran into it", claim.Cost, c.Sessions)
			}
			b.WriteString("\n")
		}
	}
	if len(c.Files) == 0 {
		return "There is no file for agents here: no AGENTS.md, CLAUDE.md, GEMINI.md, SKILL.md or rules of Cursor or Copilot.\n"
	}
	fmt.Fprintf(&b, "%d claims in %d files: %d hold, %d stale, %d doubtful, %d not checked\n", len(c.Claims), len(c.Files),
		c.Counts[guide.Holds], c.Counts[guide.Stale], c.Counts[guide.Doubtful], c.Counts[guide.NotChecked])
	return b.String()
}

func (a commands) hint() *cobra.Command {
	var r guide.Request
	c := &cobra.Command{
		Use:   "hint FILE…",
		Short: "Show what usually changes together with the given files",
		Long: `For a hook of a coding agent: given the files it has touched, by their paths in
the project, names what changes of these files usually also change and this one
does not. Says nothing unless a rule applies that the newest changes bear out.`,
		Example: "  scrub guide hint src/api.py src/views.py\n  git diff --name-only | xargs scrub guide hint",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return console.Usage("scrub guide hint needs at least one FILE; see scrub guide hint -h")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			d := a.desk()
			defer d.Close()
			hints, err := d.Hints(c.Context(), r, args)
			if err != nil {
				return err
			}
			var b strings.Builder
			for _, h := range hints {
				fmt.Fprintln(&b, h.Say)
			}
			return a.Answer(hints, report.Clean(b.String()))
		},
	}
	c.Flags().StringVar(&r.Dir, "git", ".", "the clone")
	return c
}
