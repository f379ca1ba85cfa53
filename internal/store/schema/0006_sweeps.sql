-- What was asked of a whole backlog, and how far each of its reports has come.
-- The jobs themselves are in River's tables, which are made before these.
CREATE TABLE sweeps (
    id    TEXT PRIMARY KEY,
    at    TEXT NOT NULL,
    state TEXT NOT NULL,
    why   TEXT NOT NULL,
    used  BIGINT NOT NULL,
    body  TEXT NOT NULL
);

CREATE TABLE items (
    sweep   TEXT NOT NULL,
    n       BIGINT NOT NULL,
    source  TEXT NOT NULL,
    digest  TEXT NOT NULL,
    repo    TEXT NOT NULL,
    title   TEXT NOT NULL,
    state   TEXT NOT NULL,
    step    TEXT NOT NULL,
    verdict TEXT NOT NULL,
    reason  TEXT NOT NULL,
    kase    TEXT NOT NULL,
    place   BIGINT NOT NULL,
    leader  BIGINT NOT NULL,
    claim   TEXT NOT NULL,
    needs   TEXT NOT NULL,
    doing   TEXT NOT NULL,
    updated TEXT NOT NULL,
    PRIMARY KEY (sweep, n)
);

CREATE UNIQUE INDEX items_by_source ON items (sweep, source);

CREATE INDEX items_by_state ON items (sweep, state);

CREATE INDEX items_by_leader ON items (sweep, leader);

-- Who works on jobs. Whether they still do is told by a lock, not by this.
CREATE TABLE workers (
    id      TEXT PRIMARY KEY,
    machine TEXT NOT NULL,
    slots   BIGINT NOT NULL,
    started TEXT NOT NULL
);

-- Which machines have what jobs need.
CREATE TABLE homes (
    needs   TEXT NOT NULL,
    machine TEXT NOT NULL,
    PRIMARY KEY (needs, machine)
);

-- What may be used up only so fast by everybody together.
CREATE TABLE budgets (
    name  TEXT PRIMARY KEY,
    since TEXT NOT NULL,
    used  BIGINT NOT NULL
);

CREATE INDEX action_events_by_ref ON action_events (ref);

-- What was said of a case, each time that changed.
CREATE TABLE verdicts (
    kase    TEXT NOT NULL,
    n       BIGINT NOT NULL,
    at      TEXT NOT NULL,
    verdict TEXT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (kase, n)
);
