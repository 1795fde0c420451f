-- What every database needs that keeps rows of identities, once, by the role that migrates, which owns the tables.

-- What serves owns nothing and goes round nothing. (A role is there for all databases of a server: another may have made it.)
DO $$ BEGIN
    CREATE ROLE app LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;

-- The one line that each row is judged by: the transaction's identity, or NULL, which equals nothing.
CREATE SCHEMA identity;
CREATE FUNCTION identity.present() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('app.identity', true), '');
GRANT USAGE ON SCHEMA identity TO PUBLIC;
