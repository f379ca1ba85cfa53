-- What scrub wants to do in public and what became of it, whole as JSON.
CREATE TABLE actions (
    id       TEXT PRIMARY KEY,
    ref      TEXT NOT NULL,
    proposed TEXT NOT NULL,
    body     TEXT NOT NULL
);

-- What a subscription was before the first write, until it is put back.
CREATE TABLE subscriptions (
    ref   TEXT PRIMARY KEY,
    state TEXT NOT NULL
);

-- What a forge answered last, so that it need not be sent again.
CREATE TABLE answers (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
