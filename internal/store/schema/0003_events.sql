-- What happened to each thing that scrub wants to do in public, as JSON. Rows
-- are only ever added; what stands is derived from all of them.
CREATE TABLE action_events (
    action TEXT NOT NULL,
    n      BIGINT NOT NULL,
    ref    TEXT NOT NULL,
    at     TEXT NOT NULL,
    body   TEXT NOT NULL,
    PRIMARY KEY (action, n)
);

INSERT INTO action_events (action, n, ref, at, body) SELECT id, 1, ref, proposed, body FROM actions;

DROP TABLE actions;
