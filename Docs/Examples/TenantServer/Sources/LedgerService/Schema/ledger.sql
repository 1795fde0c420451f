-- The ledger's own tables, for SQLite. (In PostgreSQL, number would be BIGINT GENERATED ALWAYS AS IDENTITY.)
CREATE TABLE entries (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    request_id TEXT NOT NULL,
    text TEXT NOT NULL,
    owner_kind TEXT NOT NULL CHECK (owner_kind IN ('unset', 'nobody', 'named')),
    owner_name TEXT NOT NULL CHECK ((owner_kind = 'named') = (owner_name <> '')),
    owner_key TEXT NOT NULL,
    UNIQUE (owner_kind, owner_key, request_id)
);
CREATE INDEX entries_of_owner ON entries (owner_kind, owner_key, number);

-- What the job of an entry made, and as whom its work was seen to run. Two receipts of one entry would be an error.
CREATE TABLE receipts (
    entry INTEGER NOT NULL PRIMARY KEY REFERENCES entries (number),
    made_kind TEXT NOT NULL CHECK (made_kind IN ('unset', 'nobody', 'named')),
    made_name TEXT NOT NULL,
    made_key TEXT NOT NULL,
    attempt INTEGER NOT NULL
);
