package action

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrub-dev/scrub/internal/bug"
	"github.com/scrub-dev/scrub/internal/forge"
)

// A Rehearsal is a writer that writes nothing: it says what would be sent,
// and pretends that it was.
type Rehearsal struct {
	forge.Writer
	Say func(request string)

	live  map[bug.Ref]*forge.Live
	subs  map[bug.Ref]forge.Subscription
	pulls map[string]bool // by branch
}

func (r *Rehearsal) on(ctx context.Context, ref bug.Ref) (*forge.Live, error) {
	if l, ok := r.live[ref]; ok {
		return l, nil
	}
	l, err := r.Writer.Live(ctx, ref)
	if err != nil {
		return nil, err
	}
	if r.live == nil {
		r.live = map[bug.Ref]*forge.Live{}
		r.subs = map[bug.Ref]forge.Subscription{}
	}
	r.live[ref] = &l
	return &l, nil
}

// say shows a request and lets f pretend what it does.
func (r *Rehearsal) say(ctx context.Context, ref bug.Ref, request, body string, f func(*forge.Live)) error {
	l, err := r.on(ctx, ref)
	if err != nil {
		return err
	}
	r.Say(request + "\n" + indent(body))
	f(l)
	r.subs[ref] = forge.Subscribed
	return nil
}

func indent(body string) string {
	if body == "" {
		return ""
	}
	return "    " + strings.ReplaceAll(strings.TrimRight(body, "\n"), "\n", "\n    ") + "\n"
}

func path(ref bug.Ref, rest string) string {
	return fmt.Sprintf("/repos/%s/issues/%d%s", ref.Repo, ref.Number, rest)
}

// Live implements forge.Writer.
func (r *Rehearsal) Live(ctx context.Context, ref bug.Ref) (forge.Live, error) {
	l, err := r.on(ctx, ref)
	if err != nil {
		return forge.Live{}, err
	}
	return *l, nil
}

// Comment implements forge.Writer.
func (r *Rehearsal) Comment(ctx context.Context, ref bug.Ref, body string) error {
	return r.say(ctx, ref, "POST "+path(ref, "/comments"), body, func(l *forge.Live) {
		l.Comments = append(l.Comments, bug.Comment{ID: "new", Body: body, Own: true})
	})
}

// EditComment implements forge.Writer.
func (r *Rehearsal) EditComment(ctx context.Context, ref bug.Ref, id, body string) error {
	return r.say(ctx, ref, fmt.Sprintf("PATCH /repos/%s/issues/comments/%s", ref.Repo, id), body, func(l *forge.Live) {
		for i := range l.Comments {
			if l.Comments[i].ID == id {
				l.Comments[i].Body = body
			}
		}
	})
}

// DeleteComment implements forge.Writer.
func (r *Rehearsal) DeleteComment(ctx context.Context, ref bug.Ref, id string) error {
	return r.say(ctx, ref, fmt.Sprintf("DELETE /repos/%s/issues/comments/%s", ref.Repo, id), "", func(l *forge.Live) {
		l.Comments = slices.DeleteFunc(slices.Clone(l.Comments), func(c bug.Comment) bool { return c.ID == id })
	})
}

// AddLabels implements forge.Writer.
func (r *Rehearsal) AddLabels(ctx context.Context, ref bug.Ref, labels ...forge.Label) error {
	var names, quoted []string
	for _, l := range labels {
		names, quoted = append(names, l.Name), append(quoted, strconv.Quote(l.Name))
	}
	return r.say(ctx, ref, "POST "+path(ref, "/labels")+" "+strings.Join(quoted, ", "), "",
		func(l *forge.Live) { l.Labels = slices.Concat(l.Labels, names) })
}

// RemoveLabel implements forge.Writer.
func (r *Rehearsal) RemoveLabel(ctx context.Context, ref bug.Ref, label string) error {
	return r.say(ctx, ref, "DELETE "+path(ref, "/labels/"+label), "", func(l *forge.Live) {
		l.Labels = slices.DeleteFunc(slices.Clone(l.Labels), func(have string) bool { return have == label })
	})
}

// SetState implements forge.Writer.
func (r *Rehearsal) SetState(ctx context.Context, ref bug.Ref, to bug.State, reason string) error {
	return r.say(ctx, ref, fmt.Sprintf("PATCH %s state %s, reason %s", path(ref, ""), to, reason), "",
		func(l *forge.Live) { l.State = to })
}

// Subscription implements forge.Writer.
func (r *Rehearsal) Subscription(ctx context.Context, ref bug.Ref) (forge.Subscription, error) {
	if s, ok := r.subs[ref]; ok {
		return s, nil
	}
	return r.Writer.Subscription(ctx, ref)
}

// SetSubscription implements forge.Writer.
func (r *Rehearsal) SetSubscription(_ context.Context, ref bug.Ref, s forge.Subscription) error {
	r.Say(fmt.Sprintf("GraphQL updateSubscription %v: %s\n", ref, s))
	if r.subs == nil {
		r.subs = map[bug.Ref]forge.Subscription{}
	}
	r.subs[ref] = s
	return nil
}
