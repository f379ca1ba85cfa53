-- When an answer was recorded, by the database's own calendar, so that old ones
-- can go.
ALTER TABLE journal ADD COLUMN day TEXT NOT NULL DEFAULT '';
