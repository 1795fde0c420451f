-- The ledger's own tables for PostgreSQL, after the queue's, as the role that migrates. An owner sees and changes their own rows
-- alone; nobody's are seen where the transaction is nobody's; of those that are unset there are none.
CREATE TABLE entries (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    request_id text NOT NULL,
    text text NOT NULL,
    owner_kind text NOT NULL CHECK (owner_kind IN ('nobody', 'named')),
    owner_name text NOT NULL CHECK ((owner_kind = 'named') = (owner_name <> '')),
    owner_key text NOT NULL CHECK ((owner_key <> '') = (owner_name <> '')),
    UNIQUE (owner_kind, owner_key, request_id)
);
CREATE INDEX entries_of_owner ON entries (owner_kind, owner_key, number);
GRANT SELECT, INSERT, DELETE ON entries TO app;
ALTER TABLE entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE entries FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON entries TO app USING (owner_kind = 'named' AND owner_key = (SELECT identity.present()));
CREATE POLICY nobodys ON entries TO app USING (owner_kind = 'nobody' AND (SELECT identity.present()) IS NULL);

-- What the job of an entry made, and as whom its work was seen to run. Two receipts of one entry would be an error.
CREATE TABLE receipts (
    entry bigint NOT NULL PRIMARY KEY REFERENCES entries (number),
    made_kind text NOT NULL CHECK (made_kind IN ('nobody', 'named')),
    made_name text NOT NULL,
    made_key text NOT NULL,
    attempt integer NOT NULL
);
GRANT SELECT, INSERT, DELETE ON receipts TO app;
ALTER TABLE receipts ENABLE ROW LEVEL SECURITY;
ALTER TABLE receipts FORCE ROW LEVEL SECURITY;
-- By the entry's own policies: who does not see it has no receipt of it.
CREATE POLICY of_entry ON receipts TO app USING (EXISTS (SELECT FROM entries WHERE number = entry));
