-- Plain SQL that SQLite and PostgreSQL read alike: no types but TEXT and
-- BIGINT, times as RFC 3339 text in UTC, no autoincrement, no dialect.

CREATE TABLE journal (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE cases (
    id      TEXT PRIMARY KEY,
    ref     TEXT NOT NULL,
    title   TEXT NOT NULL,
    verdict TEXT NOT NULL,
    body    TEXT NOT NULL,
    updated TEXT NOT NULL
);

CREATE INDEX cases_by_ref ON cases (ref);

-- What a person said about running exactly these bytes. Later words do not
-- erase earlier ones; the last one counts.
CREATE TABLE decisions (
    program TEXT NOT NULL,
    said    TEXT NOT NULL,
    who     TEXT NOT NULL,
    at      TEXT NOT NULL,
    PRIMARY KEY (program, at, who)
);
