-- A table of identities' rows, after identity.sql.
CREATE TABLE notes (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner text NOT NULL DEFAULT identity.present(),
    title text NOT NULL
);
-- Behind the owner, what rows are read in the order of: else each reading sorts all of the owner's.
CREATE INDEX notes_owner ON notes (owner, number);
GRANT SELECT, INSERT, UPDATE, DELETE ON notes TO app;

ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE notes FORCE ROW LEVEL SECURITY;  -- for the owner of the table as well
CREATE POLICY own ON notes
    USING (owner = (SELECT identity.present()))  -- asked once a statement and not once a row
    WITH CHECK (owner = (SELECT identity.present()));
