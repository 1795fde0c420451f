-- A database for rows with identities, created by the role that migrates, which owns the tables.

-- The serving role owns nothing and bypasses nothing. (A role exists for all databases of a server: another may have created it.)
DO $$ BEGIN
    CREATE ROLE app LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;

-- The one expression that decides about each row: the transaction's identity, or NULL, which equals nothing.
CREATE SCHEMA identity;
CREATE FUNCTION identity.present() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('app.identity', true), '');
GRANT USAGE ON SCHEMA identity TO PUBLIC;

CREATE TABLE notes (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner text NOT NULL DEFAULT identity.present(),
    title text NOT NULL
);
-- After the owner, the column that orders the rows: otherwise each query sorts all of the owner's.
CREATE INDEX notes_owner ON notes (owner, number);
GRANT SELECT, INSERT, UPDATE, DELETE ON notes TO app;

ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE notes FORCE ROW LEVEL SECURITY;  -- for the owner of the table as well
CREATE POLICY own ON notes
    USING (owner = (SELECT identity.present()))  -- asked once a statement and not once a row
    WITH CHECK (owner = (SELECT identity.present()));
