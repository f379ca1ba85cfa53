-- What lists show of a case, as JSON, so that no body has to be read for them.
ALTER TABLE cases ADD COLUMN brief TEXT NOT NULL DEFAULT '';

CREATE INDEX cases_by_updated ON cases (updated);

CREATE INDEX action_events_by_at ON action_events (at);

-- What people did on the page. Rows are only ever added.
CREATE TABLE audit (
    id     TEXT PRIMARY KEY,
    at     TEXT NOT NULL,
    who    TEXT NOT NULL,
    did    TEXT NOT NULL,
    target TEXT NOT NULL,
    repo   TEXT NOT NULL,
    detail TEXT NOT NULL
);

CREATE INDEX audit_by_at ON audit (at);

-- Lists that somebody looks at again and again, by the name they gave them.
CREATE TABLE views (
    who   TEXT NOT NULL,
    name  TEXT NOT NULL,
    query TEXT NOT NULL,
    PRIMARY KEY (who, name)
);

-- When somebody last looked through the cases.
CREATE TABLE visits (
    who TEXT PRIMARY KEY,
    at  TEXT NOT NULL
);
