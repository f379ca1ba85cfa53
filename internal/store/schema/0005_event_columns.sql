-- What happened to an action, and who said so and why, beside the whole of it,
-- so that the database can be asked. Rows of an earlier scrub have only the body.
ALTER TABLE action_events ADD COLUMN kind TEXT NOT NULL DEFAULT '';
ALTER TABLE action_events ADD COLUMN who TEXT NOT NULL DEFAULT '';
ALTER TABLE action_events ADD COLUMN why TEXT NOT NULL DEFAULT '';
