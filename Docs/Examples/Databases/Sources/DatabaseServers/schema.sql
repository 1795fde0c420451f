-- Roles: what migrates owns the tables, and what serves owns nothing and goes round nothing.
CREATE ROLE app LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;

-- The one line that each row is judged by: whose the transaction is, or NULL, which equals nothing.
CREATE SCHEMA identity;
CREATE FUNCTION identity.present() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('app.identity', true), '');
GRANT USAGE ON SCHEMA identity TO PUBLIC;

CREATE TABLE notes (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner text NOT NULL DEFAULT identity.present(),
    title text NOT NULL
);
CREATE INDEX notes_owner ON notes (owner);
GRANT SELECT, INSERT, UPDATE, DELETE ON notes TO app;

ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE notes FORCE ROW LEVEL SECURITY;  -- for the owner of the table as well
CREATE POLICY own ON notes
    USING (owner = (SELECT identity.present()))  -- asked once a statement and not once a row
    WITH CHECK (owner = (SELECT identity.present()));
