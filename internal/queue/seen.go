package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// A Seen job is one as whoever runs the queue sees it.
type Seen struct {
	Job
	State string    // River's word: available, running, retryable, scheduled, …
	Over  bool      // nobody will try it again
	Due   time.Time // when it is tried again; in the past for what waits for a worker
	Begun time.Time // when it was last tried
	By    string    // who tried it last
}

// ErrGone is that a job is not there, or not any more.
var ErrGone = errors.New("there is no such job any more")

// waiting are the states of jobs that are not over.
var waiting = []rivertype.JobState{rivertype.JobStateRunning, rivertype.JobStateRetryable, rivertype.JobStateScheduled,
	rivertype.JobStateAvailable, rivertype.JobStatePending}

// over are those of jobs that are, and are of interest: nobody gets to see what came of them otherwise.
var over = []rivertype.JobState{rivertype.JobStateDiscarded, rivertype.JobStateCancelled}

// Jobs are at most so many that are not over, in each state, those that run first; and as many that were given up.
func (q *Queue) Jobs(ctx context.Context, most int) ([]Seen, error) {
	var seen []Seen
	for _, state := range slices.Concat(waiting, over) {
		order, ended := river.SortOrderAsc, slices.Contains(over, state)
		if ended {
			order = river.SortOrderDesc
		}
		found, err := q.JobList(ctx, river.NewJobListParams().Queues(all).States(state).
			OrderBy(river.JobListOrderByID, order).First(most))
		if err != nil {
			return nil, fmt.Errorf("list jobs: %w", err)
		}
		for _, row := range found.Jobs {
			var t Task
			if json.Unmarshal(row.EncodedArgs, &t) != nil {
				continue // somebody else's
			}
			s := Seen{Job: jobOf(row, t), State: string(row.State), Over: ended, Due: row.ScheduledAt}
			if row.AttemptedAt != nil {
				s.Begun = *row.AttemptedAt
			}
			if n := len(row.AttemptedBy); n > 0 {
				s.By = row.AttemptedBy[n-1]
			}
			seen = append(seen, s)
		}
	}
	return seen, nil
}

// Now has a job tried as soon as a worker is free, whenever it was to be tried.
func (q *Queue) Now(ctx context.Context, id int64) error {
	_, err := q.JobRetry(ctx, id)
	if errors.Is(err, rivertype.ErrNotFound) {
		return ErrGone
	}
	return err
}
