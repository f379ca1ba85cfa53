package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/scrub-dev/scrub/internal/action"
	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/casefile"
	"github.com/scrub-dev/scrub/internal/desk"
	"github.com/scrub-dev/scrub/internal/desk/browsed"
	"github.com/scrub-dev/scrub/internal/page"
	"github.com/scrub-dev/scrub/internal/store"
	"github.com/scrub-dev/scrub/internal/web/door"
)

// note puts on record what somebody is about to do. What cannot be put on record is not done.
func (v visit) note(did, target, repo, detail string) error {
	ctx := context.WithoutCancel(v.r.Context())
	kept, err := v.Index.Desk.Kept(ctx)
	if err == nil {
		now := v.Now()
		one := store.Audited{At: now, Who: v.who.Name, Did: did, Target: target, Repo: repo, Detail: detail}
		one.ID = bug.Digest(struct {
			store.Audited
			Nano int64
			N    int64
		}{one, now.UnixNano(), v.count.Add(1)})
		err = kept.Audit(ctx, one)
	}
	if err != nil {
		return fmt.Errorf("put on record what is done: %w", err)
	}
	return nil
}

// decide is whether a program may run. It is of exactly the program that was shown; if it may, the report is
// taken up again.
func (v visit) decide() error {
	id, digest, said := v.r.PostFormValue("case"), v.r.PostFormValue("program"), v.r.PostFormValue("said")
	row, err := v.row(id, door.Runner)
	if err != nil {
		return err
	}
	c, err := v.Index.Desk.Case(v.r.Context(), id)
	if err != nil {
		return err
	}
	if c.Repro.Digest() != digest {
		return bad("the program has changed since it was shown; look at it again")
	}
	switch seen, err := v.decided(v.r.Context(), digest); {
	case err != nil:
		return err
	case seen != v.r.PostFormValue("seen"):
		return bad("somebody has decided about this program since it was shown; look at it again")
	}
	if err := v.note("decided about a program", id, row.Repo, said+" "+digest[:12]); err != nil {
		return err
	}
	if _, err := v.Index.Desk.Decide(v.r.Context(), desk.DecideRequest{Program: digest, Said: said,
		By: v.who.Name}); err != nil {
		return err
	}
	v.say(fmt.Sprintf("%s: %s.", cmp.Or(row.Ref, row.Title), said))
	return v.again(c, row, "Take it up again: "+cmp.Or(row.Ref, row.Title), func(*desk.IssueRequest) {})
}

// failure is whether what was seen is what the report is about.
func (v visit) failure() error {
	id, expect := v.r.PostFormValue("case"), v.r.PostFormValue("expect")
	row, err := v.row(id, door.Runner)
	if err != nil {
		return err
	}
	c, err := v.Index.Desk.Case(v.r.Context(), id)
	if err != nil {
		return err
	}
	if err := v.note("said of a failure", id, row.Repo, v.r.PostFormValue("is")+": "+expect); err != nil {
		return err
	}
	if v.r.PostFormValue("is") != "yes" {
		if shown, _ := c.Failing(); shown != v.r.PostFormValue("failure") {
			return bad("it fails in another way since it was shown; look at it again")
		}
		if _, err := v.Index.Desk.Decide(v.r.Context(), desk.DecideRequest{Program: id, Said: string(casefile.NotThis),
			By: v.who.Name}); err != nil {
			return err
		}
		v.say("Noted: that is not the reported failure.")
		return v.again(c, row, "Take it up again: "+cmp.Or(row.Ref, row.Title), func(*desk.IssueRequest) {})
	}
	return v.again(c, row, "Look for the failure: "+cmp.Or(row.Ref, row.Title),
		func(r *desk.IssueRequest) { r.Expect = expect })
}

// again takes up a report once more, and leads on.
func (v visit) again(c desk.Case, row browsed.Row, what string, change func(*desk.IssueRequest)) error {
	if err := v.begin(c, row, what, change); err != nil {
		return err
	}
	if v.fromInbox() != nil { // the news is on the page Live
		return v.to("/inbox" + v.next())
	}
	return v.to("/live")
}

// begin takes up a report once more, in the background.
func (v visit) begin(c desk.Case, row browsed.Row, what string, change func(*desk.IssueRequest)) error {
	r := v.Issue
	change(&r)
	j := page.Job{What: what, Case: row.ID, By: v.who.Name, Repo: row.Repo}
	err := v.jobs.Start(v.background(), j, func(ctx context.Context, d *desk.Desk) (string, error) {
		r.Source = v.source(ctx, d, c.Report)
		c, err := d.Issue(ctx, r)
		if err != nil {
			return "", err
		}
		return string(c.Verdict) + ": " + c.Reason, nil
	})
	if err != nil {
		return bad("%w", err)
	}
	return nil
}

// source is a report as it is now, or as it was kept if it cannot be read.
func (v visit) source(ctx context.Context, d *desk.Desk, kept bug.Report) desk.Source {
	live := desk.Source{Issue: kept.Ref.String(), Forge: v.Forge}
	if live.Issue != "" {
		if _, err := d.Read(ctx, live); err == nil {
			return live
		}
	}
	return desk.Source{Report: &kept, Name: kept.Title, Offline: true}
}

// run asks more of a case.
func (v visit) run() error {
	if err := v.ask(v.r.PostFormValue("case"), v.r.PostFormValue("do")); err != nil {
		return err
	}
	return v.to("/live")
}

// ask begins what is asked of a case.
func (v visit) ask(id, do string) error {
	row, err := v.row(id, door.Runner)
	if err != nil {
		return err
	}
	c, err := v.Index.Desk.Case(v.r.Context(), id)
	if err != nil {
		return err
	}
	ways := map[string]struct {
		what   string
		change func(*desk.IssueRequest)
	}{
		"again": {"Run it again", func(r *desk.IssueRequest) { r.Fresh = true }},
		"when": {"Search its releases", func(r *desk.IssueRequest) {
			r.Since, r.Versions.On, r.Pythons = true, []string{"reported", "newest"}, nil
		}},
		"small": {"Make it small", func(r *desk.IssueRequest) { r.Minimize = true }},
		"why":   {"Find out what it depends on", func(r *desk.IssueRequest) { r.Why = true }},
		"test":  {"Write a test", func(r *desk.IssueRequest) { r.Test, r.Expected = true, true }},
	}
	way, ok := ways[do]
	if !ok {
		return bad("%q: there is no such thing to do", do)
	}
	if c.Consent.Decision != casefile.Proceed && len(c.Candidates) > 0 && c.Waits() {
		return bad("a person must agree to the program first")
	}
	if err := v.note("asked for", id, row.Repo, do); err != nil {
		return err
	}
	return v.begin(c, row, way.what+": "+cmp.Or(row.Ref, row.Title), way.change)
}

func (v visit) cancel() error {
	j, ok := v.jobs.Find(v.r.PostFormValue("job"), v.who)
	if !ok {
		return errHidden
	}
	if err := v.note("stopped", j.Case, j.Repo, j.What); err != nil {
		return err
	}
	v.jobs.Stop(j.ID)
	return v.to("/live")
}

// sent are the actions that a form names, by their whole IDs, each of which stands for exact bytes.
func (v visit) sent() ([]desk.Action, error) {
	l, err := v.Index.Desk.Ledger(v.r.Context(), nil, nil)
	if err != nil {
		return nil, err
	}
	var all []desk.Action
	for id := range strings.SplitSeq(v.r.PostFormValue("ids"), ",") {
		if len(id) != 64 {
			return nil, bad("an action is named by its whole digest")
		}
		e, err := l.Entry(v.r.Context(), id)
		if err != nil {
			return nil, errHidden
		}
		switch role := v.who.In(e.Action.On.Place()); {
		case role < door.Reader:
			return nil, errHidden
		case role < door.Approver:
			return nil, errRole
		}
		all = append(all, desk.AnswerAction(e))
	}
	return all, nil
}

// consent is a yes or no to actions. What changed in the meantime is left alone and said.
func (v visit) consent() error {
	all, err := v.sent()
	if err != nil {
		return err
	}
	said := v.r.PostFormValue("said")
	if said != "yes" && said != "no" {
		return bad("say yes or no")
	}
	var done, late []string
	for _, a := range all {
		if a.Status == action.Done || a.Status == action.Void || !a.Begun.IsZero() {
			late = append(late, fmt.Sprintf("%s on %s is %s already", a.Action.Kind, a.Action.On, a.Words()))
			continue
		}
		if v.hasSaid(a, said == "yes") {
			continue
		}
		if err := v.note("said "+said, a.Action.On.String(), a.Action.On.Place(),
			string(a.Action.Kind)+" "+a.Action.Short()); err != nil {
			return err
		}
		now, err := v.Index.Desk.Consent(v.r.Context(), desk.ConsentRequest{IDs: []string{a.ID}, Yes: said == "yes",
			By: v.who.Name})
		if err != nil {
			late = append(late, err.Error())
			continue
		}
		if said == "yes" && now[0].Status == action.Denied {
			late = append(late, fmt.Sprintf("%s on %s is %s", a.Action.Kind, a.Action.On, now[0].Words()))
		}
		done = append(done, a.ID)
	}
	words := fmt.Sprintf("%s: %s.", said, bug.Count(len(done), "action"))
	if len(late) > 0 {
		words += " Left alone: " + strings.Join(late, "; ") + "."
	}
	v.say(words, done...)
	v.look(v.r.Context())
	return v.to("/inbox" + v.next())
}

// hasSaid reports whether whoever asks has said this already: what is sent twice says nothing new.
func (v visit) hasSaid(a desk.Action, yes bool) bool {
	return slices.ContainsFunc(a.Decisions, func(d action.Vote) bool { return d.By == v.who.Name && d.Yes == yes })
}

// fromInbox is the query of the list that somebody works through; nil elsewhere.
func (v visit) fromInbox() url.Values {
	from, err := url.Parse(v.r.Referer())
	if err != nil || from.Path != "/inbox" {
		return nil
	}
	return from.Query()
}

// next is that query with the case that comes after the one that was decided about.
func (v visit) next() string {
	q := v.fromInbox()
	if q == nil {
		q = url.Values{}
	}
	q.Del("at")
	if at := v.r.PostFormValue("next"); at != "" {
		q.Set("at", at)
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

// withdraw takes back what whoever asks has said, as long as it is not done.
func (v visit) withdraw() error {
	all, err := v.sent()
	if err != nil {
		return err
	}
	l, err := v.Index.Desk.Ledger(v.r.Context(), nil, nil)
	if err != nil {
		return err
	}
	var late []error
	for _, a := range all {
		if err := v.note("took back", a.Action.On.String(), a.Action.On.Place(),
			string(a.Action.Kind)+" "+a.Action.Short()); err != nil {
			return err
		}
		if _, err := l.Withdraw(v.r.Context(), a.ID, v.who.Name); err != nil {
			late = append(late, err)
		}
	}
	switch {
	case len(late) == len(all):
		return bad("%w", errors.Join(late...))
	case len(late) > 0:
		v.say(fmt.Sprintf("Taken back, but for %d: %v.", len(late), errors.Join(late...)))
	default:
		v.say("Taken back.")
	}
	v.look(v.r.Context())
	row, ok := v.Index.Of(all[0].Action.On.String())
	if !ok {
		return v.to("/inbox")
	}
	return v.to("/inbox?at=" + row.ID)
}

// edit puts a comment in other words, which wait for consent.
func (v visit) edit() error {
	v.r.PostForm.Set("ids", v.r.PostFormValue("id"))
	all, err := v.sent()
	if err != nil {
		return err
	}
	l, err := v.Index.Desk.Ledger(v.r.Context(), nil, nil)
	if err != nil {
		return err
	}
	text := strings.ReplaceAll(v.r.PostFormValue("text"), "\r\n", "\n")
	if err := v.note("edits", all[0].Action.On.String(), all[0].Action.On.Place(), all[0].Action.Short()); err != nil {
		return err
	}
	e, err := l.Edit(v.r.Context(), all[0].ID, text, v.who.Name)
	if err != nil {
		return bad("%w", err)
	}
	v.say("Edited. These words wait for a yes.")
	v.look(v.r.Context())
	row, ok := v.Index.Of(e.Action.On.String())
	if !ok {
		return v.to("/inbox")
	}
	return v.to("/inbox?at=" + row.ID)
}

// background is the context of work that outlives the request which asked for it.
func (v visit) background() context.Context { return context.WithoutCancel(v.r.Context()) }
